//! Errors of providers of every format, in their own words, to clients of every format: in the place of an answer, at the
//! start of a stream, and within one.

use http::StatusCode;
use serde_json::Value;
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::Reply;

use crate::formats::wire_samples::{Format, Part, Usage, error, events};

use super::asks::{Ask, Names};
use super::codes::{Cases, Expected, Shape};
use super::{Door, TURNS, gateway};

const PROVIDERS: [Format; 4] = [Format::Chat, Format::Messages, Format::Generate, Format::Responses];

/// Who speaks what: format O's older operation goes to its newer one's providers and has an answer of its own.
fn format(operation: &str) -> Format {
    match operation {
        "chat.create" => Format::Chat,
        "completions.create" => Format::Completions,
        "messages.create" => Format::Messages,
        "responses.create" => Format::Responses,
        _ => Format::Generate,
    }
}

/// What a provider says to a client of that operation: in the client's format where it speaks that.
fn spoken(provider: Format, operation: &str) -> Format {
    let client = format(operation);
    if provider.name() == client.name() { client } else { provider }
}

struct Pair<'a> {
    door: &'a Door,
    gateway: &'a TestGateway,
    operation: &'static str,
    provider: Format,
}

impl Pair<'_> {
    fn is_one_format(&self) -> bool {
        self.provider.name() == format(self.operation).name()
    }

    async fn ask(&self, streams: bool, reply: Reply) -> reqwest::Response {
        self.gateway.upstream.answer(reply);
        let model = ["via-", self.provider.name()].concat();
        let ask = Ask::of(self.operation, &Names::of_model(&model));
        let ask = if streams { ask.streamed() } else { ask };
        self.door.send(self.operation, ask.request(&self.door.url).bearer_auth(&self.gateway.key)).await
    }

    fn expected(&self, code: &'static str) -> Expected {
        Expected::new(Shape::of(self.operation), code)
    }

    /// The provider finds fault with the request: its own words to who speaks its format, its message to others.
    async fn refused(&self, cases: &mut Cases) {
        let words = error(spoken(self.provider, self.operation));
        let reply = self.ask(false, Reply::json(400, &words)).await;
        if self.is_one_format() {
            assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
            assert_eq!(reply.json::<Value>().await.expect("JSON"), words, "{}", self.operation);
            return;
        }
        let expected = Expected { status: Some(400), ..self.expected("UPSTREAM_REFUSED") };
        let (status, headers) = (reply.status(), reply.headers().clone());
        let text = reply.text().await.expect("a body");
        assert!(text.contains("no"), "{} over {:?}: {text}", self.operation, self.provider);
        cases.told(expected, status, &headers, text.as_bytes(), self.operation);
    }

    /// An error where an answer should be or begin is no answer, whatever the status says.
    async fn failed(&self, cases: &mut Cases) {
        let words = spoken(self.provider, self.operation);
        let whole = self.operation != "content.stream";
        for (streams, reply) in [
            (!whole, Reply::json(200, &error(words))),
            (!whole, Reply::json(500, &error(words))),
            (true, Reply::stream(events(words, Part::Error))),
        ] {
            if streams || whole {
                cases.answered(self.expected("UPSTREAM_FAILED"), self.ask(streams, reply).await).await;
            }
        }
    }

    /// An error within a stream is its last word: as it came to who speaks the format, in the client's words to others.
    async fn broke_off(&self, cases: &mut Cases) {
        let words = spoken(self.provider, self.operation);
        let parts = [Part::Text(Usage::Silent), Part::Error, Part::Finish(Usage::Told(7, 5)), Part::End];
        let reply = self.ask(true, Reply::stream(parts.into_iter().flat_map(|part| events(words, part)))).await;
        assert_eq!(reply.status(), StatusCode::OK);
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let text = reply.text().await.expect("a stream");
        let what = format!("{} over {:?}: {text}", self.operation, self.provider);
        let said: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
        let [.., before, last] = said[..] else { panic!("{what}") };
        if self.operation == "responses.create" {
            let [before, last] = [before, last].map(|data| serde_json::from_str::<Value>(data).expect("JSON"));
            assert_eq!((&before["type"], &last["type"]), (&"error".into(), &"response.failed".into()), "{what}");
        } else if self.is_one_format() {
            let theirs = events(words, Part::Error).concat();
            assert!(text.ends_with(&theirs), "{what}");
        } else {
            cases.body(
                self.expected("UPSTREAM_BROKE_OFF"),
                StatusCode::BAD_GATEWAY,
                last.as_bytes(),
                &request_id,
                &what,
            );
        }
        assert_eq!(self.gateway.receipt(&request_id).await["rule"], "broke_off_counted", "{what}");
    }
}

#[tokio::test]
async fn errors_of_every_format_are_told_in_every_format() {
    let gateway = gateway(Options::default()).await;
    let door = Door::open(gateway.service()).await;
    let mut cases = Cases::default();
    for operation in TURNS {
        for provider in PROVIDERS {
            let pair = Pair { door: &door, gateway: &gateway, operation, provider };
            if operation != "content.stream" {
                pair.refused(&mut cases).await;
            }
            pair.failed(&mut cases).await;
            if operation != "content.generate" {
                pair.broke_off(&mut cases).await;
            }
        }
    }
    gateway.assert_books().await;
}
