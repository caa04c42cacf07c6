//! A node whose answers a test makes up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use tollgate_base::Secret;

type FakeAnswers = Arc<dyn Fn(&str, &Value) -> Result<Value, &'static str> + Send + Sync>;

/// The node. It stops when it is dropped.
pub(super) struct FakeNode {
    url: String,
    asked: Arc<AtomicUsize>,
    _serving: JoinSet<()>,
}

impl FakeNode {
    /// A node that answers a method and its parameters so, or refuses in these words.
    pub(super) async fn start(
        answers: impl Fn(&str, &Value) -> Result<Value, &'static str> + Send + Sync + 'static,
    ) -> Self {
        tollgate_net::install_tls();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("a bound socket"));
        let (answers, asked): (FakeAnswers, _) = (Arc::new(answers), Arc::new(AtomicUsize::new(0)));
        let (mut serving, count) = (JoinSet::new(), asked.clone());
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, answers.clone(), count.clone()));
            }
        });
        Self { url, asked, _serving: serving }
    }

    pub(super) fn nodes(&self) -> Vec<Secret> {
        vec![Secret::new(self.url.clone())]
    }

    /// The number of questions that have come.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

async fn serve(mut stream: TcpStream, answers: FakeAnswers, asked: Arc<AtomicUsize>) {
    while let Some(question) = request(&mut stream).await {
        asked.fetch_add(1, Ordering::Relaxed);
        let method = question["method"].as_str().unwrap_or_default();
        let body = match answers(method, &question["params"]) {
            Ok(result) => json!({"jsonrpc": "2.0", "id": 1, "result": result}),
            Err(words) => json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": words}}),
        };
        let body = body.to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
        if stream.write_all((head + &body).as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn request(stream: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    loop {
        if let Some(head) = bytes.windows(4).position(|end| end == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
            let length =
                text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok())?;
            if let Some(body) = bytes.get(head + 4..head + 4 + length) {
                return serde_json::from_slice(body).ok();
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
