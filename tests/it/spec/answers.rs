//! What is declared is answered: every routed operation succeeds, and every code is told in every shape that may tell it.
//!
//! Each case is asked of the generated router over the real rooms, behind the real listener; which operation answered is
//! what the router itself tells its observer. What has to be answered is read from the spec, so that a new operation or
//! code has no peace before it has a case here.

mod asks;
mod battery;
mod codes;
mod orders;
mod own;
mod owners;
mod pairs;
mod people;
mod runtime;
mod unbudgeted;
mod upstream;

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tollgate_accounts::NewKey;
use tollgate_api::generated::errors::RULES;
use tollgate_api::generated::types::MemberRole;
use tollgate_api::generated::{limits, router};
use tollgate_api::{BodyMemory, InFlightRequests, ObservedResponse, ResponseObserver, RouterBounds, RouterConfig};
use tollgate_base::{Clock, Secret};
use tollgate_http::{Config, HttpServer, ListenerRefusals};
use tollgate_server::app::Service;
use tollgate_spec_generator::RoutedOperation;
use tollgate_tests::chain::Anvil;
use tollgate_tests::checkout::Provider;
use tollgate_tests::formats::{answer, config};
use tollgate_tests::gateway::Options;
use tollgate_tests::oidc::OidcProvider;
use tollgate_tests::wait::until;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};
use tollgate_topup::{NewOrder, PaymentRail, RailConfig};

pub(crate) use asks::{Ask, Names, PASSWORD, PERSON, PUBLIC_URL};
use codes::{Cases, NEVER};
pub(crate) use orders::waiting;
pub(crate) use people::{link_all, oidc_provider, with_provider};

/// Operations of one model turn.
const TURNS: [&str; 6] =
    ["chat.create", "completions.create", "messages.create", "content.generate", "content.stream", "responses.create"];

pub(crate) const ORDER_VALIDITY_MS: i64 = 600_000;
pub(crate) const AGENTS: &str = "/api/user/self/agents";
const TEAMS: &str = "/api/user/self/teams";

/// Operations that refuse every request by design, with the reason.
const NEVER_SUCCEEDS: [(&str, &str); 1] = [("responses.cancel", "no response runs in the background")];

/// Which operation answered a request, and with which code if any, by the request's id.
#[derive(Default)]
struct Seen(Mutex<BTreeMap<String, (&'static str, Option<&'static str>)>>);

impl ResponseObserver for Seen {
    fn answered(&self, answered: &ObservedResponse) {
        let id = answered.operation.map_or("", |operation| operation.id);
        let code = answered.code.map(|code| code.code);
        self.0.lock().expect("no panic").insert(answered.request_id.as_str().to_owned(), (id, code));
    }
}

/// A listener with a router of its own over the rooms of a gateway.
pub(crate) struct Door {
    pub(crate) url: String,
    seen: Arc<Seen>,
    _serving: JoinSet<()>,
}

impl Door {
    pub(crate) async fn open(service: &Service) -> Self {
        Self::with(service, |_| {}).await
    }

    /// One whose router has other bounds.
    pub(crate) async fn with(service: &Service, change: impl FnOnce(&mut RouterConfig)) -> Self {
        let seen = Arc::new(Seen::default());
        let bounds = RouterBounds {
            request_own: limits::REQUEST_OWN,
            places: InFlightRequests::new(100, 100),
            bodies: BodyMemory::new(limits::BODIES_IN_FLIGHT),
            retry_after_max: limits::RETRY_AFTER_MAX,
        };
        let mut config = RouterConfig::new(Clock::system(), &RULES, bounds);
        config.observer = Some(seen.clone());
        change(&mut config);
        let server = HttpServer::bind("127.0.0.1:0".parse().expect("an address"), Config::default()).await;
        let server = server.expect("a free port");
        let url = format!("http://{}", server.address().expect("a bound socket"));
        let refusals = ListenerRefusals { rules: &RULES, clock: Clock::system(), observer: Some(seen.clone()) };
        let router = router(Arc::new(service.clone()), config);
        let mut serving = JoinSet::new();
        serving.spawn(server.serve(router, refusals, std::future::pending()));
        Self { url, seen, _serving: serving }
    }

    /// The operation that gave this answer, empty for none, and the code that it was counted under.
    pub(crate) fn seen(&self, reply: &reqwest::Response) -> (&'static str, Option<&'static str>) {
        self.seen_of(reply.headers()["x-request-id"].to_str().expect("text"))
    }

    /// The same by the id of the request.
    pub(crate) fn seen_of(&self, request_id: &str) -> (&'static str, Option<&'static str>) {
        self.seen.0.lock().expect("no panic").remove(request_id).expect("every answer is observed")
    }

    /// Sends what an operation is asked, and sees that it was that operation.
    async fn send(&self, operation: &str, request: RequestBuilder) -> reqwest::Response {
        let reply = request.send().await.expect("an answer");
        let (answered, code) = self.seen(&reply);
        assert_eq!(answered, operation, "{}", reply.url());
        // Some operations of top-ups tell their refusals with HTTP 200.
        let refused = code.is_some();
        let fits = if ["x402.", "ewallet.", "crypto."].iter().any(|group| operation.starts_with(group)) {
            refused || reply.status() == 200
        } else {
            refused != reply.status().is_success()
        };
        assert!(fits, "{}: {code:?} {}", reply.url(), reply.status());
        reply
    }
}

/// A gateway with a model reached over each format, whose provider answers in each, `dear`, which has no price that could
/// be paid, `painter`, which draws, and `film`, which films.
pub(crate) async fn gateway(options: Options) -> TestGateway {
    let dear = "[models.dear]\ncontext_tokens = 1000000000000\nmax_output_tokens = 1000000000000\n\
        price = { prompt = \"1\", completion = \"9000000000000\" }\ncandidates = [{ upstream = \"fake\" }]\n";
    let painter = "[models.painter]\ncontext_tokens = 8000\nmax_output_tokens = 1\n\
        price = { prompt = \"1\", completion = \"1\", image = \"0.04\" }\ncandidates = [{ upstream = \"fake\" }]\n";
    let film = "[models.film]\ncontext_tokens = 1\nmax_output_tokens = 1\nvideo_seconds = [4]\n\
        price = { prompt = \"1\", completion = \"1\", video_second = \"0.00005\" }\ncandidates = [{ upstream = \"fake\" }]\n";
    let unfilmed = film.replace("film]", "unfilmed]").replace("fake", "by-messages");
    // Keys of the tests' own stand in front of all tables.
    let quick = "[video]\npoll_first_milliseconds = 10\n[accounts]\nregistration = true\n[groups.configured]\nratio = \"1.5\"\n";
    let public_url = format!("public_url = \"{PUBLIC_URL}\"\n");
    let providers = OidcProvider::shared().config(false);
    let config =
        [&public_url, options.config.as_str(), quick, &providers, &config(), dear, painter, film, &unfilmed].concat();
    let on = RailConfig { enabled: true, ..RailConfig::default() };
    let chains = Anvil::shared().await.chains(0).await;
    let checkout = Some(Provider::shared().config());
    let topup = tollgate_topup::Config { crypto: on, x402: on, ewallet: on, chains, checkout };
    let gateway = TestGateway::with(Options { config, topup: Some(topup), ..options }).await;
    gateway.upstream.on(answer);
    gateway
}

/// The routed operations of everybody but operators, whose codes are shown by the examples alone.
fn routed() -> Vec<RoutedOperation> {
    let all = tollgate_spec_generator::routed(&root()).expect("the spec is sound");
    all.into_iter().filter(|operation| !is_of_operators(&operation.id)).collect()
}

fn is_of_operators(operation: &str) -> bool {
    operation.starts_with("admin_")
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The cookie of somebody who has just signed in to an account of their own.
pub(crate) async fn signed_in(gateway: &TestGateway) -> String {
    let accounts = &gateway.service().accounts;
    let account = match accounts.find_account(PERSON).await {
        Ok(account) => account,
        Err(_) => {
            let account = accounts.create_account(PERSON, "test").await.expect("a name of its own");
            let password = Secret::new(PASSWORD.to_owned());
            accounts.set_password(account.id, password, "test").await.expect("a password");
            account
        }
    };
    // By no address that any other test comes from.
    let from = Some("192.0.2.77".parse().expect("an address"));
    let begun = accounts.sign_in(&account.name, Secret::new(PASSWORD.to_owned()), from).await.expect("signed in");
    format!("session={}", begun.token.reveal())
}

/// The cookie of the owner of the gateway's own account.
pub(crate) async fn signed_in_to_own(gateway: &TestGateway) -> String {
    let accounts = &gateway.service().accounts;
    accounts.set_password(gateway.account, Secret::new(PASSWORD.to_owned()), "test").await.expect("a password");
    let from = Some("192.0.2.78".parse().expect("an address"));
    let begun = accounts.sign_in("test", Secret::new(PASSWORD.to_owned()), from).await.expect("signed in");
    format!("session={}", begun.token.reveal())
}

/// What an operation is sent that takes the signature of a wallet: of one that nobody has, or of this one, over a text that the
/// service gives.
async fn proof(door: &Door, operation: &str, wallet: &Wallet, cookie: Option<&str>) -> Ask {
    let challenge = if operation == "identities.sign_in" { "identities.challenge" } else { "identities.challenge_own" };
    let named = json!({"chain": wallet.chain(), "address": wallet.address()});
    let request = Ask { body: Some(named), ..Ask::of(challenge, &Names::default()) }.request(&door.url);
    let request = match cookie {
        Some(cookie) => by_session(request, door, cookie),
        None => request,
    };
    let told: Value = door.send(challenge, request).await.json().await.expect("JSON");
    Ask { body: Some(wallet.proof(&told)), ..Ask::of(operation, &Names::default()) }
}

/// What an operation is sent that takes what a browser brings back from the sign-in provider, as this person.
async fn returned(door: &Door, operation: &str, subject: &str, cookie: Option<&str>) -> Ask {
    let begins = if operation == "oidc.link" { "oidc.begin_own" } else { "oidc.begin" };
    let request = Ask::of(begins, &Names::default()).request(&door.url);
    let request = match cookie {
        Some(cookie) => by_session(request, door, cookie),
        None => request,
    };
    let told: Value = door.send(begins, request).await.json().await.expect("JSON");
    let text = |name: &str| told["data"][name].as_str().unwrap_or_else(|| panic!("{told}"));
    let returned = OidcProvider::shared().visit(text("url"), subject).await;
    Ask { body: Some(returned.answer(text("secret"))), ..Ask::of(operation, &Names::default()) }
}

/// A person of the sign-in provider, whose tokens tell the time of this clock.
pub(crate) async fn timely(subject: &str, clock: &Clock) {
    let shift = (clock.now_ms() - Clock::system().now_ms()).div_euclid(1000);
    OidcProvider::shared().person(subject, json!({"test": {"shift": shift}})).await;
}

/// A request of somebody who is signed in, from a page of the service.
fn by_session(request: RequestBuilder, door: &Door, cookie: &str) -> RequestBuilder {
    request.header("cookie", cookie).header("origin", &door.url).header("x-tollgate-csrf", "1")
}

/// The number of an identity of the person.
async fn another_identity(door: &Door, cookie: &str) -> i64 {
    let ask = proof(door, "identities.link", &Wallet::evm(), Some(cookie)).await;
    let reply = door.send("identities.link", by_session(ask.request(&door.url), door, cookie)).await;
    let linked: Value = reply.json().await.expect("JSON");
    linked["data"]["identity_id"].as_i64().unwrap_or_else(|| panic!("{linked}"))
}

/// Another key of the gateway's account.
pub(crate) async fn another_key(gateway: &TestGateway) -> i64 {
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
    gateway.service().accounts.create_key(key, "test").await.expect("a key").key.id.0
}

/// An order of the gateway's account.
pub(crate) async fn topped_up(gateway: &TestGateway) -> String {
    let new = NewOrder {
        account: gateway.account,
        agent: None,
        rail: PaymentRail::Crypto,
        amount: "5".parse().expect("an amount"),
    };
    gateway.service().topups.open(new).await.expect("an order").trade_no
}

/// An agent of the gateway's account.
async fn another_agent(gateway: &TestGateway) -> i64 {
    another_agent_of(gateway, Wallet::evm().registration(PUBLIC_URL)).await
}

/// The one that this registers.
pub(crate) async fn another_agent_of(gateway: &TestGateway, registration: Value) -> i64 {
    let request =
        client().post(gateway.url(AGENTS)).bearer_auth(&gateway.key).header("content-type", "application/json");
    let made: Value =
        request.body(registration.to_string()).send().await.expect("an answer").json().await.expect("JSON");
    made["data"]["agent"]["agent_id"].as_i64().unwrap_or_else(|| panic!("{made}"))
}

/// A team of the organisation of the gateway's account.
pub(crate) async fn another_team(gateway: &TestGateway, name: &str) -> i64 {
    let body = json!({"name": name}).to_string();
    let request =
        client().post(gateway.url(TEAMS)).bearer_auth(&gateway.key).header("content-type", "application/json");
    let made: Value = request.body(body).send().await.expect("an answer").json().await.expect("JSON");
    made["data"]["team_id"].as_i64().unwrap_or_else(|| panic!("{made}"))
}

/// An open invitation to the organisation of the gateway's account: its number, and its secret.
pub(crate) async fn another_invitation(gateway: &TestGateway, role: MemberRole) -> (i64, String) {
    let Service { accounts, organisations, .. } = gateway.service();
    let caller = accounts.authenticate(&gateway.key).await.expect("a key").into();
    let created = organisations.invite(&caller, "another".to_owned(), role).await.expect("an invitation");
    (created.invitation.id, created.token.reveal().to_owned())
}

/// The cookie of a new member of the organisation of the gateway's account who acts for it, and the member's number.
pub(crate) async fn another_member(gateway: &TestGateway, role: MemberRole) -> (String, i64) {
    let Service { accounts, organisations, .. } = gateway.service();
    let (invitation, token) = another_invitation(gateway, role).await;
    let name = format!("member {invitation}");
    let account = accounts.create_account(&name, "test").await.expect("an account").id;
    accounts.set_password(account, Secret::new(PASSWORD.to_owned()), "test").await.expect("a password");
    // By no address that any other test comes from.
    let [.., a, b, c, d] = account.0.to_be_bytes();
    let from = Some(IpAddr::from([0xfd, 2, a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
    let begun = accounts.sign_in(&name, Secret::new(PASSWORD.to_owned()), from).await.expect("signed in");
    let member = organisations.accept(&begun.session.caller(), &token).await.expect("a member");
    (format!("session={}", begun.token.reveal()), member.id.0)
}

/// A response and a receipt of the gateway's account.
async fn kept(gateway: &TestGateway, door: &Door) -> Names {
    let ask = Ask::of("responses.create", &Names::default());
    let reply = ask.request(&door.url).bearer_auth(&gateway.key).send().await.expect("an answer");
    let request = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let whole: Value = reply.json().await.expect("JSON");
    Names { response: whole["id"].as_str().expect("an id").to_owned(), request, ..Names::default() }
}

/// A video that was ordered.
async fn ordered(gateway: &TestGateway, door: &Door) -> String {
    let request = Ask::of("videos.create", &Names::default()).request(&door.url).bearer_auth(&gateway.key);
    let job: Value = door.send("videos.create", request).await.json().await.expect("JSON");
    job["id"].as_str().expect("an id").to_owned()
}

/// A video that is finished.
async fn filmed(gateway: &TestGateway, door: &Door) -> String {
    let video = ordered(gateway, door).await;
    let path = format!("/v1/videos/{video}");
    until("the video", || async {
        let job: Value = gateway.get(&path).send().await.ok()?.json().await.ok()?;
        (job["status"] == "completed").then_some(())
    })
    .await;
    video
}

/// A request of somebody who shows by something else than a password who they are.
async fn shown(gateway: &TestGateway, door: &Door, operation: &str, clock: &Clock) -> RequestBuilder {
    let cookie = signed_in(gateway).await;
    let ask = match operation {
        "identities.sign_in" => proof(door, operation, &Wallet::evm(), None).await,
        "identities.link" => proof(door, operation, &Wallet::solana(77), Some(&cookie)).await,
        "identities.remove" => {
            let path = format!("/api/user/self/identities/{}", another_identity(door, &cookie).await);
            Ask { path, ..Ask::of(operation, &Names::default()) }
        }
        // Who signs in is another account's from then on.
        "oidc.sign_in" => {
            timely("signs in", clock).await;
            returned(door, operation, "signs in", None).await
        }
        "oidc.log_out" => {
            timely("signs out", clock).await;
            people::logged_out("signs out").await
        }
        _ => {
            timely("is linked", clock).await;
            returned(door, operation, "is linked", Some(&cookie)).await
        }
    };
    by_session(ask.request(&door.url), door, &cookie)
}

#[tokio::test]
async fn every_routed_operation_succeeds() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let gateway = gateway(Options { clock: clock.clone(), ..Options::default() }).await;
    let door = Door::open(gateway.service()).await;
    for operation in routed() {
        // One operation forgets the response or the video that another wants to see.
        let names = kept(&gateway, &door).await;
        let about_videos = operation.id.starts_with("video");
        let video = if about_videos { filmed(&gateway, &door).await } else { names.video.clone() };
        let names = Names { video, ..names };
        if operation.id == "sessions.login" {
            // So that there is somebody.
            signed_in(&gateway).await;
        }
        let (key, order) = (another_key(&gateway).await, topped_up(&gateway).await);
        // An account has a bound of them that there are operations beyond.
        let agent = if operation.id.starts_with("agents.") { another_agent(&gateway).await } else { names.agent };
        let team = another_team(&gateway, &operation.id).await;
        let (invitation, token) = another_invitation(&gateway, MemberRole::Viewer).await;
        let (member_cookie, member) = another_member(&gateway, MemberRole::Viewer).await;
        let names = Names { key, agent, team, member, invitation, token, order, ..names };
        let request = Ask::of(&operation.id, &names).request(&door.url);
        let request = if operation.codes.contains("KEY_INVALID") {
            request.bearer_auth(&gateway.key)
        } else if !operation.codes.contains("SESSION_INVALID") {
            request
        } else {
            let own = operation.id.starts_with("console.");
            let cookie = if own { signed_in_to_own(&gateway).await } else { signed_in(&gateway).await };
            request.header("cookie", cookie).header("origin", &door.url).header("x-tollgate-csrf", "1")
        };
        let request = match operation.id.as_str() {
            "identities.sign_in" | "identities.link" | "identities.remove" | "oidc.sign_in" | "oidc.link"
            | "oidc.log_out" => shown(&gateway, &door, &operation.id, &clock).await,
            "x402.pay" => orders::payment(&gateway, &door, 1).await.1,
            "members.leave" => by_session(Ask::of(&operation.id, &names).request(&door.url), &door, &member_cookie),
            "organisations.enter" => {
                let member = gateway.service().accounts.find_account(PERSON).await.expect("an account").id.0;
                let ask = Ask::of(&operation.id, &Names { member, ..names });
                by_session(ask.request(&door.url), &door, &signed_in(&gateway).await)
            }
            "ewallet.notify" => orders::notice(&gateway, &door).await,
            "ewallet.state" => orders::state(&gateway, &door).await,
            "x402.handshake" => orders::payment_by_header(&gateway, &door, 2).await,
            "x402.resume" => {
                let order_id = waiting(&gateway).await.id.0;
                hand.advance_ms(ORDER_VALIDITY_MS);
                let names = Names { order_id, ..Names::default() };
                Ask::of(&operation.id, &names).request(&door.url).bearer_auth(&gateway.key)
            }
            _ => request,
        };
        let reply = door.send(&operation.id, request).await;
        let never = NEVER_SUCCEEDS.iter().any(|(id, _)| *id == operation.id);
        let (status, text) = (reply.status(), reply.text().await.expect("a body"));
        assert_eq!(status.is_success(), !never, "{}: {text}", operation.id);
        assert!(!text.contains("\"success\":false") || never, "{}: {text}", operation.id);
    }
    gateway.assert_books().await;
}

// suite: 40s
#[tokio::test]
async fn every_code_is_told_in_every_shape_that_may_tell_it() {
    let mut cases = Cases::default();
    runtime::run(&mut cases).await;
    own::run(&mut cases).await;
    upstream::run(&mut cases).await;

    let routed = routed();
    let everywhere = tollgate_spec_generator::runtime_codes(&root()).expect("the spec is sound");
    let due: BTreeSet<(String, String)> = routed
        .iter()
        .flat_map(|operation| {
            let codes = operation.codes.union(&everywhere);
            codes.flat_map(|code| operation.envelopes.iter().map(|shape| (shape.clone(), code.clone())))
        })
        .collect();
    let missing: BTreeSet<(&str, &str)> =
        due.difference(&cases.told).map(|(shape, code)| (shape.as_str(), code.as_str())).collect();
    let never = NEVER.iter().flat_map(|(code, shapes, _)| shapes.iter().map(|shape| (*shape, *code))).collect();
    assert_eq!(missing, never, "what no case has shown, beside what cannot be shown");
}
