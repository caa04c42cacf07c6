//! What the runtime refuses by itself, in front of every operation that can be refused so.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use reqwest::{Body, Method, RequestBuilder};
use tollgate_accounts::{KeyLimits, NewKey};
use tollgate_api::generated::errors::{RULES, envelopes};
use tollgate_api::generated::limits;
use tollgate_api::{Failure, InFlightRequests};
use tollgate_base::{Clock, KeyScope};
use tollgate_spec_generator::RoutedOperation;
use tollgate_tests::checkout::{Posted, paid};
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client};

use super::asks::{Ask, Names};
use super::codes::{Cases, Expected, Shape};
use super::people::logged_out;
use super::{Door, by_session, gateway, returned, routed, signed_in, timely};

/// For what never comes: any time would do.
const SHORT: Duration = Duration::from_millis(10);
/// A number that no account has.
const NOBODY: &str = "4503599627370497";

pub(super) async fn run(cases: &mut Cases) {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let gateway = gateway(Options { clock, ..Options::default() }).await;
    let routed = routed();
    let asks: Vec<(&RoutedOperation, Ask)> =
        routed.iter().map(|operation| (operation, Ask::of(&operation.id, &Names::default()))).collect();
    let with_key: Vec<(&RoutedOperation, Ask)> =
        asks.iter().filter(|(operation, _)| operation.codes.contains("KEY_INVALID")).cloned().collect();
    let door = Door::open(gateway.service()).await;

    let (expiring, _) = key(&gateway, Some(1_800_000_001_000)).await;
    let (revoked, id) = key(&gateway, None).await;
    gateway.service().accounts.revoke_key(&id, "test").await.expect("revoked");
    hand.advance_ms(1_000);
    for (operation, ask) in &with_key {
        keys(cases, &door, operation, ask, [&expiring, &revoked]).await;
    }
    scopes(cases, &gateway, &door, &with_key).await;
    sessions(cases, &gateway, &door, &asks).await;
    for (operation, ask) in asks.iter().filter(|(operation, ask)| ask.body.is_some() && !is_by_session(operation)) {
        bodies(cases, &gateway, &door, operation, ask).await;
    }
    headers_and_parameters(cases, &gateway, &door).await;
    paths(cases, &door, &asks).await;
    bounds(cases, &gateway, &asks).await;
    rendered(cases);
    ledger_lost(cases, gateway, &asks).await;
}

/// A further key of the account, and its id.
async fn key(gateway: &TestGateway, expires_at_ms: Option<i64>) -> (String, String) {
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms };
    let created = gateway.service().accounts.create_key(key, "test").await.expect("a key");
    (created.secret.reveal().to_owned(), created.key.id.to_string())
}

/// Sends a request of an operation, and sees that it is refused so in the operation's shape.
async fn refused(
    cases: &mut Cases,
    door: &Door,
    operation: &RoutedOperation,
    request: RequestBuilder,
    code: &'static str,
) {
    let reply = door.send(&operation.id, request).await;
    cases.answered(Expected::new(Shape::of(&operation.id), code), reply).await;
}

async fn keys(cases: &mut Cases, door: &Door, operation: &RoutedOperation, ask: &Ask, [expired, revoked]: [&str; 2]) {
    let request = || ask.request(&door.url);
    refused(cases, door, operation, request(), "KEY_MISSING").await;
    refused(cases, door, operation, request().bearer_auth("sk-nobody"), "KEY_INVALID").await;
    refused(cases, door, operation, request().bearer_auth(revoked), "KEY_DISABLED").await;
    refused(cases, door, operation, request().bearer_auth(expired), "KEY_EXPIRED").await;
    if operation.codes.contains("SESSION_INVALID") {
        let request = request().header("origin", &door.url).header("x-tollgate-csrf", "1");
        refused(cases, door, operation, request.header("cookie", "session=x"), "SESSION_INVALID").await;
    } else if operation.id != "standing.get" {
        // That one takes a key in one place alone.
        let two = request().bearer_auth("sk-one").header("x-api-key", "sk-two");
        refused(cases, door, operation, two, "BAD_PARAMETER").await;
    }
}

/// By keys that are for one other operation, and for another address.
async fn scopes(cases: &mut Cases, gateway: &TestGateway, door: &Door, asks: &[(&RoutedOperation, Ask)]) {
    let operations = Some(vec!["receipts.get".to_owned()]);
    let elsewhere = Some(vec!["192.0.2.1".parse().expect("an address")]);
    let one = limited_key(gateway, KeyScope { operations, ..KeyScope::default() }).await;
    let there = limited_key(gateway, KeyScope { addresses: elsewhere, ..KeyScope::default() }).await;
    for (operation, ask) in asks {
        let request = || ask.request(&door.url);
        refused(cases, door, operation, request().bearer_auth(&there), "ADDRESS_NOT_ALLOWED").await;
        if operation.id != "receipts.get" {
            refused(cases, door, operation, request().bearer_auth(&one), "OPERATION_NOT_ALLOWED").await;
        }
    }
}

async fn limited_key(gateway: &TestGateway, scope: KeyScope) -> String {
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
    let limits = KeyLimits { scope, ..KeyLimits::default() };
    let created = gateway.service().accounts.create_limited_key(key, limits, "test").await.expect("a key");
    created.secret.reveal().to_owned()
}

/// By a session beside somebody else's key, from a page that was made for another account, and from one that is not ours.
async fn sessions(cases: &mut Cases, gateway: &TestGateway, door: &Door, asks: &[(&RoutedOperation, Ask)]) {
    let cookie = signed_in(gateway).await;
    for (operation, ask) in asks.iter().filter(|(operation, _)| operation.codes.contains("SESSION_INVALID")) {
        let request = || ask.request(&door.url).header("cookie", &cookie);
        if operation.codes.contains("CALLER_CONFLICT") {
            let older = by_session(ask.request(&door.url), door, &cookie).header("x-tollgate-account", NOBODY);
            refused(cases, door, operation, older, "CALLER_CONFLICT").await;
        }
        if operation.codes.contains("CALLER_CONFLICT") && !is_by_session(operation) {
            refused(cases, door, operation, request().bearer_auth(&gateway.key), "CALLER_CONFLICT").await;
        }
        if operation.codes.contains("ORIGIN_REFUSED") {
            refused(cases, door, operation, request(), "ORIGIN_REFUSED").await;
        }
    }
}

/// A request of an operation with a key, for a body that is said to be JSON.
fn with_type(ask: &Ask, door: &Door, key: &str) -> RequestBuilder {
    ask.head(&door.url).bearer_auth(key).header("content-type", "application/json")
}

/// True for an operation that takes a session and no key.
fn is_by_session(operation: &RoutedOperation) -> bool {
    operation.codes.contains("SESSION_INVALID") && !operation.codes.contains("KEY_INVALID")
}

/// A body that never comes.
fn never() -> Body {
    Body::wrap_stream(stream::pending::<Result<Bytes, std::io::Error>>())
}

async fn bodies(cases: &mut Cases, gateway: &TestGateway, door: &Door, operation: &RoutedOperation, ask: &Ask) {
    let json = || with_type(ask, door, &gateway.key);
    let large = json().header("content-length", limits::MEDIA_BODY + 1).body(never());
    refused(cases, door, operation, large, "BODY_TOO_LARGE").await;
    let impatient = Door::with(gateway.service(), |config| config.body_idle_timeout = SHORT).await;
    let silent = with_type(ask, &impatient, &gateway.key).body(never());
    refused(cases, &impatient, operation, silent, "BODY_TIMEOUT").await;
    if ["x402.pay", "ewallet.notify", "oidc.log_out"].contains(&operation.id.as_str()) {
        // It reads bytes, and what is wrong with them is told in its own words.
        return;
    }
    refused(cases, door, operation, json().body("{"), "BAD_JSON").await;
    if !["keys.change", "agents.change", "organisation.change", "teams.change", "members.change"]
        .contains(&operation.id.as_str())
    {
        // Whoever changes nothing may.
        refused(cases, door, operation, json().body("{}"), "MISSING_FIELD").await;
    }
    refused(
        cases,
        door,
        operation,
        json().body(r#"{"model":7,"contents":7,"content":7,"requests":7,"input":7,"prompt":7,"label":7,"email":7,"name":7,"invited":7,"role":7,"token":7,"amount_usd":[]}"#),
        "BAD_FIELD",
    )
    .await;
    let text = ask.head(&door.url).bearer_auth(&gateway.key).header("content-type", "text/plain").body("{}");
    refused(cases, door, operation, text, "BAD_CONTENT_TYPE").await;
}

async fn headers_and_parameters(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let names = Names::default();
    let version = Ask { headers: Vec::new(), ..Ask::of("messages.create", &names) };
    let reply = door.send("messages.create", version.request(&door.url).bearer_auth(&gateway.key)).await;
    cases.answered(Expected::new(Shape::A, "MISSING_HEADER"), reply).await;
    for (operation, path, headers) in [
        ("receipts.get", "/api/user/self/receipts/%ff", vec![]),
        ("x402.pay", "/api/x402/pay/none", vec![]),
        ("receipts.list", "/api/user/self/receipts?from=yesterday", vec![]),
        ("usage.get", "/api/user/self/usage?from=2026-02-30", vec![]),
        ("usage.get", "/api/user/self/usage?format=xml", vec![]),
        ("billing.usage", "/v1/dashboard/billing/usage?start_date=1", vec![]),
        ("usage.get", "/api/user/self/usage?group_by=day,nothing", vec![]),
        ("models.list", "/v1/models?limit=0", vec![("anthropic-version", "x")]),
        ("responses.input_items", "/v1/responses/x/input_items?limit=0", vec![]),
    ] {
        let shape = if headers.is_empty() { Shape::of(operation) } else { Shape::A };
        let ask = Ask { path: path.to_owned(), headers, ..Ask::of(operation, &names) };
        let reply = door.send(operation, ask.request(&door.url).bearer_auth(&gateway.key)).await;
        cases.answered(Expected::new(shape, "BAD_PARAMETER"), reply).await;
    }
}

/// Before an operation is found, the request's family says in which shape.
async fn paths(cases: &mut Cases, door: &Door, asks: &[(&RoutedOperation, Ask)]) {
    let shape = |request: &reqwest::Request| match RULES
        .family(&request.url().as_str().parse().expect("a target"), request.headers())
        .name
    {
        "a" => Shape::A,
        "account" => Shape::Account,
        "g" => Shape::G,
        "video_create" => Shape::VideoCreate,
        "x402_pay" => Shape::Pay,
        _ => Shape::O,
    };
    for (_, ask) in asks {
        let other = Ask { method: Method::PUT, ..ask.clone() };
        let shape = shape(&other.request(&door.url).build().expect("a request"));
        let reply = door.send("", other.request(&door.url)).await;
        cases.answered(Expected::new(shape, "METHOD_NOT_ALLOWED"), reply).await;
    }
    for path in [
        "/nothing",
        "/v1/nothing",
        "/v1/messages/nothing",
        "/v1beta/nothing",
        "/api/nothing",
        "/api/x402/pay/a/b",
        "/videoA/nothing",
    ] {
        let url = format!("{}{path}", door.url);
        let plain = client().get(&url);
        let shape = shape(&plain.try_clone().and_then(|plain| plain.build().ok()).expect("a request"));
        let reply = door.send("", plain).await;
        cases.answered(Expected::new(shape, "ROUTE_NOT_FOUND"), reply).await;
        let large = client().get(&url).header("x-pad", "p".repeat(limits::HEADER_BYTES));
        let reply = door.send("", large).await;
        cases.answered(Expected::new(shape, "HEADERS_TOO_LARGE"), reply).await;
    }
}

/// With no place, and with hardly any time for a body that never comes.
async fn bounds(cases: &mut Cases, gateway: &TestGateway, asks: &[(&RoutedOperation, Ask)]) {
    let full = Door::with(gateway.service(), |config| config.places = InFlightRequests::new(0, 0)).await;
    for (operation, ask) in asks.iter().filter(|(operation, _)| !operation.id.starts_with("service.")) {
        refused(cases, &full, operation, ask.request(&full.url), "OVERLOADED").await;
    }
    let crowded = Door::with(gateway.service(), |config| config.places = InFlightRequests::new(100, 0)).await;
    for (operation, ask) in asks.iter().filter(|(operation, _)| operation.codes.contains("KEY_INVALID")) {
        refused(cases, &crowded, operation, ask.request(&crowded.url).bearer_auth(&gateway.key), "RATE_LIMITED").await;
    }
    let hasty = Door::with(gateway.service(), |config| {
        config.request_timeout = SHORT;
        config.proxy_timeout = SHORT;
    })
    .await;
    for (operation, ask) in asks.iter().filter(|(operation, ask)| ask.body.is_some() && !is_by_session(operation)) {
        let request = with_type(ask, &hasty, &gateway.key).body(never());
        refused(cases, &hasty, operation, request, "REQUEST_TIMEOUT").await;
    }
}

/// No handler panics that a test could ask. That a panic is survived is seen on the small spec; here, what is said of it.
fn rendered(cases: &mut Cases) {
    let request_id = "req_00000000000000000000000000".parse().expect("an id");
    for (shape, envelope) in [
        (Shape::A, &envelopes::A),
        (Shape::Account, &envelopes::ACCOUNT),
        (Shape::G, &envelopes::G),
        (Shape::O, &envelopes::O),
        (Shape::Pay, &envelopes::X402_PAY),
        (Shape::VideoCreate, &envelopes::VIDEO_CREATE),
    ] {
        let (status, mut headers, body) = Failure::new(RULES.framework.panic).render(envelope, &request_id);
        // The router's part.
        headers.insert("x-request-id", request_id.as_str().parse().expect("a value"));
        cases.told(Expected::new(shape, "INTERNAL"), status, &headers, &body, "rendered");
    }
}

/// The ledger is closed under a listener that is still open: the service was told to stop, which it says when asked.
async fn ledger_lost(cases: &mut Cases, gateway: TestGateway, asks: &[(&RoutedOperation, Ask)]) {
    let door = Door::open(gateway.service()).await;
    // Never shown before, so that it is known from nowhere else.
    let key = gateway.new_key().await;
    let cookie = signed_in(&gateway).await;
    timely("late", &gateway.service().account_pages.clock).await;
    let signs_in = returned(&door, "oidc.sign_in", "late", None).await;
    let signs_out = logged_out("late").await;
    let _folder = gateway.stop().await;
    for (operation, ask) in asks.iter().filter(|(operation, _)| operation.codes.contains("LEDGER_UNAVAILABLE")) {
        // Nobody's sign-in and sign-out get so far, but those that a provider vouches for.
        let ask = match &*operation.id {
            "oidc.sign_in" => &signs_in,
            "oidc.log_out" => &signs_out,
            _ => ask,
        };
        let request = ask.request(&door.url).bearer_auth(&key).header("origin", &door.url);
        // A notice gets so far only when it is proven.
        let notice = Posted::signed(paid("tg0", "P0", "500").to_string(), 1_800_000_001_000).to(&door.url);
        let request = if operation.id == "ewallet.notify" { notice } else { request };
        // Only a sign-out needs it.
        let request = request.header("cookie", &cookie).header("x-tollgate-csrf", "1");
        let code = if operation.id == "service.ready" { "SHUTTING_DOWN" } else { "LEDGER_UNAVAILABLE" };
        refused(cases, &door, operation, request, code).await;
    }
}
