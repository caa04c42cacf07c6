//! A provider that does what a test tells it: a bare HTTP/1.1 server over TCP, so that every byte, chunk border, delay
//! and cut of its answers is the test's own, and every byte it is sent is kept.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::reply::{Reply, Step, completion};
use crate::reply_gate::ReplyGate;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// Method, path and version.
    pub line: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, unchanged.
    pub body: Vec<u8>,
}

impl Received {
    /// The first header of that name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

type Script = Arc<dyn Fn(&Received) -> Reply + Send + Sync>;

/// The provider. It stops when it is dropped.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    state: Arc<State>,
    _serving: JoinSet<()>,
}

struct State {
    script: Mutex<Script>,
    received: Mutex<Vec<Received>>,
    abandoned: AtomicUsize,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl Upstream {
    /// Starts one that answers every request with a short completion: 9 prompt tokens, 3 of output.
    ///
    /// # Panics
    /// When the machine has no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let script: Script = Arc::new(|_| Reply::json(200, &completion("hello there friend", 9, 3)));
        let state = Arc::new(State {
            script: Mutex::new(script),
            received: Mutex::new(Vec::new()),
            abandoned: AtomicUsize::new(0),
        });
        let mut serving = JoinSet::new();
        serving.spawn(accept(listener, state.clone()));
        Self { address, state, _serving: serving }
    }

    /// Where it is, up to and including the version segment.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// From now on requests are answered by `script`.
    ///
    /// # Panics
    /// When a script has panicked.
    pub fn on(&self, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) {
        *self.state.script.lock().expect("no script panicked") = Arc::new(script);
    }

    /// From now on every request is answered by `reply`.
    pub fn answer(&self, reply: Reply) {
        self.on(move |_| reply.clone());
    }

    /// What has arrived since the last look.
    ///
    /// # Panics
    /// When a script has panicked.
    #[must_use]
    pub fn take_received(&self) -> Vec<Received> {
        std::mem::take(&mut self.state.received.lock().expect("no script panicked"))
    }

    /// How many answers the gateway stopped reading before their end.
    #[must_use]
    pub fn abandoned(&self) -> usize {
        self.state.abandoned.load(Ordering::SeqCst)
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(serve(stream, state.clone()));
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, state: Arc<State>) {
    stream.set_nodelay(true).expect("a fresh socket takes options");
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    while let Some(request) = receive(&mut read).await {
        let script = state.script.lock().expect("no script panicked").clone();
        let reply = script(&request);
        state.received.lock().expect("no script panicked").push(request);
        if !answer(&mut read, &mut write, reply, &state).await {
            return;
        }
    }
}

/// Reads one request; `None` when the peer has closed.
async fn receive(read: &mut BufReader<OwnedReadHalf>) -> Option<Received> {
    let line = read_line(read).await?;
    let mut headers = Vec::new();
    loop {
        let header = read_line(read).await?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':')?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut received = Received { line, headers, body: Vec::new() };
    let length = received.header("content-length").map_or(0, |length| length.parse().expect("a length"));
    received.body.resize(length, 0);
    read.read_exact(&mut received.body).await.ok()?;
    Some(received)
}

async fn read_line(read: &mut BufReader<OwnedReadHalf>) -> Option<String> {
    let mut line = String::new();
    let count = read.read_line(&mut line).await.ok()?;
    (count > 0).then(|| line.trim_end().to_owned())
}

/// Sends an answer; `false` when the connection is over.
async fn answer(read: &mut BufReader<OwnedReadHalf>, write: &mut OwnedWriteHalf, reply: Reply, state: &State) -> bool {
    if reply.status == 0 {
        return false;
    }
    let mut head = format!("HTTP/1.1 {} X\r\ntransfer-encoding: chunked\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let mut held = async |gate: ReplyGate| {
        tokio::select! {
            () = gate.passed() => true,
            // Nothing is due from the gateway now: what can be read is its hanging up.
            _ = read.fill_buf() => false,
        }
    };
    let mut sent = match reply.head_after {
        Some(gate) => held(gate).await,
        None => true,
    };
    sent = sent && write.write_all(head.as_bytes()).await.is_ok();
    for step in reply.steps {
        sent = sent
            && match step {
                Step::Send(bytes) => send_piece(write, &bytes).await,
                Step::Wait(gate) => held(gate).await,
                Step::Cut => return false,
            };
    }
    sent = sent && write.write_all(b"0\r\n\r\n").await.is_ok();
    if !sent {
        state.abandoned.fetch_add(1, Ordering::SeqCst);
    }
    sent
}

async fn send_piece(write: &mut OwnedWriteHalf, bytes: &[u8]) -> bool {
    if bytes.is_empty() {
        return true;
    }
    let framed = [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    write.write_all(&framed).await.is_ok()
}
