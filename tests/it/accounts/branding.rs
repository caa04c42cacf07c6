//! Name, logo and colour of a service, on the pages of its operators and of its customers.

use tollgate_accounts::operators::OperatorRole;
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, browser, client, script};

use super::console::rails;

/// What the script has cases for.
const CASES: usize = 4;
/// A name that is no markup.
const NAME: &str = "Acme <b>&</b> Söhne";
/// A picture that would run a script, if it could.
const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"
  onload="this.dataset.planted=1">
<script>document.documentElement.dataset.planted = 1; globalThis.planted = 1; parent.planted = 1</script>
<circle cx="32" cy="32" r="30" fill="#ffcc00"/><path d="M18 34l10 10 20-24" fill="none" stroke="#000" stroke-width="6"/></svg>"##;

// suite: browser 20s
#[tokio::test(flavor = "multi_thread")]
async fn pages_bear_the_branding_of_the_service() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logo = folder.path().join("logo.svg");
    std::fs::write(&logo, LOGO).expect("a file of ours");
    let config = format!("[console]\nname = {NAME:?}\nlogo_file = {logo:?}\naccent = \"#ffcc00\"\n");
    let gateway = TestGateway::with(Options { config, topup: Some(rails()), ..Options::default() }).await;
    // For the charts.
    assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200);
    let operators = &gateway.service().operators;
    let key = operators.create_key("reader", OperatorRole::Reader, None, "test").await.expect("a key").secret;
    let pictures = script::target_folder().join("suite").join("console");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    let env = [
        ("GATEWAY_URL", gateway.url("")),
        ("OPERATOR_KEY", key.reveal().to_owned()),
        ("SCREENSHOTS", pictures.display().to_string()),
        ("NAME", NAME.to_owned()),
        ("FILL", "rgb(255, 204, 0)".to_owned()),
        ("TEXT", "rgb(0, 0, 0)".to_owned()),
        ("LIGHT", "rgb(135, 108, 0)".to_owned()),
        ("DARK", "rgb(255, 204, 0)".to_owned()),
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("branding.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
}

/// Where operators have an address of their own, their pages have the logo there, and those of customers have it within.
#[tokio::test]
async fn the_logo_is_on_both_addresses() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let png = [&b"\x89PNG\r\n\x1a\n"[..], &[7; 32]].concat();
    let logo = folder.path().join("logo.png");
    std::fs::write(&logo, &png).expect("a file of ours");
    let config = format!("[admin]\nlisten = \"127.0.0.1:0\"\n[console]\nlogo_file = {logo:?}\n");
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let operators = |path: &str| gateway.operator_url(path).expect("an address of their own");
    let reply = client().get(operators("/admin/files/logo")).send().await.expect("an answer");
    for (name, value) in [
        ("content-type", "image/png"),
        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(reply.headers()[name], value);
    }
    assert_eq!(reply.bytes().await.expect("a body"), png);
    let text = async |url: String| client().get(url).send().await.expect("an answer").text().await.expect("a page");
    let page = text(operators("/admin")).await;
    assert!(page.contains("<img src=\"/admin/files/logo\" alt=\"\"><span>Tollgate</span>"), "{page}");
    let page = text(gateway.url("/topup/crypto")).await;
    assert!(page.contains("<img src=\"data:image/png;base64,iVBORw0KGgoHBwcH"), "{page}");
    let reply = client().get(gateway.url("/admin/files/logo")).send().await.expect("an answer");
    assert_eq!(reply.status(), 404, "operators are not served there");
}

#[tokio::test]
async fn without_a_logo_there_is_none() {
    let gateway = TestGateway::start().await;
    let reply = client().get(gateway.url("/admin/files/logo")).send().await.expect("an answer");
    assert_eq!(reply.status(), 404);
    let page = client().get(gateway.url("/admin")).send().await.expect("an answer").text().await.expect("a page");
    assert!(page.contains("<title>Sign in – Tollgate</title>") && !page.contains("/admin/files/logo"), "{page}");
}
