//! The console of an account in a browser: somebody opens an account, tops up, makes keys, reads what was charged, and talks with
//! a model.

use serde_json::json;
use tollgate_base::Clock;
use tollgate_tests::chain::Anvil;
use tollgate_tests::checkout::Provider;
use tollgate_tests::gateway::Options;
use tollgate_tests::mail_server::MailServer;
use tollgate_tests::oidc::OidcProvider;
use tollgate_tests::reply::Reply;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{ReplyGate, TestGateway, Upstream, browser, formats, script};

/// What the script has cases for.
const CASES: usize = 16;

// suite: browser 60s
#[tokio::test(flavor = "multi_thread")]
async fn customers_work_in_their_console() {
    let provider = Provider::start(Clock::system(), 1_000_000);
    let mut topup = provider.rails();
    topup.crypto = topup.ewallet;
    topup.chains = Anvil::shared().await.chains(0).await;
    let config = "[accounts]\nregistration = true\n".to_owned();
    let gateway = TestGateway::with(Options { config, topup: Some(topup), ..Options::default() }).await;
    gateway.upstream.on(formats::answer);
    let pictures = script::target_folder().join("suite").join("customers");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    let env = [
        ("GATEWAY_URL", gateway.url("")),
        ("GATEWAY_KEY", gateway.key.clone()),
        ("SCREENSHOTS", pictures.display().to_string()),
        ("SOLANA", Wallet::solana(7).address()),
        ("AGENT", Wallet::evm().registration(&gateway.url("")).to_string()),
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("customers.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
    gateway.assert_books().await;
}

/// What the script about sign-in providers has cases for.
const CASES_OF_PROVIDERS: usize = 12;

/// A person there, and the name of a team: what runs, what leaves an attribute, and what templates fill in.
const GROUPED: &str = "grace \"<i>\"";
const TEAM: &str = r#"<img src=x onerror=planted=1>"'{{7*7}}"#;

// suite: browser 40s
#[tokio::test(flavor = "multi_thread")]
async fn people_sign_in_by_a_provider() {
    let company = OidcProvider::start();
    let config = format!("[accounts]\nregistration = true\n{}", company.config(true));
    let gateway = TestGateway::with(Options { config: config.clone(), ..Options::default() }).await;
    // The number of its account is drawn when it starts.
    let roles =
        format!("[[oidc.roles]]\ngroup = \"staff\"\norganisation = {}\nrole = \"developer\"\n", gateway.account);
    let gateway = gateway.again(&format!("{config}{roles}"), Clock::system()).await;
    let (gate, opener) = (ReplyGate::default(), Upstream::start().await);
    let waits = gate.clone();
    gateway.upstream.on(move |request| {
        let answer = formats::answer(request);
        if String::from_utf8_lossy(&request.body).contains("slow") { answer.after(waits.clone()) } else { answer }
    });
    opener.on(move |_| {
        gate.open();
        Reply::json(200, &json!({}))
    });
    company.person(GROUPED, json!({"groups": ["staff"]})).await;
    let owner = super::sessions::signed_in(&gateway).await.trim_start_matches("session=").to_owned();
    let pictures = script::target_folder().join("suite").join("customers");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    let env = [
        ("GATEWAY_URL", gateway.url("")),
        ("OIDC_URL", company.url.clone()),
        ("GROUPED", GROUPED.to_owned()),
        ("OWNER", owner),
        ("TEAM", TEAM.to_owned()),
        ("GATE_URL", opener.base_url()),
        ("SCREENSHOTS", pictures.display().to_string()),
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("oidc.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES_OF_PROVIDERS));
}

/// What the script about organisations has cases for.
const CASES_OF_ORGANISATIONS: usize = 12;

// suite: browser 40s
#[tokio::test(flavor = "multi_thread")]
async fn owners_and_members_work_in_their_organisation() {
    let mail = MailServer::start("off", None);
    let config = format!(
        "public_url = \"http://gateway.example\"\n[accounts]\nregistration = true\n{}",
        mail.config("127.0.0.1", "off", "")
    );
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let pictures = script::target_folder().join("suite").join("customers");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    let env = [("GATEWAY_URL", gateway.url("")), ("SCREENSHOTS", pictures.display().to_string())];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("organisation.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES_OF_ORGANISATIONS));
    assert_eq!(mail.next()["recipients"], json!(["grace@example.org"]));
    assert!(mail.is_empty(), "nobody else was written to");
}
