//! What stands between a client and the server: all goes through it as it is, and it keeps what went by.

use std::sync::{Arc, Mutex};

use axum::body::{Body, to_bytes};
use axum::extract::{Request as Incoming, State};
use axum::response::Response;
use http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};
use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tollgate_spec_generator::client_model::{CaseBody, Request};
use tollgate_tests::client;

use super::super::held::differs;

/// Headers that are of one connection alone.
const OWN: [HeaderName; 4] = [header::HOST, header::CONTENT_LENGTH, header::CONNECTION, header::TRANSFER_ENCODING];

pub(super) struct Tee {
    pub(super) url: String,
    between: Arc<Between>,
    _serving: JoinSet<()>,
}

#[derive(Default)]
struct Between {
    leads_to: Mutex<Option<String>>,
    went: Mutex<Vec<Went>>,
}

/// A request as it came from a client.
pub(super) struct Came {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// A request and its answer.
pub(super) struct Went {
    pub(super) came: Came,
    pub(super) status: u16,
    pub(super) reply_headers: HeaderMap,
    pub(super) reply_body: Vec<u8>,
}

impl Tee {
    pub(super) async fn open() -> Self {
        let between = Arc::new(Between::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("a bound socket"));
        let router = axum::Router::new().fallback(pass).with_state(Arc::clone(&between));
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await.expect("it serves until it is dropped") });
        Self { url, between, _serving: serving }
    }

    /// Where what comes from now on goes; nowhere, it is kept here and told that nobody answers.
    pub(super) fn lead_to(&self, url: Option<&str>) {
        *self.between.leads_to.lock().expect("no panic") = url.map(str::to_owned);
    }

    /// What went by since the last time.
    pub(super) fn went(&self) -> Vec<Went> {
        std::mem::take(&mut self.between.went.lock().expect("no panic"))
    }
}

async fn pass(State(between): State<Arc<Between>>, request: Incoming) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body").to_vec();
    let came = Came { method: head.method, uri: head.uri, headers: head.headers, body };
    let to = between.leads_to.lock().expect("no panic").clone();
    let (status, reply_headers, reply_body) = match to {
        Some(url) => {
            let reply = came.on(&url).send().await.expect("an answer");
            let (status, headers) = (reply.status(), reply.headers().clone());
            (status, headers, reply.bytes().await.expect("a body").to_vec())
        }
        None => (StatusCode::BAD_GATEWAY, HeaderMap::new(), Vec::new()),
    };
    let mut answer = Response::new(Body::from(reply_body.clone()));
    *answer.status_mut() = status;
    *answer.headers_mut() = without_own(&reply_headers);
    between.went.lock().expect("no panic").push(Went { came, status: status.as_u16(), reply_headers, reply_body });
    answer
}

fn without_own(headers: &HeaderMap) -> HeaderMap {
    let mut kept = headers.clone();
    for name in OWN {
        kept.remove(name);
    }
    kept
}

impl Went {
    pub(super) fn reply_header(&self, name: &str) -> Option<&str> {
        self.reply_headers.get(name).and_then(|value| value.to_str().ok())
    }
}

impl Came {
    /// The same, to be sent to a gateway.
    pub(super) fn on(&self, url: &str) -> RequestBuilder {
        let target = self.uri.path_and_query().map_or("/", |target| target.as_str());
        let request =
            client().request(self.method.clone(), format!("{url}{target}")).headers(without_own(&self.headers));
        if self.body.is_empty() { request } else { request.body(self.body.clone()) }
    }

    /// What of a request did not come as it is.
    pub(super) fn differs(&self, request: &Request) -> Vec<String> {
        let mut wrong = Vec::new();
        let uri: Uri = request.target.parse().expect("a target");
        let (wanted, found) = (taken_apart(&uri), taken_apart(&self.uri));
        if (self.method.as_str(), &found) != (request.method.as_str(), &wanted) {
            wrong.push(format!("it asked {} {found:?}, not {} {wanted:?}", self.method, request.method));
        }
        for (name, value) in &request.headers {
            let found = self.headers.get(name).and_then(|value| value.to_str().ok());
            if found != Some(value) {
                wrong.push(format!("it sent the header `{name}` as {found:?}, not {value:?}"));
            }
        }
        match (&request.body, serde_json::from_slice::<Value>(&self.body)) {
            (None, _) if self.body.is_empty() => {}
            (Some(CaseBody::Json(wanted)), Ok(found)) => differs(wanted, &found, &[], "sent", &mut wrong),
            (Some(CaseBody::Text(wanted)), _) if wanted.as_bytes() == self.body => {}
            (wanted, _) => wrong.push(format!("it sent {:?}, not {wanted:?}", String::from_utf8_lossy(&self.body))),
        }
        wrong
    }
}

/// The steps of a path, and the parts of a query in their order, without `%`.
fn taken_apart(uri: &Uri) -> (Vec<String>, Vec<String>) {
    let mut query: Vec<String> = uri.query().unwrap_or_default().split('&').map(plain).collect();
    query.sort();
    (uri.path().split('/').map(plain).collect(), query)
}

fn plain(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(code, 16).expect("two digits after `%`"));
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8(bytes).expect("text")
}
