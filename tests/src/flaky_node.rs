//! A node of a chain that does not always do what it is asked: it hands questions on to a real one, and misbehaves as it is told.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::gateway::client;

/// What it does with questions of one kind.
#[derive(Debug, Clone)]
pub enum NodeFault {
    /// Answers with HTTP status 500, and asks nobody.
    Fails,
    /// Does what it is asked, and closes the connection without an answer.
    LosesTheAnswer,
    /// Does what it is asked, and says that it has refused, in these words.
    SaysInstead(&'static str),
    /// Asks for this with the same parameters first, and does then what it is asked.
    DoesBefore(&'static str),
    /// Refuses with this code and these words, and asks nobody.
    Refuses(i64, &'static str),
    /// Refuses questions about the events of more blocks than these, and answers all others.
    Bounds(u64),
    /// Says that all is well, and does nothing: the result is this.
    Pretends(Value),
    /// Never answers.
    Hangs,
    /// Does what it is asked after so many milliseconds.
    Delays(u64),
    /// Answers with a result that has these members in the place of the real ones.
    Lies(Value),
    /// Answers as a node does that has got to this block and no further.
    Lags(u64),
}

/// The node. It stops when it is dropped.
#[derive(Debug)]
pub struct FlakyNode {
    address: SocketAddr,
    moods: Moods,
    asked: Asked,
    _serving: JoinSet<()>,
}

type Moods = Arc<Mutex<Told>>;
type Asked = Arc<Mutex<HashMap<String, usize>>>;

/// What it was told.
#[derive(Debug, Default)]
struct Told {
    by_method: HashMap<String, NodeFault>,
    by_text: Vec<(String, NodeFault)>,
}

impl FlakyNode {
    /// A node before another one, which it is true to until it is told otherwise.
    ///
    /// # Panics
    /// When there is no free port.
    pub async fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket");
        let (moods, asked, url) = (Moods::default(), Asked::default(), url.to_owned());
        let mut serving = JoinSet::new();
        let shared = (moods.clone(), asked.clone());
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, url.clone(), shared.0.clone(), shared.1.clone()));
            }
        });
        Self { address, moods, asked, _serving: serving }
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
    pub fn takes(&self, method: &str, mood: NodeFault) {
        self.moods.lock().expect("no panic").by_method.insert(method.to_owned(), mood);
    }

    /// Says how it takes questions in which a text stands, of whatever kind.
    ///
    /// # Panics
    /// Never.
    pub fn takes_about(&self, text: &str, mood: NodeFault) {
        self.moods.lock().expect("no panic").by_text.push((text.to_owned(), mood));
    }

    /// How many questions of a kind have come.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn asked(&self, method: &str) -> usize {
        self.asked.lock().expect("no panic").get(method).copied().unwrap_or_default()
    }

    /// It is true again.
    ///
    /// # Panics
    /// Never.
    pub fn calm(&self) {
        *self.moods.lock().expect("no panic") = Told::default();
    }
}

async fn serve(mut stream: TcpStream, url: String, moods: Moods, asked: Asked) {
    while let Some(body) = request(&mut stream).await {
        let question: Value = serde_json::from_slice(&body).expect("JSON-RPC");
        let method = question["method"].as_str().unwrap_or_default();
        let mood = {
            let told = moods.lock().expect("no panic");
            let about = told.by_text.iter().find(|(text, _)| memchr::memmem::find(&body, text.as_bytes()).is_some());
            let of_method = || told.by_method.get(method).or_else(|| told.by_method.get("*"));
            about.map(|(_, mood)| mood).or_else(of_method).cloned()
        };
        *asked.lock().expect("no panic").entry(method.to_owned()).or_default() += 1;
        let (status, answer) = match mood {
            None => (200, forward(&url, &question).await),
            Some(NodeFault::Fails) => (500, json!("out of order")),
            Some(NodeFault::LosesTheAnswer) => {
                forward(&url, &question).await;
                return;
            }
            Some(NodeFault::SaysInstead(words)) => {
                forward(&url, &question).await;
                (200, json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": words}}))
            }
            Some(NodeFault::DoesBefore(method)) => {
                let mut other = question.clone();
                other["method"] = json!(method);
                forward(&url, &other).await;
                (200, forward(&url, &question).await)
            }
            Some(NodeFault::Refuses(code, words)) => {
                (200, json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": words}}))
            }
            Some(NodeFault::Bounds(blocks)) => (200, bounded(&url, &question, blocks).await),
            Some(NodeFault::Pretends(result)) => (200, json!({"jsonrpc": "2.0", "id": 1, "result": result})),
            Some(NodeFault::Lags(block)) => (200, lagging(&url, &question, block).await),
            Some(NodeFault::Hangs) => std::future::pending().await,
            Some(NodeFault::Delays(ms)) => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                (200, forward(&url, &question).await)
            }
            Some(NodeFault::Lies(members)) => {
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

/// What a node says that looks through so many blocks at once.
async fn bounded(url: &str, question: &Value, blocks: u64) -> Value {
    let filter = &question["params"][0];
    match (number(&filter["fromBlock"]), number(&filter["toBlock"])) {
        (Some(from), Some(to)) if to - from >= blocks => {
            let message = format!("query exceeds max block range {blocks}");
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": message}})
        }
        _ => forward(url, question).await,
    }
}

fn number(value: &Value) -> Option<u64> {
    u64::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok()
}

/// What a node says that knows no later block.
async fn lagging(url: &str, question: &Value, block: u64) -> Value {
    let told = |result: Value| json!({"jsonrpc": "2.0", "id": 1, "result": result});
    let mut question = question.clone();
    // Where a question says of which block it is.
    let at = match question["method"].as_str() {
        Some("eth_call" | "eth_getTransactionCount" | "eth_getBalance" | "eth_getCode") => Some("/params/1"),
        Some("eth_getBlockByNumber") => Some("/params/0"),
        Some("eth_getLogs") => Some("/params/0/toBlock"),
        _ => None,
    };
    let is_logs = at == Some("/params/0/toBlock");
    if let Some(asked) = at.and_then(|at| question.pointer_mut(at)) {
        match number(asked) {
            Some(later) if later > block && !is_logs => {
                return json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "header not found"}});
            }
            Some(later) if later <= block => {}
            _ => *asked = json!(format!("{block:#x}")),
        }
    }
    if is_logs && number(&question["params"][0]["fromBlock"]).is_some_and(|from| from > block) {
        return told(json!([]));
    }
    let answer = forward(url, &question).await;
    if number(&answer["result"]["blockNumber"]).is_some_and(|of| of > block) { told(Value::Null) } else { answer }
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
