//! Stands before a gateway and hands on what comes: each request that reaches it is noted.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::gateway::client;

/// More than any body of a test.
const BODY_BYTES_MAX: usize = 1 << 20;

/// A front. It stops when it is dropped.
#[derive(Debug)]
pub struct ReverseProxy {
    address: SocketAddr,
    came: Arc<Mutex<Vec<String>>>,
    _serving: JoinSet<()>,
}

#[derive(Clone)]
struct Behind {
    url: String,
    came: Arc<Mutex<Vec<String>>>,
}

impl ReverseProxy {
    /// One before the gateway at this address.
    ///
    /// # Panics
    /// When there is no free port.
    pub async fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let (address, came) = (listener.local_addr().expect("a bound socket"), Arc::default());
        let behind = Behind { url: url.to_owned(), came: Arc::clone(&came) };
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            axum::serve(listener, Router::new().fallback(hand_on).with_state(behind)).await.expect("it serves");
        });
        Self { address, came, _serving: serving }
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Method and path of each request that came, in their order.
    #[must_use]
    pub fn came(&self) -> Vec<String> {
        self.came.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn hand_on(State(behind): State<Behind>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let line = format!("{} {}", head.method, head.uri);
    behind.came.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    let body = axum::body::to_bytes(body, BODY_BYTES_MAX).await.expect("a body");
    let mut headers = head.headers;
    headers.remove("host");
    let asked = client().request(head.method, format!("{}{}", behind.url, head.uri)).headers(headers).body(body);
    let reply = asked.send().await.expect("the gateway answers");
    let mut answer = Response::builder().status(reply.status());
    // How it is sent on is the front's own matter.
    let kept = reply.headers().iter().filter(|(name, _)| *name != "transfer-encoding" && *name != "connection");
    for (name, value) in kept {
        answer = answer.header(name, value);
    }
    answer.body(Body::from(reply.bytes().await.expect("a body"))).expect("an answer")
}
