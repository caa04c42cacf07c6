//! A request as an example has it, sent, and what came back.

use bytes::Bytes;
use futures_util::stream;
use reqwest::{Body, Method, RequestBuilder};
use serde_json::Value;
use tollgate_spec_generator::client_model::{CaseBody, ExampleCase, FixtureValues, Request};
use tollgate_tests::client;

use crate::spec::answers::Door;

/// An answer, whole.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: http::HeaderMap,
    pub(super) body: Vec<u8>,
    /// The operation that answered, as the router says, and the code that it was counted under.
    pub(super) seen: (&'static str, Option<&'static str>),
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    /// The type of the body, without its parameters.
    pub(super) fn content_type(&self) -> &str {
        self.header("content-type").and_then(|ty| ty.split(';').next()).unwrap_or_default().trim()
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(super) fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The data of each event of a stream.
    pub(super) fn events(&self) -> Vec<String> {
        let text = self.text().replace("\r\n", "\n");
        let data = text.split("\n\n").map(|event| {
            let lines = event.lines().filter_map(|line| line.strip_prefix("data:").map(str::trim_start));
            lines.collect::<Vec<_>>().join("\n")
        });
        data.filter(|data| !data.is_empty()).collect()
    }
}

/// How the request of an example is put into bytes.
pub(super) trait Voice {
    /// The request, to be sent to a gateway.
    fn said(&self, url: &str, case: &ExampleCase<'_>, values: &FixtureValues) -> RequestBuilder;
}

/// As it is written.
pub(super) struct Written;

impl Voice for Written {
    fn said(&self, url: &str, case: &ExampleCase<'_>, values: &FixtureValues) -> RequestBuilder {
        sending(url, &case.request(values))
    }
}

/// A request on its way.
pub(super) fn sending(url: &str, request: &Request) -> RequestBuilder {
    let method: Method = request.method.parse().expect("a method");
    let builder = client().request(method, format!("{url}{}", request.target));
    let builder = request.headers.iter().fold(builder, |builder, (name, value)| builder.header(name, value));
    match &request.body {
        None => builder,
        Some(CaseBody::Json(body)) => builder.body(body.to_string()),
        Some(CaseBody::Text(text)) => builder.body(*text),
        // Of a body that is refused by its size alone, no byte is sent.
        Some(CaseBody::Bytes(_)) => builder.body(Body::wrap_stream(stream::pending::<Result<Bytes, std::io::Error>>())),
    }
}

/// Sends a request, and waits for all of its answer.
pub(super) async fn sent(door: &Door, request: RequestBuilder) -> Reply {
    let reply = request.send().await.expect("an answer");
    let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
    let seen = door.seen(&reply);
    let body = reply.bytes().await.expect("a body").to_vec();
    Reply { status, headers, body, seen }
}
