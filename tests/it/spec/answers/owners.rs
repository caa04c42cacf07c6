//! What is one account's is nobody else's: asked for by another account, it is as if it had never been, in status, in words
//! and in headers, and after the same work. Generated from the operations that the spec routes.
//!
//! The work is compared by what is asked of the database, not by a clock: the same statements have to be run, and each has to
//! find as many rows, so that whose an object is can only have been decided by the database, in the WHERE. A clock on a busy
//! machine sees no row less; this sees the one row that was fetched and then refused.

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
    AGENTS, Door, PUBLIC_URL, another_agent, another_invitation, another_key, another_member, another_team, filmed,
    gateway, kept, orders, routed, signed_in, topped_up,
};

/// A response id, a request id, a video id, a key, an agent, a team and an order that nobody has, each of the form of a real one.
const NOBODYS: [(&str, &str); 10] = [
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
];

/// Parameters of a path that are no object of an account, with the reason.
const SHARED: [(&str, &str); 3] = [
    ("model", "the catalog is everybody's"),
    ("provider", "it is the operator's, and proves itself by its signature"),
    ("file", "the documentation is everybody's"),
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
    if operation.starts_with("console.") || operation == "organisations.enter" {
        // They take no key; `customers::strangers` and `accounts::members` ask by a session.
        return None;
    }
    if operation == "identities.remove" {
        // It takes no key; `accounts::wallets` asks by the session of somebody else.
        return None;
    }
    let object = match (operation.split('.').next().unwrap_or_default(), parameter) {
        ("receipts", "request_id") => "request",
        ("keys", "key_id") => "key",
        ("agents", "agent_id") => "agent",
        ("teams", "team_id") => "team",
        ("members", "member_id") => "member",
        ("invitations", "invitation_id") => "invitation",
        ("topup" | "crypto", "trade_no") => "order",
        ("x402", "orderId") => "order_id",
        ("responses", "response_id") => "response",
        ("videos" | "video_a", _) => "video",
        _ => panic!("say here whose `{parameter}` of `{operation}` is, or why it is everybody's"),
    };
    Some(object)
}

/// One way to name an object of an account.
struct Way {
    operation: String,
    object: &'static str,
    /// The request that names this object.
    ask: Box<dyn Fn(&str) -> Ask>,
}

/// Every routed way whose path names an object, and those that name one elsewhere.
fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    for operation in routed() {
        for (method, path) in operation.routes {
            let Some((before, rest)) = path.split_once('{') else { continue };
            let (parameter, after) = rest.split_once('}').expect("it is closed");
            let Some(object) = object(&operation.id, parameter.trim_start_matches('*')) else { continue };
            let (before, after) = (before.to_owned(), after.to_owned());
            assert!(!after.contains('{'), "{path}: more than one object");
            let body = Ask::of(&operation.id, &Names::default()).body;
            let method: Method = method.parse().expect("a method");
            let ask = move |id: &str| {
                let (path, body) = (format!("{before}{id}{after}"), body.clone());
                Ask { method: method.clone(), path, headers: Vec::new(), body }
            };
            ways.push(Way { operation: operation.id.clone(), object, ask: Box::new(ask) });
        }
    }
    for operation in ["responses.create", "responses.compact", "responses.count_tokens"] {
        let ask = move |id: &str| Ask::of(operation, &Names::default()).with("previous_response_id", json!(id));
        ways.push(Way { operation: operation.to_owned(), object: "response", ask: Box::new(ask) });
    }
    let after = |id: &str| Ask { path: format!("/v1/videos?after={id}"), ..Ask::of("videos.list", &Names::default()) };
    ways.push(Way { operation: "videos.list".to_owned(), object: "video", ask: Box::new(after) });
    ways
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

async fn stranger(gateway: &TestGateway) -> String {
    let accounts = &gateway.service().accounts;
    let account = accounts.create_account("stranger", "test").await.expect("an account").id;
    let key = NewKey { account, label: String::new(), expires_at_ms: None };
    accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned()
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

async fn is_as_if_it_had_never_been(config: String) {
    let statements = Statements::of_this_thread();
    let gateway = gateway(Options { config, ..Options::default() }).await;
    let door = Door::open(gateway.service()).await;
    let stranger = stranger(&gateway).await;
    let Names { response, request, .. } = kept(&gateway, &door).await;
    let objects = BTreeMap::from([
        ("response", response),
        ("request", request),
        ("video", filmed(&gateway, &door).await),
        ("key", another_key(&gateway).await.to_string()),
        ("agent", another_agent(&gateway).await.to_string()),
        ("team", another_team(&gateway, "theirs").await.to_string()),
        ("member", another_member(&gateway, MemberRole::Viewer).await.1.to_string()),
        ("invitation", another_invitation(&gateway, MemberRole::Viewer).await.0.to_string()),
        ("order", topped_up(&gateway).await),
        ("order_id", orders::waiting(&gateway).await.id.to_string()),
    ]);
    statements.take();
    let unasked = unasked(&statements, &door, &stranger).await;
    let ways = ways();
    for (object, nobodys) in NOBODYS {
        assert!(ways.iter().any(|way| way.object == object), "nothing asks for a {object}");
        for way in ways.iter().filter(|way| way.object == object) {
            let send = |id: &str| (way.ask)(id).request(&door.url).bearer_auth(&stranger);
            let asked = async |id: &str| {
                statements.take();
                let said = said(send(id), id).await;
                let mut asked = statements.take();
                asked.retain(|(statement, _)| !unasked.contains(statement));
                (said, asked)
            };
            let ((theirs, for_theirs), (never, for_never)) = (asked(&objects[object]).await, asked(nobodys).await);
            assert_eq!(theirs, never, "{}", way.operation);
            assert_eq!(for_theirs, for_never, "{}: the same statements, and as many rows", way.operation);
            assert!(!for_theirs.is_empty(), "{}: it was looked for", way.operation);
            // A response that is gone on from is a matter of the body in the format that names it so.
            let goes_on = way.operation.starts_with("responses.") && (way.ask)("x").body.is_some();
            let status = if goes_on { 400..=404 } else { 404..=404 };
            assert!(status.contains(&theirs.0), "{}: {theirs:?}", way.operation);
        }
    }
    // All of it is still there for its owner: what deletes comes last, and by one of its names.
    let deletes = |way: &&Way| (way.ask)("x").method == Method::DELETE;
    let (mut last, first): (Vec<&Way>, Vec<&Way>) = ways.iter().partition(deletes);
    last.dedup_by_key(|way| &way.operation);
    for way in first.into_iter().chain(last) {
        let reply = (way.ask)(&objects[way.object]).request(&door.url).bearer_auth(&gateway.key).send().await;
        let reply = reply.expect("an answer");
        let (status, body): (u16, String) = (reply.status().as_u16(), reply.text().await.unwrap_or_default());
        let known = status != 404 && !body.contains("previous_response_not_found");
        assert!(known, "{}: {status} {body}", way.operation);
    }
    gateway.assert_books().await;
}

/// Lists show what is the caller's own and nothing else.
#[tokio::test]
async fn lists_are_of_one_account() {
    let gateway = gateway(Options::default()).await;
    let door = Door::open(gateway.service()).await;
    let stranger = stranger(&gateway).await;
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
    let stranger = stranger(&gateway).await;
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
