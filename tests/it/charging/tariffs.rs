//! Prices a request, of reasoning, by the length of the prompt and by the account's group: from the answer's JSON to the
//! billionth of a dollar on the receipt, against a calculation of its own.

mod groups;
mod held;
mod sums;

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::random::Random;
use tollgate_tests::reply::Reply;
use tollgate_tests::{TestGateway, client};

use crate::charging::charges::number;
use crate::formats::wire_samples::{Format, Part, Usage, ask, events, whole};
use sums::{Bill, Buckets, PROMPT, Prices, Tiers};

const CLIENTS: [Format; 5] = [Format::Chat, Format::Completions, Format::Messages, Format::Generate, Format::Responses];
const PROVIDERS: [Format; 4] = [Format::Chat, Format::Messages, Format::Generate, Format::Responses];
/// The groups of the configuration, and what each pays.
const GROUPS: [(&str, &str); 6] = [
    ("default", "1"),
    ("gold", "0.85"),
    ("third", "0.333333"),
    ("dear", "1.250001"),
    ("least", "0.000001"),
    ("most", "999.999999"),
];
/// Of each group.
const FIXTURES: usize = 80;
const AT_ONCE: usize = 16;
const BOUNDS: [u64; 2] = [20_000, 60_000];

/// With a price for each bucket, and tiers.
const FULL: &Tiers = &[
    (
        0,
        Prices {
            tokens: [
                "0.137119", "0.013717", "0.171403", "0.274241", "1.000003", "0.703711", "0.548483", "0.911917",
                "2.000003", "4.333331",
            ],
            request: "0.002000000001",
        },
    ),
    (
        BOUNDS[0],
        Prices {
            tokens: [
                "0.274239", "0.027434", "0.342807", "0.548483", "2.000007", "1.407423", "0.822727", "1.823837",
                "4.000007", "8.666663",
            ],
            request: "0.000000000001",
        },
    ),
    // Not everything is dearer when it is longer.
    (
        BOUNDS[1],
        Prices {
            tokens: [
                "0.411361", "0.041151", "0.514211", "0.822727", "0.500009", "0.351857", "0.274243", "0.455959",
                "1.000009", "2.166667",
            ],
            request: "0",
        },
    ),
];
/// With two prices alone: what is not written follows them.
const PLAIN: &Tiers = &[(
    0,
    Prices {
        tokens: [
            "0.137119", "0.013717", "0.171403", "0.274241", "0.137119", "0.137119", "0.548483", "0.548483", "0.548483",
            "0.548483",
        ],
        request: "0",
    },
)];
/// Stands where the usage goes.
const MARK: Usage = Usage::Told(1_234_567, 7_654_321);

/// A provider's answer, and who asks for it at which prices.
#[derive(Debug, Clone, Copy)]
struct Fixture {
    client: Format,
    provider: Format,
    streams: bool,
    bill: Bill,
}

impl Fixture {
    /// Those of a group, the same in every run: every client with every provider, whole and streamed, at, below and above
    /// each bound.
    fn of(ratio: &'static str, seed: u64) -> Vec<Self> {
        let mut random = Random::new(seed);
        let fixture = |number: usize| {
            let provider = PROVIDERS[number / CLIENTS.len() % PROVIDERS.len()];
            let tiers = if random.below(5) == 0 { PLAIN } else { FULL };
            let buckets = buckets(provider, &mut random);
            Self {
                client: CLIENTS[number % CLIENTS.len()],
                provider,
                streams: (number / (CLIENTS.len() * PROVIDERS.len())).is_multiple_of(2),
                bill: Bill { tiers, buckets, ratio },
            }
        };
        (0..FIXTURES).map(fixture).collect()
    }

    /// The usage in the provider's words.
    fn usage(&self) -> Value {
        let [unread, read, minutes, hour, heard, seen, said, thought, spoken, drawn] = self.bill.buckets;
        let (prompt, output) = (unread + read + minutes + hour + heard + seen, said + thought + spoken + drawn);
        let prompt_details =
            json!({"cached_tokens": read, "cache_write_tokens": minutes, "audio_tokens": heard, "image_tokens": seen});
        let output_details = json!({"reasoning_tokens": thought, "audio_tokens": spoken, "image_tokens": drawn});
        let kinds = |audio: u64, image: u64| json!([{"modality": "AUDIO", "tokenCount": audio}, {"modality": "IMAGE", "tokenCount": image}]);
        match self.provider {
            Format::Chat | Format::Completions => json!({
                "prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
                "prompt_tokens_details": prompt_details, "completion_tokens_details": output_details,
            }),
            Format::Responses => json!({
                "input_tokens": prompt, "output_tokens": output, "total_tokens": prompt + output,
                "input_tokens_details": prompt_details, "output_tokens_details": output_details,
            }),
            Format::Messages => json!({
                "input_tokens": unread, "cache_read_input_tokens": read, "output_tokens": output,
                "cache_creation_input_tokens": minutes + hour,
                "cache_creation": {"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour},
                "output_tokens_details": {"thinking_tokens": thought},
            }),
            Format::Generate => json!({
                "promptTokenCount": prompt, "cachedContentTokenCount": read, "thoughtsTokenCount": thought,
                "candidatesTokenCount": said + spoken + drawn, "totalTokenCount": prompt + output,
                "promptTokensDetails": kinds(heard, seen), "candidatesTokensDetails": kinds(spoken, drawn),
            }),
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

    fn model(&self) -> String {
        let tariff = if self.bill.tiers.len() > 1 { "full" } else { "plain" };
        format!("{tariff}-{}", self.provider.name())
    }

    /// Its usage as the receipt tells it.
    fn told(&self) -> Value {
        let [_, read, minutes, hour, heard, seen, _, thought, spoken, drawn] = self.bill.buckets;
        let (prompt, output) = self.bill.buckets.split_at(PROMPT);
        json!({
            "prompt_tokens": prompt.iter().sum::<u64>(), "cached_tokens": read, "cache_write_tokens": minutes,
            "cache_write_long_tokens": hour, "completion_tokens": output.iter().sum::<u64>(), "reasoning_tokens": thought,
            "audio_prompt_tokens": heard, "image_prompt_tokens": seen, "audio_completion_tokens": spoken,
            "image_completion_tokens": drawn, "estimated": false,
        })
    }

    /// What is wrong with its receipt.
    async fn wrong(self, gateway: &TestGateway, number: usize) -> Option<String> {
        let (path, body) = ask(self.client, &self.model(), self.streams);
        let body = body.to_string().replace("Hello", &format!("number-{number}"));
        let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key).header("a-version", "2023-06-01");
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let text = reply.text().await.expect("a body");
        let receipt = gateway.receipt(&request_id).await;
        let (usage, usd) = (self.told(), self.bill.usd());
        let right = receipt["rule"] == "reported"
            && receipt["usage"] == usage
            && receipt["prices"] == self.bill.prices()
            && receipt["tier_above_tokens"] == self.bill.above()
            && receipt["ratio"] == self.bill.ratio
            && amount(&receipt["charged_usd"]) == usd;
        (!right).then(|| format!("{number} {self:?}: not {usage}, {usd}: {receipt} {text}"))
    }
}

/// What a provider of that format can tell of, with a prompt that often ends at a bound or just behind it.
fn buckets(provider: Format, random: &mut Random) -> Buckets {
    let media = provider != Format::Messages;
    let has = match provider {
        Format::Messages => [true, true, true, true, false, false],
        Format::Chat | Format::Completions | Format::Responses => [true, true, true, false, media, media],
        Format::Generate => [true, true, false, false, media, media],
    };
    let mut left = match random.below(8) {
        place @ 0..4 => BOUNDS[place / 2] + u64::from(!place.is_multiple_of(2)),
        4 => 1 + random.number() % 10,
        _ => 1 + random.number() % 99_999,
    };
    let mut buckets = [0; 10];
    for place in (1..PROMPT).filter(|place| has[*place]) {
        buckets[place] = if random.below(3) == 0 { 0 } else { random.number() % (left / 2 + 1) };
        left -= buckets[place];
    }
    buckets[0] = left;
    let mut output = |least: u64| least + if random.below(3) == 0 { 0 } else { random.number() % 30_000 };
    (buckets[6], buckets[7]) = (output(2), output(0));
    if media {
        (buckets[8], buckets[9]) = (output(0), output(0));
    }
    buckets
}

/// The keys of prices, each as it is written.
fn written(Prices { tokens, request }: &Prices) -> String {
    let keys = [
        "prompt",
        "cached",
        "cache_write",
        "cache_write_long",
        "audio_prompt",
        "image_prompt",
        "completion",
        "reasoning",
        "audio_completion",
        "image_completion",
    ];
    let tokens = keys.into_iter().zip(tokens).map(|(key, price)| format!("{key} = \"{price}\"\n")).collect::<String>();
    format!("{tokens}per_request = \"{request}\"\n")
}

/// A model with all prices and one with few, reached over each format.
fn config() -> String {
    let full: String = FULL
        .iter()
        .map(|(above, prices)| match above {
            0 => written(prices),
            above => format!("[[models.full-FORMAT.price.tiers]]\nabove = {above}\n{}", written(prices)),
        })
        .collect();
    let [prompt, cached, minutes, hour, _, _, completion, ..] = PLAIN[0].1.tokens;
    let plain = format!(
        "prompt = \"{prompt}\"\ncached = \"{cached}\"\ncache_write = \"{minutes}\"\ncache_write_long = \"{hour}\"\n\
         completion = \"{completion}\"\n"
    );
    let models = [("full", full), ("plain", plain)].map(|(name, prices)| {
        format!(
            "[models.{name}-FORMAT]\ncontext_tokens = 1000000\nmax_output_tokens = 1000\n\
             candidates = [{{ upstream = \"by-FORMAT\", model = \"upstream-model\" }}]\n\
             [models.{name}-FORMAT.price]\n{prices}"
        )
    });
    let of = |format: Format| {
        let upstream = "[upstreams.by-FORMAT]\nbase_url = \"{upstream}\"\nformat = \"FORMAT\"\napi_key_env = \"FAKE_UPSTREAM_KEY\"\n";
        [upstream, &models.concat()].concat().replace("FORMAT", format.name())
    };
    let groups = GROUPS[1..].iter().map(|(name, ratio)| format!("[groups.{name}]\nratio = \"{ratio}\"\n"));
    groups.chain(PROVIDERS.map(of)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_bucket_tier_and_ratio_is_charged_to_the_billionth() {
    let gateway = TestGateway::with(Options { config: config(), credit: "500000", ..Options::default() }).await;
    for (seed, (group, ratio)) in (20_261_122..).zip(GROUPS) {
        let accounts = &gateway.service().accounts;
        accounts.set_group(gateway.account, group.parse().expect("a name"), "test").await.expect("an account");
        let fixtures = Fixture::of(ratio, seed);
        let answers = fixtures.clone();
        gateway.upstream.on(move |request| answers[number(request)].answer());
        let wrong: Vec<Option<String>> = stream::iter(fixtures.into_iter().enumerate())
            .map(|(number, fixture)| fixture.wrong(&gateway, number))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let shown: Vec<String> = wrong.into_iter().flatten().collect();
        assert!(
            shown.is_empty(),
            "{} of {FIXTURES} in {group}:\n{}",
            shown.len(),
            shown[..shown.len().min(5)].join("\n")
        );
    }
    gateway.assert_books().await;
}
