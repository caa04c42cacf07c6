//! The guard at work: a server on this machine, redirects, and a name that flips.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{LazyLock, Mutex};

use http::HeaderValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::Instant;

use tollgate_api::BodyMemory;
use tollgate_net::{HostName, Resolution};

use super::super::AnswerRoom;
use super::*;

/// Room for an answer of so many bytes.
fn room(bytes_max: usize) -> AnswerRoom<'static> {
    static BUDGET: LazyLock<BodyMemory> = LazyLock::new(|| BodyMemory::new(1 << 20));
    AnswerRoom { bytes_max, budget: &BUDGET }
}

/// A resolver that gives another address each time a name is looked up.
#[derive(Debug)]
struct Flipping(Mutex<VecDeque<&'static str>>);

impl NameResolver for Flipping {
    fn resolve(&self, _: HostName) -> Resolution {
        let next = self.0.lock().expect("nobody panicked").pop_front();
        Box::pin(async move {
            let address = SocketAddr::new(next.ok_or("no such name")?.parse()?, 0);
            Ok(vec![address])
        })
    }
}

/// A server on all of this machine's addresses that tells what it was asked and answers in turn.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    _serving: JoinSet<()>,
}

impl Server {
    async fn start(answers: &[&str]) -> Self {
        let listener = TcpListener::bind("0.0.0.0:0").await.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, mut answers) = (asked.clone(), answers.iter().map(ToString::to_string).collect::<VecDeque<_>>());
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = vec![0; 4096];
                let length = stream.read(&mut head).await.expect("a request");
                log.lock().expect("nobody panicked").push(String::from_utf8_lossy(&head[..length]).into_owned());
                let Some(answer) = answers.pop_front() else { return };
                stream.write_all(answer.as_bytes()).await.expect("it is read");
            }
        });
        Self { port, asked, _serving: serving }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panicked").clone()
    }

    async fn fetch(&self, fetcher: &AddressFetcher, host: &str) -> Result<UpstreamAnswer, FetchError> {
        fetcher.fetch(&format!("http://{host}:{}/a", self.port), &HeaderMap::new(), soon()).await
    }
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

fn soon() -> AnswerDeadlines {
    let whole = Instant::now() + Duration::from_secs(20);
    AnswerDeadlines { begin: whole, whole }
}

fn allowed() -> [IpNet; 1] {
    ["127.0.0.1/32".parse().expect("a network")]
}

fn fetcher(names: &[&'static str]) -> AddressFetcher {
    let names = Flipping(Mutex::new(names.iter().copied().collect()));
    AddressFetcher::with_names(&(Arc::new(names) as Arc<dyn NameResolver>), &allowed(), UpstreamLimits::default())
        .expect("a client")
}

fn moved(to: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n")
}

#[tokio::test]
async fn the_body_comes_under_a_bound_and_nothing_of_ours_goes() {
    let server = Server::start(&[OK, OK]).await;
    let fetcher = fetcher(&[]);
    let mut headers = HeaderMap::new();
    headers.insert(header::RANGE, HeaderValue::from_static("bytes=0-4"));
    let address = format!("http://127.0.0.1:{}/a?b=c", server.port);
    let mut answer = fetcher.fetch(&address, &headers, soon()).await.expect("an answer");
    assert_eq!(
        (answer.status.as_u16(), answer.body.whole(room(5)).await.expect("a body").bytes),
        (200, "hello".into())
    );
    let asked = server.asked().remove(0);
    let mut lines: Vec<_> = asked.trim_end().split("\r\n").map(str::to_lowercase).collect();
    lines.sort_unstable();
    let host = format!("host: 127.0.0.1:{}", server.port);
    assert_eq!(lines, ["accept: */*", "get /a?b=c http/1.1", host.as_str(), "range: bytes=0-4"]);
    let mut answer = fetcher.fetch(&address, &headers, soon()).await.expect("an answer");
    assert!(matches!(answer.body.whole(room(4)).await, Err(UpstreamError::TooLarge)));
}

#[tokio::test]
async fn a_name_that_flips_to_another_machine_is_not_followed_there() {
    let server = Server::start(&[OK, OK, OK]).await;
    let fetcher = fetcher(&["127.0.0.1", "127.0.0.2", "127.0.0.1"]);
    let first = server.fetch(&fetcher, "store").await.expect("an answer");
    assert_eq!(first.status, StatusCode::OK);
    let second = server.fetch(&fetcher, "store").await;
    assert!(matches!(second, Err(FetchError::Forbidden(ForbiddenAddress::Network))), "{second:?}");
    assert_eq!(server.asked().len(), 1, "the second machine listens too, and was not asked");
    assert_eq!(server.fetch(&fetcher, "store").await.expect("an answer").status, StatusCode::OK);
}

#[tokio::test]
async fn where_an_answer_leads_is_checked_at_every_step() {
    for (to, why) in [
        ("http://127.0.0.2/", ForbiddenAddress::Network),
        ("https://localhost/", ForbiddenAddress::Name),
        ("https://10.0.0.1/", ForbiddenAddress::Network),
        ("https://0x7f.2/", ForbiddenAddress::Network),
        ("ftp://127.0.0.1/", ForbiddenAddress::Scheme),
        ("http://a:b@127.0.0.1/", ForbiddenAddress::Credentials),
    ] {
        let server = Server::start(&[&moved("/b"), &moved(to), OK]).await;
        let found = server.fetch(&fetcher(&[]), "127.0.0.1").await;
        assert!(matches!(found, Err(FetchError::Forbidden(found)) if found == why), "{to}: {found:?}");
        assert_eq!(server.asked().len(), 2, "{to}");
    }
}

#[tokio::test]
async fn a_few_steps_are_taken_and_no_more() {
    let step = moved("/on");
    let server = Server::start(&[&step, &step, &step, OK]).await;
    assert_eq!(server.fetch(&fetcher(&[]), "127.0.0.1").await.expect("an answer").status, StatusCode::OK);
    assert!(server.asked()[3].starts_with("GET /on "));
    let server = Server::start(&[&step, &step, &step, &step, OK]).await;
    assert!(matches!(server.fetch(&fetcher(&[]), "127.0.0.1").await, Err(FetchError::TooManyHops)));
    assert_eq!(server.asked().len(), 4);
    let nowhere = "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n";
    let server = Server::start(&[nowhere]).await;
    let told = server.fetch(&fetcher(&[]), "127.0.0.1").await.expect("an answer");
    assert_eq!(told.status, StatusCode::FOUND, "it leads nowhere");
}

#[tokio::test]
async fn a_server_that_says_nothing_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}/", listener.local_addr().expect("it is bound"));
    let begin = Instant::now() + Duration::from_millis(50);
    let deadlines = AnswerDeadlines { begin, whole: begin };
    let found = fetcher(&[]).fetch(&address, &HeaderMap::new(), deadlines).await;
    assert!(matches!(found, Err(FetchError::Failed(UpstreamError::TooSlow))), "{found:?}");
}

#[tokio::test]
async fn a_name_without_an_address_and_a_machine_without_a_server_fail() {
    let unknown = fetcher(&[]).fetch("https://nowhere.example.com/", &HeaderMap::new(), soon()).await;
    assert!(matches!(unknown, Err(FetchError::Failed(UpstreamError::Unreachable(_)))), "{unknown:?}");
    let port = TcpListener::bind("127.0.0.1:0").await.and_then(|free| free.local_addr()).expect("a port").port();
    let refused = fetcher(&[]).fetch(&format!("http://127.0.0.1:{port}/"), &HeaderMap::new(), soon()).await;
    assert!(matches!(refused, Err(FetchError::Failed(UpstreamError::Unreachable(_)))), "{refused:?}");
}
