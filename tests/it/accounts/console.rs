//! The operator's console in a browser: an owner who was invited makes accounts, moves credit, and invites others.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use tollgate_accounts::operators::OperatorRole;
use tollgate_base::Clock;
use tollgate_tests::gateway::Options;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::Reply;
use tollgate_tests::{TestGateway, Upstream, browser, client, script, totp};

/// What the script has cases for.
const CASES: usize = 8;
/// The time of one code.
const STEP_MS: i64 = 30_000;

// suite: browser 60s
#[tokio::test(flavor = "multi_thread")]
async fn operators_work_in_the_console() {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let gateway = TestGateway::with(Options { clock: clock.clone(), ..Options::default() }).await;
    let operators = &gateway.service().operators;
    let invited = operators.create_person("ada", OperatorRole::Owner, "test").await.expect("an invitation");
    // The app that shows codes: each one is asked for in a time of its own, since it is taken once.
    let app = Upstream::start().await;
    app.on(move |request| {
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
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("console.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
    gateway.assert_books().await;
}

/// The operations that the forms of a page call.
fn forms(page: &str) -> BTreeSet<String> {
    let called = page.split(" data-api=\"").skip(1).filter_map(|rest| rest.split('"').next());
    called.map(str::to_owned).collect()
}

/// A path whose numbers are left out.
fn template(path: &str) -> String {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = path.split('/').map(|part| if number(part) { "{}" } else { part }).collect();
    parts.join("/")
}

#[tokio::test]
async fn a_role_is_shown_the_forms_that_it_may_send() {
    shows_what_a_role_may(String::new()).await;
}

#[tokio::test]
async fn a_role_is_shown_the_forms_that_it_may_send_on_a_database_server_too() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    shows_what_a_role_may(format!("[database]\nurl = {url:?}\n")).await;
}

async fn shows_what_a_role_may(config: String) {
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let operators = &gateway.service().operators;
    let person = operators.create_person("ada", OperatorRole::Support, "test").await.expect("an invitation").operator;
    let pages = [
        "/admin/overview".to_owned(),
        "/admin/accounts".to_owned(),
        format!("/admin/accounts/{}", gateway.account),
        "/admin/operators".to_owned(),
        format!("/admin/operators/{}", person.id),
        "/admin/changes".to_owned(),
    ];
    let accounts = ["POST /api/admin/accounts", "PATCH /api/admin/accounts/{}"];
    let credit = ["POST /api/admin/accounts/{}/grants", "POST /api/admin/accounts/{}/takings"];
    let keys = ["POST /api/admin/accounts/{}/keys", "DELETE /api/admin/keys/{}"];
    let people =
        ["POST /api/admin/operators", "PATCH /api/admin/operators/{}", "POST /api/admin/operators/{}/invitation"];
    for (role, shown) in [
        (OperatorRole::Owner, [&accounts[..], &credit, &keys, &people].concat()),
        (OperatorRole::Operator, [&accounts[..], &keys].concat()),
        (OperatorRole::Finance, credit.to_vec()),
        (OperatorRole::Support, keys.to_vec()),
        (OperatorRole::Reader, Vec::new()),
    ] {
        // One that is not revoked.
        gateway.new_key().await;
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
