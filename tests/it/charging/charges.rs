//! What providers report, against a calculation of its own: exact fractions over the words of each format's usage, from
//! the answer's JSON to the billionth of a dollar on the receipt.

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::random::Random;
use tollgate_tests::reply::Reply;
use tollgate_tests::upstream::Received;
use tollgate_tests::{TestGateway, client};

use crate::formats::wire_samples::{Format, Part, Usage, ask, events, whole};

const FIXTURES: usize = 640;
const AT_ONCE: usize = 16;
const CLIENTS: [Format; 5] = [Format::Chat, Format::Completions, Format::Messages, Format::Generate, Format::Responses];
const PROVIDERS: [Format; 4] = [Format::Chat, Format::Messages, Format::Generate, Format::Responses];
/// USD for a million tokens: unread, read from a cache, written for minutes, written for an hour, output.
const PRICES: [&str; 5] = ["0.137119", "0.013717", "0.171403", "0.274241", "0.548483"];
/// Stands where the usage goes.
const MARK: Usage = Usage::Told(1_234_567, 7_654_321);

/// Tokens that share nothing with one another.
#[derive(Debug, Clone, Copy)]
struct Buckets {
    unread: u64,
    read: u64,
    minutes: u64,
    hour: u64,
    said: u64,
    thought: u64,
}

/// A provider's answer, and who asks for it.
#[derive(Debug, Clone, Copy)]
struct Fixture {
    client: Format,
    provider: Format,
    streams: bool,
    /// How the provider words its usage, where there is more than one way.
    way: u64,
    buckets: Buckets,
}

impl Fixture {
    /// All of them, the same in every run: every client with every provider, whole and streamed.
    fn all() -> Vec<Self> {
        let mut random = Random::new(20_261_121);
        (0..FIXTURES)
            .map(|number| {
                let provider = PROVIDERS[number / CLIENTS.len() % PROVIDERS.len()];
                Self {
                    client: CLIENTS[number % CLIENTS.len()],
                    provider,
                    streams: (number / (CLIENTS.len() * PROVIDERS.len())).is_multiple_of(2),
                    way: random.number() % 4,
                    buckets: Buckets::of(provider, &mut random),
                }
            })
            .collect()
    }

    /// The usage in the provider's words.
    fn usage(&self) -> Value {
        let Buckets { unread, read, minutes, hour, said, thought } = self.buckets;
        let (prompt, output) = (unread + read + minutes + hour, said + thought);
        match self.provider {
            Format::Chat | Format::Completions => {
                let mut usage = json!({
                    "prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
                    "prompt_tokens_details": {"cached_tokens": read, "cache_write_tokens": minutes},
                    "completion_tokens_details": {"reasoning_tokens": thought},
                });
                match self.way {
                    // Thinking beside the answer.
                    0 => usage["completion_tokens"] = json!(said),
                    // Another name for what was read from a cache.
                    1 => {
                        usage["prompt_tokens_details"] = json!({"cache_write_tokens": minutes});
                        usage["prompt_cache_hit_tokens"] = json!(read);
                    }
                    _ => {}
                }
                usage
            }
            Format::Responses => json!({
                "input_tokens": prompt, "output_tokens": output, "total_tokens": prompt + output,
                "input_tokens_details": {"cached_tokens": read, "cache_write_tokens": minutes},
                "output_tokens_details": {"reasoning_tokens": thought},
            }),
            Format::Messages => json!({
                "input_tokens": unread, "cache_read_input_tokens": read, "output_tokens": output,
                "cache_creation_input_tokens": minutes + hour,
                "cache_creation": {"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour},
                "output_tokens_details": {"thinking_tokens": thought},
            }),
            Format::Generate => {
                let mut usage = json!({
                    "promptTokenCount": prompt, "cachedContentTokenCount": read, "candidatesTokenCount": said,
                    "thoughtsTokenCount": thought, "totalTokenCount": prompt + output,
                });
                match self.way {
                    // The total tells what was said.
                    0 => drop(usage.as_object_mut().expect("an object").remove("candidatesTokenCount")),
                    // What tools brought into the prompt is told beside it.
                    1 => {
                        usage["promptTokenCount"] = json!(prompt - unread / 2);
                        usage["toolUsePromptTokenCount"] = json!(unread / 2);
                    }
                    _ => {}
                }
                usage
            }
        }
    }

    fn answer(&self) -> Reply {
        let (mark, usage) = (MARK.object(self.provider).to_string(), self.usage().to_string());
        if self.streams {
            let parts = [Part::Text(Usage::Silent), Part::Finish(MARK), Part::End];
            let events = parts.into_iter().flat_map(|part| events(self.provider, part));
            return Reply::stream(events.map(|event| event.replace(&mark, &usage)));
        }
        let body = whole(self.provider, MARK).to_string().replace(&mark, &usage);
        Reply::raw(200, "application/json", body.into_bytes())
    }
}

impl Buckets {
    /// What a provider of that format can tell of: one lifetime of what was written, or two, or none.
    fn of(provider: Format, random: &mut Random) -> Self {
        let mut tokens = || match random.below(4) {
            0 => 0,
            1 => 1,
            2 => random.number() % 1_000,
            _ => random.number() % 90_000,
        };
        let mut buckets = Self {
            unread: tokens() + 1,
            read: tokens(),
            minutes: tokens(),
            hour: tokens(),
            said: tokens() + 2,
            thought: tokens(),
        };
        match provider {
            Format::Messages => {}
            Format::Chat | Format::Completions | Format::Responses => buckets.hour = 0,
            Format::Generate => (buckets.minutes, buckets.hour) = (0, 0),
        }
        buckets
    }

    /// What they cost, as it is written: tokens times a price for a million of them, added as fractions, and what is less
    /// than a billionth of a dollar made one.
    fn usd(self) -> String {
        let tokens = [self.unread, self.read, self.minutes, self.hour, self.said + self.thought];
        let sum = tokens.into_iter().zip(PRICES).fold((0, 1), |sum, (tokens, price)| {
            let (over, under) = fraction(price);
            added(sum, (u128::from(tokens) * over, under * 1_000_000))
        });
        in_billionths(sum)
    }

    /// As the receipt tells them.
    fn told(self) -> Value {
        let Self { unread, read, minutes, hour, said, thought } = self;
        json!({
            "prompt_tokens": unread + read + minutes + hour, "cached_tokens": read, "cache_write_tokens": minutes,
            "cache_write_long_tokens": hour, "completion_tokens": said + thought, "reasoning_tokens": thought,
            "audio_prompt_tokens": 0, "image_prompt_tokens": 0, "audio_completion_tokens": 0, "image_completion_tokens": 0,
            "estimated": false,
        })
    }
}

/// A fraction of a dollar as a receipt writes it: what is less than a billionth is made one.
pub(crate) fn in_billionths(usd: (u128, u128)) -> String {
    let billionths = (usd.0 * 1_000_000_000).div_ceil(usd.1);
    let (whole, part) = (billionths / 1_000_000_000, billionths % 1_000_000_000);
    let written = format!("{whole}.{part:09}");
    written.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A decimal as a fraction.
pub(crate) fn fraction(decimal: &str) -> (u128, u128) {
    let (whole, part) = decimal.split_once('.').unwrap_or((decimal, "0"));
    let under = 10_u128.pow(u32::try_from(part.len()).expect("few digits"));
    let digits = |text: &str| text.parse::<u128>().expect("digits");
    (digits(whole) * under + digits(part), under)
}

/// The sum of two fractions.
pub(crate) fn added(one: (u128, u128), other: (u128, u128)) -> (u128, u128) {
    let sum = (one.0 * other.1 + other.0 * one.1, one.1 * other.1);
    let (mut a, mut b) = sum;
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (sum.0 / a.max(1), sum.1 / a.max(1))
}

/// A model reached over each format.
fn config() -> String {
    let [prompt, cached, minutes, hour, completion] = PRICES;
    let model = |format: &str| {
        format!(
            r#"
[upstreams.by-{format}]
base_url = "{{upstream}}"
format = "{format}"
api_key_env = "FAKE_UPSTREAM_KEY"
[models.exact-{format}]
context_tokens = 1000000
max_output_tokens = 1000
price = {{ prompt = "{prompt}", cached = "{cached}", cache_write = "{minutes}", cache_write_long = "{hour}", completion = "{completion}" }}
candidates = [{{ upstream = "by-{format}", model = "upstream-model" }}]
"#
        )
    };
    PROVIDERS.map(|format| model(format.name())).concat()
}

/// The number of a fixture, which the request's prompt carries.
pub(crate) fn number(request: &Received) -> usize {
    let body = String::from_utf8_lossy(&request.body).into_owned();
    let (_, rest) = body.split_once("number-").expect("a number");
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a number")
}

/// What is wrong with the receipt of a fixture.
async fn wrong(gateway: &TestGateway, number: usize, fixture: Fixture) -> Option<String> {
    let model = ["exact-", fixture.provider.name()].concat();
    let (path, body) = ask(fixture.client, &model, fixture.streams);
    let body = body.to_string().replace("Hello", &format!("number-{number}"));
    let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key).header("a-version", "2023-06-01");
    let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let text = reply.text().await.expect("a body");
    let receipt = gateway.receipt(&request_id).await;
    let (usage, usd) = (fixture.buckets.told(), fixture.buckets.usd());
    let right = receipt["rule"] == "reported" && receipt["usage"] == usage && amount(&receipt["charged_usd"]) == usd;
    (!right).then(|| format!("{number} {fixture:?}: not {usage}, {usd}: {receipt} {text}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_providers_report_is_charged_bucket_by_bucket() {
    let gateway = TestGateway::with(Options { config: config(), credit: "100000", ..Options::default() }).await;
    let fixtures = Fixture::all();
    let answers = fixtures.clone();
    gateway.upstream.on(move |request| answers[number(request)].answer());
    let wrong: Vec<Option<String>> = stream::iter(fixtures.into_iter().enumerate())
        .map(|(number, fixture)| wrong(&gateway, number, fixture))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let shown: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(shown.is_empty(), "{} of {FIXTURES}:\n{}", shown.len(), shown[..shown.len().min(10)].join("\n"));
    gateway.assert_books().await;
}

#[test]
fn the_calculation_is_exact() {
    let nothing = Buckets { unread: 0, read: 0, minutes: 0, hour: 0, said: 0, thought: 0 };
    for (buckets, usd) in [
        (nothing, "0"),
        // 137.119 and 13.717 billionths.
        (Buckets { unread: 1, ..nothing }, "0.000000138"),
        (Buckets { unread: 1000, ..nothing }, "0.000137119"),
        (Buckets { read: 1, ..nothing }, "0.000000014"),
        (Buckets { unread: 1, read: 1, ..nothing }, "0.000000151"),
        (Buckets { said: 600_000, thought: 400_000, ..nothing }, "0.548483"),
        (Buckets { minutes: 1_000_000, hour: 2_000_000, ..nothing }, "0.719885"),
    ] {
        assert_eq!(buckets.usd(), usd, "{buckets:?}");
    }
}
