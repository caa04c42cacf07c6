//! A node of a chain that does not always do what it is asked: it hands questions on to a real one, and misbehaves as it is told.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::gateway::client;

/// What it does with questions of one kind.
#[derive(Debug, Clone)]
pub enum Mood {
    /// Answers with HTTP status 500, and asks nobody.
    Fails,
    /// Does what it is asked, and closes the connection without an answer.
    LosesTheAnswer,
    /// Does what it is asked, and says that it has refused, in these words.
    SaysInstead(&'static str),
    /// Says that all is well, and does nothing: the result is this.
    Pretends(Value),
    /// Never answers.
    Hangs,
    /// Answers with a result that has these members in the place of the real ones.
    Lies(Value),
}

/// The node. It stops when it is dropped.
#[derive(Debug)]
pub struct Fickle {
    address: SocketAddr,
    moods: Moods,
    _serving: JoinSet<()>,
}

type Moods = Arc<Mutex<HashMap<String, Mood>>>;

impl Fickle {
    /// A node before another one, which it is true to until it is told otherwise.
    ///
    /// # Panics
    /// When there is no free port.
    pub async fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket");
        let (moods, url) = (Moods::default(), url.to_owned());
        let mut serving = JoinSet::new();
        let shared = moods.clone();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, url.clone(), shared.clone()));
            }
        });
        Self { address, moods, _serving: serving }
    }

    /// Where it is asked.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Says how it takes questions of a kind, `*` for those that nothing else is said about.
    ///
    /// # Panics
    /// Never.
    pub fn takes(&self, method: &str, mood: Mood) {
        self.moods.lock().expect("no panic").insert(method.to_owned(), mood);
    }

    /// It is true again.
    ///
    /// # Panics
    /// Never.
    pub fn calm(&self) {
        self.moods.lock().expect("no panic").clear();
    }
}

async fn serve(mut stream: TcpStream, url: String, moods: Moods) {
    while let Some(body) = request(&mut stream).await {
        let question: Value = serde_json::from_slice(&body).expect("JSON-RPC");
        let method = question["method"].as_str().unwrap_or_default();
        let mood = {
            let moods = moods.lock().expect("no panic");
            moods.get(method).or_else(|| moods.get("*")).cloned()
        };
        let (status, answer) = match mood {
            None => (200, forward(&url, &question).await),
            Some(Mood::Fails) => (500, json!("out of order")),
            Some(Mood::LosesTheAnswer) => {
                forward(&url, &question).await;
                return;
            }
            Some(Mood::SaysInstead(words)) => {
                forward(&url, &question).await;
                (200, json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": words}}))
            }
            Some(Mood::Pretends(result)) => (200, json!({"jsonrpc": "2.0", "id": 1, "result": result})),
            Some(Mood::Hangs) => std::future::pending().await,
            Some(Mood::Lies(members)) => {
                let mut answer = forward(&url, &question).await;
                if let (Some(result), Some(members)) = (answer["result"].as_object_mut(), members.as_object()) {
                    result.extend(members.clone());
                }
                (200, answer)
            }
        };
        let answer = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        if stream.write_all((head + &answer).as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn forward(url: &str, question: &Value) -> Value {
    let answer = client().post(url).json(question).send().await.expect("the real node answers");
    answer.json().await.expect("JSON")
}

/// The body of the next request on a connection; none when there is no further one.
async fn request(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = memchr::memmem::find(&bytes, b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok())?;
    while bytes.len() < head + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(bytes[head..head + length].to_vec())
}
