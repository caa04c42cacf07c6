//! Providers that fail, over real sockets and in every format: the next candidate answers, or the client reads a typed error;
//! what was held is resolved either way, and the receipt says by which rule.

// suite of this file: waiting

pub(crate) mod breaker;
mod connections;
mod openings;
mod refusals;
mod streams;

use serde_json::{Value, json};
use tollgate_tests::formats::{TEXT, answer};
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::{TestGateway, Upstream};

const FORMATS: [&str; 4] = ["chat", "messages", "generate", "responses"];

/// Where one test has many failures, none of them is to keep the next from being seen.
const NEVER_RESTS: &str = "[breaker]\nfailures = 0\n";

/// For each format, a model `pair-<format>` that is to be had at the faulty provider and then at a sound one, and a model
/// `alone-<format>` that is to be had at the faulty one alone.
struct Faults {
    gateway: TestGateway,
    sound: Upstream,
}

/// How an error of ours reads in a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Failed,
    TooSlow,
    RateLimited,
    Overloaded,
    Missing,
}

impl Told {
    fn status(self, format: &str) -> u16 {
        match (self, format) {
            (Self::Failed, "generate") => 503,
            (Self::Failed, _) => 502,
            (Self::TooSlow, _) => 504,
            (Self::RateLimited, _) => 429,
            (Self::Overloaded, "messages") => 529,
            (Self::Overloaded, _) => 503,
            (Self::Missing, _) => 404,
        }
    }
}

impl Faults {
    /// With the faulty provider at `faulty`, and keys before all tables.
    async fn start(faulty: &str, keys: &str) -> Self {
        let sound = Upstream::start().await;
        sound.on(answer);
        let models = |format: &str| {
            let model = |name: &str, candidates: &str| {
                format!(
                    "[models.{name}-{format}]\ncontext_tokens = 1000\nmax_output_tokens = 100\n\
                     price = {{ prompt = \"1\", completion = \"1\" }}\ncandidates = [{candidates}]\n"
                )
            };
            let bad = format!("{{ upstream = \"bad-{format}\", model = \"up\" }}");
            let good = format!("{{ upstream = \"good-{format}\", model = \"up\" }}");
            format!(
                "[upstreams.bad-{format}]\nformat = \"{format}\"\nbase_url = \"{faulty}\"\n\
                 [upstreams.good-{format}]\nformat = \"{format}\"\nbase_url = \"{}\"\n{}{}",
                sound.base_url(),
                model("pair", &format!("{bad}, {good}")),
                model("alone", &bad),
            )
        };
        let config = format!("{keys}\n{}", FORMATS.map(models).concat());
        let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
        Self { gateway, sound }
    }

    async fn ask(&self, format: &str, model: &str, stream: bool) -> reqwest::Response {
        let turn = json!([{"role": "user", "content": "Hello"}]);
        let (path, body) = match format {
            "chat" => ("chat/completions".to_owned(), json!({"model": model, "messages": turn, "stream": stream})),
            "messages" => {
                (format.to_owned(), json!({"model": model, "messages": turn, "stream": stream, "max_tokens": 50}))
            }
            "responses" => {
                (format.to_owned(), json!({"model": model, "input": "Hello", "stream": stream, "store": false}))
            }
            _ => {
                let verb = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
                (format!("models/{model}:{verb}"), json!({"contents": [{"parts": [{"text": "Hello"}]}]}))
            }
        };
        let request = client().post(self.gateway.url(&format!("/v1/{path}"))).bearer_auth(&self.gateway.key);
        request.header("anthropic-version", "2023-06-01").json(&body).send().await.expect("an answer")
    }

    /// The sound candidate answers in the place of the faulty one, and is paid.
    async fn assert_rescued(&self, format: &str, stream: bool, what: &str) {
        let what = format!("{what}, {format}, stream {stream}");
        let reply = self.ask(format, &format!("pair-{format}"), stream).await;
        let (status, id) = (reply.status(), id(&reply));
        let body = reply.text().await.expect("a body");
        assert_eq!(status, 200, "{what}: {body}");
        assert!(body.contains(if stream { "hello" } else { TEXT }), "{what}: {body}");
        let receipt = self.gateway.receipt(&id).await;
        let told = ["upstream", "rule"].map(|name| receipt[name].as_str().expect("text").to_owned());
        assert_eq!(told, [format!("good-{format}"), "reported".to_owned()], "{what}");
        assert_eq!(amount(&receipt["charged_usd"]), "0.000012", "{what}");
    }

    /// There is no other candidate: the client reads why in its format, and pays nothing.
    async fn assert_told(&self, format: &str, stream: bool, told: Told, what: &str) {
        let what = format!("{what}, {format}, stream {stream}");
        let reply = self.ask(format, &format!("alone-{format}"), stream).await;
        let (status, id) = (reply.status(), id(&reply));
        let body: Value = reply.json().await.expect("a typed error is JSON");
        assert_eq!(status, told.status(format), "{what}: {body}");
        assert!(body["error"]["message"].is_string(), "{what}: {body}");
        self.assert_free(&id, &what).await;
    }

    async fn assert_free(&self, id: &str, what: &str) {
        let receipt = self.gateway.receipt(id).await;
        let seen = (receipt["status"].as_str(), receipt["rule"].as_str(), amount(&receipt["charged_usd"]));
        assert_eq!(seen, (Some("released"), Some("nothing_delivered"), "0".to_owned()), "{what}: {receipt}");
    }

    /// Nothing is held any more, and every charge is right.
    async fn assert_resolved(&self) {
        assert_eq!(amount(&self.gateway.balance().await["held_usd"]), "0");
        self.gateway.assert_books().await;
    }
}

fn id(reply: &reqwest::Response) -> String {
    reply.headers()["x-request-id"].to_str().expect("text").to_owned()
}

/// Every format, whole and as a stream.
fn all() -> impl Iterator<Item = (&'static str, bool)> {
    FORMATS.into_iter().flat_map(|format| [(format, false), (format, true)])
}
