//! The operator's console in a browser: an owner who was invited makes accounts, moves credit, puts models on offer, decides on a
//! payment, and invites others.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Map, Value, json};
use tollgate_accounts::operators::OperatorRole;
use tollgate_base::{Clock, OrderId, Secret};
use tollgate_catalog::{CatalogChange, EntryBody, EntryKind, EntryName, ExpectedEntry, SecretChange};
use tollgate_telemetry::{AlarmFeed, AlarmIdentity, AlarmRings};
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::Options;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::Reply;
use tollgate_tests::wait::until;
use tollgate_tests::{TestGateway, Upstream, browser, client, script, totp};
use tollgate_topup::{CreditAmount, NewOrder, NewPayment, PaymentAnomaly, PaymentRail, RailConfig, ResolveRequest};

/// What the script has cases for.
const CASES: usize = 17;
/// What the script plants, too.
const PLANTED: &str = r#"<script>planted=1</script><img src=x onerror=planted=1>"'{{7*7}}"#;
/// The time of one code.
const STEP_MS: i64 = 30_000;

// suite: browser 60s
#[tokio::test(flavor = "multi_thread")]
async fn operators_work_in_the_console() {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let options = Options { clock: clock.clone(), topup: Some(rails()), ..Options::default() };
    let gateway = TestGateway::with(options).await;
    let operators = &gateway.service().operators;
    let invited = operators.create_person("ada", OperatorRole::Owner, "test").await.expect("an invitation");
    // The app that shows codes: each one is asked for in a time of its own, since it is taken once.
    let app = Upstream::start().await;
    let alarms = gateway.service().alarms.feed().clone();
    ring(&alarms, &format!("network=eip155:8453 entry={PLANTED}"));
    app.on(move |request| {
        if request.line.contains("/ring") {
            ring(&alarms, "");
            return Reply::json(200, &json!({}));
        }
        let secret = request.line.split(['/', ' ']).rfind(|part| part.len() == 32).expect("a secret");
        hand.advance_ms(STEP_MS);
        Reply::json(200, &json!({"code": totp::code(secret, clock.now_ms())}))
    });
    let pictures = script::target_folder().join("suite").join("console");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    let env = [
        ("GATEWAY_URL", gateway.url("")),
        ("GATEWAY_KEY", gateway.key.clone()),
        ("INVITATION", invited.invitation.reveal().to_owned()),
        ("CODES_URL", app.base_url()),
        ("SCREENSHOTS", pictures.display().to_string()),
        ("PROVIDER_URL", gateway.upstream.base_url()),
        ("ACCOUNT", gateway.account.to_string()),
        ("ORDER", set_aside_order(&gateway, payment("0xf1")).await.to_string()),
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("console.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
    gateway.assert_books().await;
}

/// An alarm of the account that pays fees.
fn ring(alarms: &AlarmFeed, subject: &str) {
    let (alarm, message) = ("relayer".to_owned(), "our account on a chain is empty".to_owned());
    let identity = AlarmIdentity { alarm, subject: subject.to_owned(), message };
    let now_ms = Clock::system().now_ms();
    alarms.ring(identity, AlarmRings { count: 1, first_ms: now_ms, last_ms: now_ms, fields: Map::new() });
}

/// Has an alarm open.
async fn rings(gateway: &TestGateway, watcher: &Secret) {
    let alarms = &gateway.service().alarms;
    ring(alarms.feed(), "");
    until("the alarm", async || {
        alarms.record().await.expect("written down");
        let open = client().get(gateway.url("/api/admin/alarms?state=open")).bearer_auth(watcher.reveal());
        let open: Value = open.send().await.ok()?.json().await.ok()?;
        open["data"]["alarms"].get(0).map(drop)
    })
    .await;
}

/// A rail without a chain: orders can be made on it, and nothing comes for them.
pub(crate) fn rails() -> tollgate_topup::Config {
    let crypto = RailConfig { enabled: true, ..RailConfig::default() };
    tollgate_topup::Config { crypto, ..tollgate_topup::Config::default() }
}

/// A payment of 5 USD on a chain.
pub(crate) fn payment(reference: &str) -> NewPayment {
    NewPayment {
        source: "eip155:1".to_owned(),
        reference: reference.to_owned(),
        asset: "0xa0".to_owned(),
        amount: "5000000".to_owned(),
        payer: None,
        receipt: None,
    }
}

/// An order of 5 USD, whose payment waits for a decision.
pub(crate) async fn set_aside_order(gateway: &TestGateway, payment: NewPayment) -> OrderId {
    let topups = &gateway.service().topups;
    let (rail, amount) = (PaymentRail::Crypto, "5".parse().expect("an amount"));
    let order =
        topups.open(NewOrder { account: gateway.account, agent: None, rail, amount }).await.expect("an order").id;
    topups.claim_carried(order, &payment, async |_, _| Ok(())).await.expect("it is claimed");
    let transfers = [format!("{}#0", payment.reference)];
    let (anomaly, code) = (PaymentAnomaly::Unnamed, "X402_PAYMENT_SET_ASIDE");
    let aside = topups.set_aside(anomaly, &payment.source, &payment.reference, &transfers, code).await;
    assert!(aside.expect("a ledger").is_some());
    order
}

/// The number of the order whose payment was credited by hand.
async fn credited_order(gateway: &TestGateway) -> OrderId {
    let order = set_aside_order(gateway, payment("0xf2")).await;
    let topups = &gateway.service().topups;
    let payments = topups.unresolved().await.expect("a ledger");
    let payment = payments.iter().find(|payment| payment.order == order).expect("it is set aside").id;
    let credit = Some(CreditAmount::OfOrder);
    topups.resolve(ResolveRequest { payment, credit, actor: "test".into(), reason: "a test" }).await.expect("credited");
    order
}

/// What operators have put on offer, and its pages.
pub(crate) async fn offer(gateway: &TestGateway) -> [String; 6] {
    let offered = [
        (EntryKind::Provider, "alpha", json!({"base_url": gateway.upstream.base_url()})),
        (EntryKind::Price, "swift", json!({"prompt": "0.15", "completion": "0.6"})),
        (
            EntryKind::Model,
            "quick",
            json!({"context_tokens": 1000, "max_output_tokens": 100, "listed_as": "swift", "candidates": [{"upstream": "alpha"}]}),
        ),
        (EntryKind::Group, "partners", json!({"ratio": "0.9"})),
    ];
    let change = |(kind, name, written): (EntryKind, &str, Value)| CatalogChange {
        name: EntryName::new(kind, name),
        body: Some(EntryBody::read(kind, &written.to_string()).expect("keys of the configuration")),
        expected: ExpectedEntry::Absent,
        secret: SecretChange::Keep,
    };
    let changes = offered.into_iter().map(change).collect();
    gateway.service().catalog.change(changes, "test".into()).await.expect("it is on offer");
    ["providers", "providers/alpha", "models", "models/quick", "prices", "prices/swift"]
        .map(|page| format!("/admin/{page}"))
}

/// The operations that the forms of a page call.
fn forms(page: &str) -> BTreeSet<String> {
    let called = page.split(" data-api=\"").skip(1).filter_map(|rest| rest.split('"').next());
    called.map(str::to_owned).collect()
}

/// A path whose numbers and names are left out. What one role has drained, the next one resumes.
fn template(path: &str) -> String {
    let name = |part: &str| ["alpha", "quick", "swift", "partners", "default"].contains(&part);
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = path.split('/').map(|part| if name(part) || number(part) { "{}" } else { part }).collect();
    parts.join("/").replace("/resume", "/drain")
}

/// The forms for what is on offer.
const OFFER: [&str; 15] = [
    "POST /api/admin/providers",
    "PUT /api/admin/providers/{}",
    "DELETE /api/admin/providers/{}",
    "POST /api/admin/providers/{}/drain",
    "POST /api/admin/providers/{}/tests",
    "POST /api/admin/models",
    "PUT /api/admin/models/{}",
    "DELETE /api/admin/models/{}",
    "POST /api/admin/prices",
    "POST /api/admin/prices/{}/versions",
    "DELETE /api/admin/prices/{}",
    "POST /api/admin/price_list",
    "POST /api/admin/groups",
    "PUT /api/admin/groups/{}",
    "DELETE /api/admin/groups/{}",
];

#[tokio::test]
async fn a_role_is_shown_the_forms_that_it_may_send() {
    shows_what_a_role_may(String::new(), (&["POST /api/admin/jobs/backup"], &[])).await;
}

#[tokio::test]
async fn a_role_is_shown_the_forms_that_it_may_send_on_a_database_server_too() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    // A month is taken out by an owner alone.
    shows_what_a_role_may(format!("[database]\nurl = {url:?}\n"), (&[], &["POST /api/admin/jobs/archive"])).await;
}

/// `copies` are the forms of jobs that this ledger takes beside those of all ledgers: of operators, and of owners alone.
async fn shows_what_a_role_may(config: String, copies: (&[&'static str], &[&'static str])) {
    let gateway = TestGateway::with(Options { config, topup: Some(rails()), ..Options::default() }).await;
    let operators = &gateway.service().operators;
    let orders = [set_aside_order(&gateway, payment("0xf1")).await, credited_order(&gateway).await];
    let orders = orders.map(|order| format!("/admin/orders/{order}"));
    let person = operators.create_person("ada", OperatorRole::Support, "test").await.expect("an invitation").operator;
    let watcher = operators.create_key("watcher", OperatorRole::Reader, None, "test").await.expect("a key").secret;
    let mut pages = vec![
        "/admin/overview".to_owned(),
        "/admin/accounts".to_owned(),
        format!("/admin/accounts/{}", gateway.account),
        "/admin/operators".to_owned(),
        format!("/admin/operators/{}", person.id),
        "/admin/changes".to_owned(),
        "/admin/payments".to_owned(),
        "/admin/ledger".to_owned(),
        format!("/admin/ledger?account={}", gateway.account),
        "/admin/alarms".to_owned(),
        "/admin/settings".to_owned(),
    ];
    pages.extend(offer(&gateway).await.into_iter().chain(orders));
    let accounts = ["POST /api/admin/accounts", "PATCH /api/admin/accounts/{}"];
    let credit = ["POST /api/admin/accounts/{}/grants", "POST /api/admin/accounts/{}/takings"];
    let keys = ["POST /api/admin/accounts/{}/keys", "PATCH /api/admin/keys/{}", "DELETE /api/admin/keys/{}"];
    let people =
        ["POST /api/admin/operators", "PATCH /api/admin/operators/{}", "POST /api/admin/operators/{}/invitation"];
    let secrets = ["POST /api/admin/secrets/reseal"];
    let read = ["POST /api/admin/models/{}/quotes", "POST /api/admin/price_list/comparison"];
    let payments = ["POST /api/admin/payments/{}/resolution", "POST /api/admin/payments/{}/reversals"];
    let comparison = ["POST /api/admin/jobs/reconciliation"];
    let upkeep = ["POST /api/admin/alarms/{}/acknowledgement", "POST /api/admin/jobs/audit", "POST /api/admin/reload"];
    let upkeep = [&upkeep[..], &comparison, copies.0].concat();
    let all = [&accounts[..], &credit, &keys, &people, &OFFER, &secrets, &payments, &upkeep, copies.1, &read].concat();
    for (role, shown) in [
        (OperatorRole::Owner, all),
        (OperatorRole::Operator, [&accounts[..], &keys, &OFFER, &upkeep, &read].concat()),
        (OperatorRole::Finance, [&credit[..], &payments, &comparison, &read].concat()),
        (OperatorRole::Support, [&keys[..], &read].concat()),
        (OperatorRole::Reader, read.to_vec()),
    ] {
        // One that is not revoked, and an alarm that is not acknowledged.
        gateway.new_key().await;
        rings(&gateway, &watcher).await;
        let key = operators.create_key(role.as_str(), role, None, "test").await.expect("a key").secret;
        let mut found = BTreeSet::new();
        for path in &pages {
            let reply = client().get(gateway.url(path)).bearer_auth(key.reveal()).send().await.expect("an answer");
            assert_eq!(reply.status(), 200, "{role}: {path}");
            assert_eq!(reply.headers()["cache-control"], "no-store");
            let policy = reply.headers()["content-security-policy"].to_str().expect("text");
            assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
            found.append(&mut forms(&reply.text().await.expect("a page")));
        }
        let templates: BTreeSet<String> = found.iter().map(|form| template(form)).collect();
        assert_eq!(templates, shown.into_iter().map(str::to_owned).collect(), "{role}");
        for form in found {
            let (method, path) = form.split_once(' ').expect("a method and a path");
            let request = client().request(method.parse::<Method>().expect("a method"), gateway.url(path));
            let request = request.bearer_auth(key.reveal()).header("content-type", "application/json").body("{}");
            let told: Value = request.send().await.expect("an answer").json().await.expect("JSON");
            assert_ne!(told["code"], "OPERATOR_ROLE", "{role}: {form}");
        }
    }
    // For all others the pages are not there.
    for path in &pages {
        let reply = client().get(gateway.url(path)).bearer_auth(&gateway.key).send().await.expect("an answer");
        assert_eq!(reply.status(), 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_shows_no_form_that_it_would_refuse() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    let started = tokio::task::spawn_blocking(move || {
        let (ok, made) = run_json(&["operator", "create", "root", "--key", "--role", "owner", "--data", &data]);
        assert!(ok, "{made}");
        (Served::start(&["--data", &data]), made["key"].as_str().expect("a key").to_owned())
    });
    let (served, key) = started.await.expect("no panic");
    let mut found = BTreeSet::new();
    for page in ["providers", "models", "prices"] {
        let reply = client().get(format!("{}/admin/{page}", served.url())).bearer_auth(&key).send().await;
        let text = reply.expect("an answer").text().await.expect("a page");
        assert!(text.contains("id=\"sandbox\""), "{page} says why: {text}");
        found.append(&mut forms(&text));
    }
    // A comparison changes nothing.
    assert_eq!(found, BTreeSet::from(["POST /api/admin/price_list/comparison".to_owned()]));
}
