//! The checkout page in a browser, as people use it.

use tollgate_tests::reply::Reply;
use tollgate_tests::{Upstream, browser, script};

use super::*;
use crate::spec::answers::{signed_in, signed_in_to_own};

/// Wallets of the catalogue.
const WALLETS: usize = 14;
/// Cases beside those of each wallet.
const BESIDE: usize = 6;

// suite: browser 30s
#[tokio::test(flavor = "multi_thread")]
async fn people_pay_and_refuse_with_each_wallet() {
    let shop = Upstream::start().await;
    let page = b"<!doctype html><html lang=\"en\"><link rel=\"icon\" href=\"data:,\"><h1>Back at the shop</h1>";
    shop.on(move |_| Reply::raw(200, "text/html", page.to_vec()));
    let provider = Provider::start(Clock::system(), 1_000_000);
    let mut topup = provider.rails();
    let checkout = topup.checkout.as_mut().expect("a provider");
    checkout.return_url = Some(format!("{}/paid/{{trade_no}}", shop.base_url()));
    let gateway = TestGateway::with(Options { credit: "0", topup: Some(topup), ..Options::default() }).await;
    let (url, key, shop_url) = (gateway.url(""), gateway.key.clone(), shop.base_url());
    let output = tokio::task::spawn_blocking(move || {
        browser::run("checkout.js", &[("GATEWAY_URL", &url), ("GATEWAY_KEY", &key), ("SHOP_URL", &shop_url)])
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(2 * WALLETS + BESIDE));
    // Each wallet once, two windows, the keyboard.
    assert_eq!(amount(&gateway.balance().await["quota_usd"]), "80");
    gateway.assert_books().await;
}

/// Cases of the page that people return to.
const RETURNS: usize = 17;

// suite: browser 45s
#[tokio::test(flavor = "multi_thread")]
async fn people_see_how_their_payment_stands_when_they_come_back() {
    let house = House::open().await;
    // The script asks for time to go by.
    let clock = Upstream::start().await;
    let hand = house.hand.clone();
    clock.on(move |request| {
        let seconds = request.line.split(['/', ' ']).find_map(|part| part.parse::<i64>().ok());
        hand.advance_ms(1_000 * seconds.expect("how many"));
        Reply::json(200, &json!({"success": true, "data": {}}))
    });
    let value = |cookie: String| cookie.trim_start_matches("session=").to_owned();
    let env = [
        ("GATEWAY_URL", house.gateway.url("")),
        ("GATEWAY_KEY", house.gateway.key.clone()),
        ("SESSION", value(signed_in_to_own(&house.gateway).await)),
        ("STRANGER", value(signed_in(&house.gateway).await)),
        ("CLOCK_URL", clock.base_url()),
        ("LOOKS", looks()),
        ("SCREENSHOTS", std::env::var("UPDATE_SCREENSHOTS").map(|_| screenshots()).unwrap_or_default()),
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("returns.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(RETURNS));
    house.gateway.assert_books().await;
}

/// The folder in which pictures of each state lie after a run.
fn looks() -> String {
    let pictures = script::target_folder().join("suite").join("topups");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    pictures.display().to_string()
}

/// Where pictures of the pages are kept.
fn screenshots() -> String {
    format!("{}/screenshots", env!("CARGO_MANIFEST_DIR"))
}
