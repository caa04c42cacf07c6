//! What a serving process takes of the machine's memory under requests and answers that are large, or slow and many, and that it
//! gives back what large ones took.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::client;
use tollgate_tests::reply::completion;
use tollgate_tests::wait::{until, until_within};

const MIB: usize = 1 << 20;
/// Both budgets as they are where nothing else is configured, and a quarter.
const PEAK_MIB: usize = (256 + 512) * 5 / 4;
/// Without the pages of the program's file, which the system takes back by itself.
const IDLE_MIB: usize = 64;
const IDLE_WITHIN: Duration = Duration::from_secs(60);
const PICTURES: usize = 24;
const TEXTS: usize = 300;
const REQUESTS: usize = 40;
/// A little less than a request may have.
const REQUEST_BYTES: usize = 31 * MIB;

/// A provider whose answers are made while they are sent: pictures of 128 MiB, texts of 4 MiB that come in drops, of unknown
/// size, and short ones to large requests.
struct Large {
    address: SocketAddr,
    texts: Arc<AtomicUsize>,
    _serving: JoinSet<()>,
}

impl Large {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let (address, texts) = (listener.local_addr().expect("it is bound"), Arc::new(AtomicUsize::new(0)));
        let (mut serving, counted) = (JoinSet::new(), texts.clone());
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(answer(stream, counted.clone()));
            }
        });
        Self { address, texts, _serving: serving }
    }
}

/// Answers one request; `None` where the gateway hangs up.
async fn answer(stream: TcpStream, texts: Arc<AtomicUsize>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let (mut length, mut pictures) = (0, false);
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        let line = line.trim_end().to_ascii_lowercase();
        pictures |= line.contains("/images/");
        if let Some(told) = line.strip_prefix("content-length:") {
            length = told.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    stream.read_exact(&mut vec![0; length]).await.ok()?;
    if length >= MIB {
        const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
        let body = completion("seen", 9, 3).to_string();
        return stream.write_all([HEAD, &body].concat().as_bytes()).await.ok();
    }
    let (before, size, after) = match pictures {
        true => ("{\"created\":7,\"data\":[{\"b64_json\":\"".to_owned(), 128 * MIB, "\"}]}".to_owned()),
        false => (
            "{\"id\":\"a\",\"object\":\"chat.completion\",\"model\":\"up\",\"choices\":[{\"index\":0,\
             \"finish_reason\":\"stop\",\"message\":{\"role\":\"assistant\",\"content\":\""
                .to_owned(),
            4 * MIB,
            "\"}}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}".to_owned(),
        ),
    };
    let filler = size - before.len() - after.len();
    let framing = match pictures {
        true => format!("content-length: {size}"),
        false => "connection: close".to_owned(),
    };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{framing}\r\n\r\n{before}");
    stream.write_all(head.as_bytes()).await.ok()?;
    let piece = vec![b'A'; 64 << 10];
    let mut left = filler;
    if !pictures {
        // All of them are under way at once: none is half read before each has been asked.
        texts.fetch_add(1, Ordering::SeqCst);
        until("all texts to be asked for", || async { (texts.load(Ordering::SeqCst) >= TEXTS).then_some(()) }).await;
    }
    while left > 0 {
        let next = left.min(piece.len());
        stream.write_all(&piece[..next]).await.ok()?;
        left -= next;
    }
    stream.write_all(after.as_bytes()).await.ok()
}

struct House {
    served: Served,
    key: String,
    args: Vec<String>,
    _folder: TempDir,
}

impl House {
    fn start(large: &Large) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = format!(
            "data_dir = {:?}\n[breaker]\nfailures = 0\n\
             [upstreams.large]\nbase_url = \"http://{}/v1\"\n[models.large]\ncontext_tokens = 100000\n\
             max_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\", image = \"0.04\" }}\n\
             candidates = [{{ upstream = \"large\" }}]\n",
            folder.path(),
            large.address
        );
        let path = folder.path().join("tollgate.toml");
        std::fs::write(&path, text).expect("a file of ours");
        let args = ["--config".to_owned(), path.display().to_string()];
        let run = |more: &[&str]| {
            let args: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
            run_json(&args).1
        };
        run(&["account", "create", "large"]);
        run(&["credit", "grant", "--account", "large", "--usd", "1000"]);
        let key = run(&["key", "create", "--account", "large"])["key"].as_str().expect("a key").to_owned();
        let served = Served::start(&args.each_ref().map(String::as_str));
        Self { served, key, args: args.into(), _folder: folder }
    }

    /// A figure of the process, in MiB.
    fn mib(&self, figure: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.served.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(figure)).expect("the kernel tells it");
        line.trim_start_matches(':').trim().trim_end_matches(" kB").parse::<usize>().expect("a number") / 1024
    }

    /// So many requests at once; how many were answered. The others were refused for want of room.
    async fn ask(&self, count: usize, path: &str, body: &Value) -> usize {
        let body = Bytes::from(body.to_string());
        let mut asking = JoinSet::new();
        for _ in 0..count {
            let request = client().post(format!("{}{path}", self.served.url())).bearer_auth(&self.key);
            let request = request.header("content-type", "application/json").body(body.clone());
            asking.spawn(async move {
                let mut reply = request.send().await.expect("an answer");
                let status = reply.status();
                // Read and forgotten: this process is not the one that is looked at.
                while reply.chunk().await.expect("a read").is_some() {}
                assert!(status == 200 || status == 503, "{status}");
                status == 200
            });
        }
        asking.join_all().await.into_iter().filter(|answered| *answered).count()
    }

    /// The most that it took so far is within the bounds.
    fn assert_bounded(&self, what: &str) {
        let peak = self.mib("VmHWM");
        eprintln!("{what}: {peak} MiB at the most");
        assert!(peak <= PEAK_MIB, "{what}: {peak} MiB at the most");
    }

    /// The server is stopped, and its books are in order.
    fn assert_books(self) {
        let Self { served, args, .. } = self;
        drop(served);
        let args: Vec<&str> = args.iter().map(String::as_str).chain(["audit"]).collect();
        let (clean, report) = run_json(&args);
        assert!(clean, "{report}");
    }

    async fn assert_gives_back(&self) {
        let idle = async || {
            let now = self.mib("RssAnon");
            (now < IDLE_MIB).then_some(now)
        };
        let now = until_within(IDLE_WITHIN, "the memory to be given back", idle).await;
        eprintln!("{now} MiB afterwards");
    }
}

// suite: long 90s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_bounded_and_that_of_large_answers_given_back() {
    let large = Large::start().await;
    let house = House::start(&large);
    eprintln!("at the start: {} MiB", house.mib("VmRSS"));
    let body = json!({"model": "large", "prompt": "a wall"});
    let answered = house.ask(PICTURES, "/v1/images/generations", &body).await;
    assert!(answered >= 1, "there is room for two at a time");
    house.assert_bounded(&format!("{answered} of {PICTURES} answers of 128 MiB"));
    house.assert_gives_back().await;
    let body = json!({"model": "large", "messages": [{"role": "user", "content": "a story"}], "max_tokens": 10});
    let answered = house.ask(TEXTS, "/v1/chat/completions", &body).await;
    assert!(answered >= 1 && large.texts.load(Ordering::SeqCst) == TEXTS, "{answered}");
    house.assert_bounded(&format!("{answered} of {TEXTS} answers of 4 MiB"));
    house.assert_gives_back().await;
    house.assert_books();
}

// suite: long 90s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_of_large_requests_is_bounded_and_given_back() {
    let large = Large::start().await;
    let house = House::start(&large);
    let picture = format!("data:image/png;base64,{}", "A".repeat(REQUEST_BYTES));
    let content = json!([{"type": "image_url", "image_url": {"url": picture}}]);
    let body = json!({"model": "large", "messages": [{"role": "user", "content": content}], "max_tokens": 10});
    let answered = house.ask(REQUESTS, "/v1/chat/completions", &body).await;
    assert!(answered >= 1, "there is room for several at a time");
    house.assert_bounded(&format!("{answered} of {REQUESTS} requests of 31 MiB"));
    house.assert_gives_back().await;
    house.assert_books();
}
