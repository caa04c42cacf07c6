//! What is one account's is nobody else's: asked for by another account, it is as if it had never been, in status, in words
//! and in headers, and after the same work. Generated from the operations that the spec routes: from the parameters of their paths and
//! queries, and from the members of their bodies that are numbers or names of something.
//!
//! The work is compared by what is asked of the database, not by a clock: the same statements have to be run, and each has to
//! find as many rows, so that whose an object is can only have been decided by the database, in the WHERE. A clock on a busy
//! machine sees no row less; this sees the one row that was fetched and then refused.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use reqwest::header::{HeaderMap, HeaderName};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tollgate_accounts::NewKey;
use tollgate_api::generated::types::MemberRole;
use tollgate_tests::gateway::Options;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::statements::Statements;
use tollgate_tests::wait::until;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};

use super::asks::{Ask, Names};
use super::{
    AGENTS, Door, PUBLIC_URL, another_agent, another_identity, another_invitation, another_key, another_member,
    another_team, by_session, filmed, gateway, kept, orders, root, routed, signed_in, signed_in_to_own, topped_up,
};

/// What nobody has, of the form of what somebody has.
const NOBODYS: &[(&str, &str)] = &[
    ("response", "resp_01jd0000000000000000000000"),
    ("request", "req_01jd0000000000000000000000"),
    ("video", "video_0123456789abcdef0123456789abcdef"),
    ("key", "4503599627370497"),
    ("agent", "4503599627370497"),
    ("team", "4503599627370497"),
    ("member", "4503599627370497"),
    ("invitation", "4503599627370497"),
    ("order", "tg00000000000000000000000000"),
    ("order_id", "4503599627370497"),
    ("organisation", "4503599627370497"),
    ("identity", "4503599627370497"),
    ("session", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
];

/// Parameters of a path that are no object of an account, with the reason.
const SHARED: &[(&str, &str)] = &[
    ("model", "the catalog is everybody's"),
    ("provider", "it is the operator's, and proves itself by its signature"),
    ("file", "the documentation is everybody's"),
];

/// Parameters of queries that name nothing, or nothing that is somebody's.
const PLAIN: &[&str] = &[
    "from",
    "to",
    "start_date",
    "end_date",
    "group_by",
    "format",
    "limit",
    "order",
    "model",
    "tag",
    "by",
    "status",
    "alt",
    "variant",
    "keys",
    "pageSize",
    // Of the catalog, which is everybody's.
    "pageToken",
    "after_id",
    "before_id",
    // Whoever pays need not be the owner.
    "payer",
];

/// What a parameter of an operation's path names.
fn object(operation: &str, parameter: &str) -> Option<&'static str> {
    if SHARED.iter().any(|(shared, _)| *shared == parameter) {
        return None;
    }
    if ["x402.pay", "x402.handshake", "ewallet.state", "ewallet.page"].contains(&operation) {
        // Whoever pays an order need not be its owner: a payment or a token shows who it is. The page is everybody's.
        return None;
    }
    let object = match (operation.split('.').next().unwrap_or_default(), parameter) {
        ("receipts" | "console", "request_id") => "request",
        ("keys" | "console", "key_id") => "key",
        ("agents", "agent_id") => "agent",
        ("teams", "team_id") => "team",
        ("members", "member_id") => "member",
        ("invitations", "invitation_id") => "invitation",
        ("organisations", "account_id") => "organisation",
        ("identities", "identity_id") => "identity",
        ("topup" | "crypto", "trade_no") => "order",
        ("x402", "orderId") => "order_id",
        ("responses", "response_id") => "response",
        ("videos" | "video_a", _) => "video",
        _ => panic!("say here whose `{parameter}` of `{operation}` is, or why it is everybody's"),
    };
    Some(object)
}

/// What a parameter of an operation's query names.
fn queried(operation: &str, parameter: &str) -> Option<&'static str> {
    // The page asks for it by a script, as `crypto.get` does; and the token of an order shows who has it.
    if operation == "crypto.page" || PLAIN.contains(&parameter) || parameter == "token" {
        return None;
    }
    let object = match (operation, parameter) {
        (_, "key_id") => "key",
        (_, "team_id") => "team",
        (_, "member_id") => "member",
        ("receipts.list" | "console.receipts", "after") | ("console.receipts", "request") => "request",
        ("videos.list", "after") => "video",
        ("sessions.end", "session") => "session",
        // Within a response that the path names.
        ("responses.input_items", "after") => return None,
        _ => panic!("say here whose `{parameter}` in the query of `{operation}` is, or that it names nothing"),
    };
    Some(object)
}

/// What a member of an operation's body names.
fn sent(operation: &str, member: &str) -> Option<&'static str> {
    let object = match (operation, member) {
        ("keys.create" | "keys.change", "team_id") => "team",
        ("keys.create" | "keys.change", "member_id") => "member",
        ("x402.create", "agent_wallet_id") => "agent",
        (_, "previous_response_id") => "response",
        _ => panic!("say here whose `{member}` in the body of `{operation}` is"),
    };
    Some(object)
}

/// The request that names an object, of a caller with a key of this number.
type NamesObject = Box<dyn Fn(&str, i64) -> Ask>;

/// One way to name an object of an account.
struct Way {
    operation: String,
    /// The member or the parameter that names it.
    by: String,
    object: &'static str,
    /// Operations of people take no key.
    is_by_session: bool,
    /// A list is narrowed to nothing, and what is ended is nothing; elsewhere it is not found.
    is_narrowed: bool,
    ask: NamesObject,
}

/// The parameters of queries, and the members of bodies that end as the name of a number does, of each operation.
fn named(openapi: &Value) -> Vec<(String, Vec<String>, Vec<String>)> {
    let mut named = Vec::new();
    let operations = openapi["paths"].as_object().expect("paths").values();
    for operation in operations.flat_map(|path| path.as_object().expect("methods").values()) {
        let Some(id) = operation["operationId"].as_str() else { continue };
        let texts = |value: &Value| value.as_str().expect("a name").to_owned();
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let query =
            parameters.filter(|parameter| parameter["in"] == "query").map(|parameter| texts(&parameter["name"]));
        let schemas = operation["requestBody"]["content"].as_object().into_iter().flat_map(|content| content.values());
        let mut members = BTreeSet::new();
        for media in schemas {
            members_of(openapi, &media["schema"], &mut members);
        }
        named.push((id.to_owned(), query.collect(), members.into_iter().collect()));
    }
    named
}

fn members_of(openapi: &Value, schema: &Value, members: &mut BTreeSet<String>) {
    if let Some(to) = schema["$ref"].as_str() {
        let found = openapi.pointer(to.trim_start_matches('#')).expect("it leads somewhere");
        return members_of(openapi, found, members);
    }
    for name in schema["properties"].as_object().into_iter().flat_map(|properties| properties.keys()) {
        if name.ends_with("_id") || name.ends_with("_ids") {
            members.insert(name.clone());
        }
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        members_of(openapi, part, members);
    }
}

/// Every routed way to name an object: in the path, in the query and in the body.
fn ways() -> Vec<Way> {
    let openapi = std::fs::read_to_string(root().join("spec/dist/openapi.json")).expect("it is generated");
    let named = named(&serde_json::from_str(&openapi).expect("JSON"));
    let mut ways = Vec::new();
    for operation in routed() {
        let id = operation.id.clone();
        let is_by_session = operation.codes.contains("SESSION_INVALID") && !operation.codes.contains("KEY_INVALID");
        let way = |by: &str, object, is_narrowed, ask| Way {
            operation: id.clone(),
            by: by.to_owned(),
            object,
            is_by_session,
            is_narrowed,
            ask,
        };
        for (method, path) in &operation.routes {
            let Some((before, rest)) = path.split_once('{') else { continue };
            let (parameter, after) = rest.split_once('}').expect("it is closed");
            let Some(object) = object(&id, parameter.trim_start_matches('*')) else { continue };
            let (before, after) = (before.to_owned(), after.to_owned());
            assert!(!after.contains('{'), "{path}: more than one object");
            let body = Ask::of(&id, &Names::default()).body;
            let method: Method = method.parse().expect("a method");
            let ask = move |id: &str, _| {
                let (path, body) = (format!("{before}{id}{after}"), body.clone());
                Ask { method: method.clone(), path, headers: Vec::new(), body }
            };
            ways.push(way(parameter, object, false, Box::new(ask)));
        }
        let (_, queries, members) = named.iter().find(|(known, ..)| *known == id).expect("OpenAPI has it");
        for parameter in queries {
            let Some(object) = queried(&id, parameter) else { continue };
            let (id, name) = (id.clone(), parameter.clone());
            let ask = move |object: &str, _| {
                let ask = Ask::of(&id, &Names::default());
                let path = ask.path.split('?').next().unwrap_or_default().to_owned();
                Ask { path: format!("{path}?{name}={object}"), ..ask }
            };
            // A page after something is one of somebody's own list.
            let is_narrowed = parameter != "after" || is_page(&operation.id);
            ways.push(way(parameter, object, is_narrowed, Box::new(ask)));
        }
        for member in members {
            let Some(object) = sent(&id, member) else { continue };
            let (id, name, is_number) = (id.clone(), member.clone(), member != "previous_response_id");
            let ask = move |object: &str, key| {
                let value = if is_number { json!(object.parse::<i64>().expect("a number")) } else { json!(object) };
                Ask::of(&id, &Names { key, ..Names::default() }).with(&name, value)
            };
            ways.push(way(member, object, false, Box::new(ask)));
        }
    }
    ways
}

/// True for a page, which says in words that there is nothing.
fn is_page(operation: &str) -> bool {
    operation.starts_with("console.")
}

/// What an answer says, its own id and the one that was asked for left out.
async fn said(request: RequestBuilder, id: &str) -> (u16, BTreeMap<String, String>, String) {
    let reply = request.send().await.expect("an answer");
    let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
    let own = headers["x-request-id"].to_str().expect("text").to_owned();
    let body = reply.text().await.expect("a body").replace(&own, "REQUEST").replace(id, "OBJECT");
    (status, plain(&headers), body)
}

fn plain(headers: &HeaderMap) -> BTreeMap<String, String> {
    let own = |name: &HeaderName| ["x-request-id", "request-id", "date", "content-length"].contains(&name.as_str());
    let text = |value: &reqwest::header::HeaderValue| value.to_str().expect("text").to_owned();
    headers.iter().filter(|(name, _)| !own(name)).map(|(name, value)| (name.to_string(), text(value))).collect()
}

/// A key of another account, and its number.
async fn stranger(gateway: &TestGateway) -> (String, i64) {
    let accounts = &gateway.service().accounts;
    let account = accounts.create_account("stranger", "test").await.expect("an account").id;
    let key = NewKey { account, label: String::new(), expires_at_ms: None };
    let created = accounts.create_key(key, "test").await.expect("a key");
    (created.secret.reveal().to_owned(), created.key.id.0)
}

/// What the server asks its database by itself, and to find out whose key it is.
async fn unasked(statements: &Statements, door: &Door, key: &str) -> BTreeSet<String> {
    let listed = client().get(format!("{}/v1/models", door.url)).bearer_auth(key).send().await.expect("an answer");
    assert_eq!(listed.status(), 200);
    // The watcher of keys, the sweeper, and what looks for notices and checkouts, each again and again.
    until("the server's own statements", || async { (statements.repeated() >= 4).then_some(()) }).await;
    statements.take().into_iter().map(|(statement, _)| statement).collect()
}

#[tokio::test]
async fn what_is_another_s_is_as_if_it_had_never_been() {
    is_as_if_it_had_never_been(String::new()).await;
}

#[tokio::test]
async fn what_is_another_s_is_as_if_it_had_never_been_on_a_database_server_too() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    is_as_if_it_had_never_been(format!("[database]\nurl = {url:?}\n")).await;
}

/// The statements of which there are more, or other rows, in one of two than in the other.
fn differing(one: &[(String, u64)], other: &[(String, u64)]) -> BTreeSet<String> {
    let of = |ran: &[(String, u64)], statement: &str| {
        ran.iter().filter(|(known, _)| known == statement).map(|(_, rows)| *rows).collect::<Vec<_>>()
    };
    let all = one.iter().chain(other).map(|(statement, _)| statement.clone());
    all.filter(|statement| of(one, statement) != of(other, statement)).collect()
}

/// Statements that the server runs by itself, but seldom, as those of a seal: it runs each of them again though nobody asks.
async fn own(statements: &Statements, of: BTreeSet<String>, called: &str) -> BTreeSet<String> {
    let ran = RefCell::new(BTreeSet::new());
    let again = || async {
        ran.borrow_mut().extend(statements.take().into_iter().map(|(statement, _)| statement));
        of.is_subset(&ran.borrow()).then_some(())
    };
    until(&format!("{called}: what differs to be the server's own work"), again).await;
    of
}

/// Somebody who asks: by a key, or by a session where an operation takes no key.
struct Asker {
    key: String,
    key_id: i64,
    cookie: String,
}

impl Asker {
    fn asks(&self, door: &Door, way: &Way, id: &str) -> RequestBuilder {
        let request = (way.ask)(id, self.key_id).request(&door.url);
        if way.is_by_session { by_session(request, door, &self.cookie) } else { request.bearer_auth(&self.key) }
    }
}

async fn is_as_if_it_had_never_been(config: String) {
    let statements = Statements::of_this_thread();
    let gateway = gateway(Options { config, ..Options::default() }).await;
    let door = Door::open(gateway.service()).await;
    let (key, key_id) = stranger(&gateway).await;
    let stranger = Asker { key, key_id, cookie: signed_in(&gateway).await };
    let key_id = another_key(&gateway).await;
    let owner = Asker { key: gateway.key.clone(), key_id, cookie: signed_in_to_own(&gateway).await };
    let objects = owned(&gateway, &door, &owner).await;
    statements.take();
    let unasked = unasked(&statements, &door, &stranger.key).await;
    let ways = ways();
    for &(object, nobodys) in NOBODYS {
        assert!(ways.iter().any(|way| way.object == object), "nothing asks for a {object}");
        for way in ways.iter().filter(|way| way.object == object) {
            let called = format!("{} by {}", way.operation, way.by);
            let asked = async |id: &str| {
                statements.take();
                let said = said(stranger.asks(&door, way, id), id).await;
                let mut asked = statements.take();
                asked.retain(|(statement, _)| !unasked.contains(statement));
                (said, asked)
            };
            let ((theirs, mut for_theirs), (never, mut for_never)) =
                (asked(&objects[object]).await, asked(nobodys).await);
            assert_eq!(theirs, never, "{called}");
            if for_theirs != for_never {
                let differing = differing(&for_theirs, &for_never);
                let own = own(&statements, differing, &called).await;
                for ran in [&mut for_theirs, &mut for_never] {
                    ran.retain(|(statement, _)| !own.contains(statement));
                }
            }
            assert_eq!(for_theirs, for_never, "{called}: the same statements, and as many rows");
            assert!(!for_theirs.is_empty(), "{called}: it was looked for");
            // A response that is gone on from is a matter of the body in the format that names it so.
            let goes_on = way.by == "previous_response_id";
            let status = match (goes_on, way.is_narrowed) {
                (true, _) => 400..=404,
                (_, true) => 200..=200,
                _ => 404..=404,
            };
            assert!(status.contains(&theirs.0), "{called}: {theirs:?}");
        }
    }
    is_there_for_its_owner(&ways, &objects, &door, &owner).await;
    gateway.assert_books().await;
}

/// One of each object, of the gateway's account.
async fn owned(gateway: &TestGateway, door: &Door, owner: &Asker) -> BTreeMap<&'static str, String> {
    let Names { response, request, .. } = kept(gateway, door).await;
    let listed = by_session(Ask::of("sessions.list", &Names::default()).request(&door.url), door, &owner.cookie);
    let sessions: Value = listed.send().await.expect("an answer").json().await.expect("JSON");
    BTreeMap::from([
        ("response", response),
        ("request", request),
        ("video", filmed(gateway, door).await),
        ("key", owner.key_id.to_string()),
        ("agent", another_agent(gateway).await.to_string()),
        ("team", another_team(gateway, "theirs").await.to_string()),
        ("member", another_member(gateway, MemberRole::Viewer).await.1.to_string()),
        ("invitation", another_invitation(gateway, MemberRole::Viewer).await.0.to_string()),
        ("order", topped_up(gateway).await),
        ("order_id", orders::waiting(gateway).await.id.to_string()),
        ("organisation", gateway.account.to_string()),
        ("identity", another_identity(door, &owner.cookie).await.to_string()),
        ("session", sessions["data"][0]["session_id"].as_str().unwrap_or_else(|| panic!("{sessions}")).to_owned()),
    ])
}

/// All of it is still there: what deletes comes last, by one of its names, and what ends the session that asks after all.
async fn is_there_for_its_owner(ways: &[Way], objects: &BTreeMap<&'static str, String>, door: &Door, owner: &Asker) {
    let deletes = |way: &&Way| (way.ask)("7", 7).method == Method::DELETE;
    let (mut last, first): (Vec<&Way>, Vec<&Way>) = ways.iter().partition(deletes);
    last.dedup_by_key(|way| &way.operation);
    last.sort_by_key(|way| way.operation == "identities.remove");
    for way in first.into_iter().chain(last) {
        let reply = owner.asks(door, way, &objects[way.object]).send().await.expect("an answer");
        let (status, body): (u16, String) = (reply.status().as_u16(), reply.text().await.unwrap_or_default());
        let known = status != 404 && !body.contains("previous_response_not_found");
        assert!(known, "{} by {}: {status} {body}", way.operation, way.by);
    }
}

/// Lists show what is the caller's own and nothing else.
#[tokio::test]
async fn lists_are_of_one_account() {
    let gateway = gateway(Options::default()).await;
    let door = Door::open(gateway.service()).await;
    let (stranger, _) = stranger(&gateway).await;
    filmed(&gateway, &door).await;
    for (path, list, own) in [("/v1/videos", "/data", 1), ("/api/user/self/keys", "/data", 1)] {
        let get = |key: &str| client().get(format!("{}{path}", door.url)).bearer_auth(key).send();
        let count = async |key: &str| {
            let reply: Value = get(key).await.expect("an answer").json().await.expect("JSON");
            reply.pointer(list).and_then(Value::as_array).map(Vec::len)
        };
        assert_eq!(count(&gateway.key).await, Some(own), "{path}");
        // The stranger has the key that it asks with, and no video.
        assert_eq!(count(&stranger).await, Some(usize::from(path.contains("keys"))), "{path}");
    }
}

/// Nothing that names what is another's is in any list, whatever it is narrowed by and however the stranger shows who they are.
#[tokio::test]
async fn no_list_names_what_is_another_s() {
    let gateway = gateway(Options::default()).await;
    let door = Door::open(gateway.service()).await;
    let (stranger, _) = stranger(&gateway).await;
    let registration = Wallet::evm().registration(PUBLIC_URL).to_string();
    let registered = client()
        .post(format!("{}{AGENTS}", door.url))
        .bearer_auth(&stranger)
        .header("content-type", "application/json");
    let registered: Value = registered.body(registration).send().await.expect("an answer").json().await.expect("JSON");
    let of_agent = registered["data"]["api_key"].as_str().unwrap_or_else(|| panic!("{registered}")).to_owned();
    let session = signed_in(&gateway).await;

    let Names { request, response, .. } = kept(&gateway, &door).await;
    let (key, agent) = (another_key(&gateway).await.to_string(), another_agent(&gateway).await.to_string());
    let (order, video) = (orders::payment(&gateway, &door, 71).await.0.to_string(), filmed(&gateway, &door).await);
    let receipts = "/api/user/self/receipts";
    // Where it is listed for its owner, and what it is called.
    let lists = [
        ("/v1/videos".to_owned(), Some(&video)),
        (format!("/v1/videos?after={video}"), None),
        ("/api/user/self/keys".to_owned(), Some(&key)),
        (AGENTS.to_owned(), Some(&agent)),
        ("/api/user/topup/x402/orders".to_owned(), Some(&order)),
        (receipts.to_owned(), Some(&request)),
        (format!("{receipts}?after={request}"), None),
        (format!("{receipts}?key_id={key}"), None),
        (format!("/v1/responses/{response}/input_items?after=item_1"), None),
        ("/api/user/self/status".to_owned(), None),
        ("/api/user/self/balance".to_owned(), None),
    ];
    let named = [&video, &key, &agent, &order, &request, &response];
    for (path, own) in lists {
        let get = || client().get(format!("{}{path}", door.url));
        let read = async |request: RequestBuilder| {
            let reply = request.send().await.expect("an answer");
            let told = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
            reply.text().await.expect("a body").replace(&told, "")
        };
        if let Some(own) = own {
            let shown = read(get().bearer_auth(&gateway.key)).await;
            assert!(shown.contains(own.as_str()), "{path}: {shown}");
        }
        let strangers = [get().bearer_auth(&stranger), get().bearer_auth(&of_agent), get().header("cookie", &session)];
        for asked in strangers {
            let shown = read(asked).await;
            // What was asked for may be said again.
            for name in named.into_iter().filter(|name| !path.contains(name.as_str())) {
                assert!(!shown.contains(name.as_str()), "{path} names {name}: {shown}");
            }
        }
    }
}
