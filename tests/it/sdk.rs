//! The official SDKs against the gateway, unchanged.

use tollgate_server::accounts::NewKey;
use tollgate_tests::reply::{Reply, chat_stream, completion};
use tollgate_tests::{TestGateway, python};

const CASES: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_of_format_o_works_unchanged() {
    let gateway = TestGateway::start().await;
    gateway.upstream.on(|request| {
        if String::from_utf8_lossy(&request.body).contains("\"stream\":true") {
            Reply::stream(chat_stream(&["hello", " there", " friend"], 9, 3))
        } else {
            Reply::json(200, &completion("hello there friend", 9, 3))
        }
    });
    let accounts = gateway.service().accounts.clone();
    let account = accounts.create_account("poor", "test").await.expect("an account").id;
    let poor = NewKey { account, label: String::new(), expires_at_ms: None };
    let poor = accounts.create_key(poor, "test").await.expect("a key").secret;
    let (url, key) = (gateway.url(""), gateway.key.clone());
    let ran = tokio::task::spawn_blocking(move || {
        let env = [("GATEWAY_URL", url.as_str()), ("GATEWAY_KEY", &key), ("GATEWAY_POOR_KEY", poor.reveal())];
        python::run("openai_chat.py", &env)
    });
    let output = ran.await.expect("the script ran");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert_eq!(out.lines().filter(|line| line.starts_with("ok ")).count(), CASES, "{out}");
    gateway.assert_books().await;
}
