//! Pages of other origins, in a browser: what they may call and read, and what is closed to them.

use tollgate_tests::formats::answer;
use tollgate_tests::{TestGateway, browser, script};

const CASES: usize = 4;

// suite: browser 10s
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_any_origin_call_models_and_nothing_else() {
    let gateway = TestGateway::start().await;
    gateway.upstream.on(answer);
    let env = [("GATEWAY_URL", gateway.url("")), ("GATEWAY_KEY", gateway.key.clone())];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("any_origin.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
    gateway.assert_books().await;
}
