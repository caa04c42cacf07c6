//! What a request costs, by a way of its own: fractions over the prices as they are written, tier by tier.

use serde_json::{Value, json};

use crate::charging::charges::{added, fraction, in_billionths};

/// Tokens that share nothing with one another, in the order of [`Prices::tokens`].
pub(super) type Buckets = [u64; 10];

/// Of the first six, which are the prompt.
pub(super) const PROMPT: usize = 6;

/// Prices as they are written.
#[derive(Debug)]
pub(super) struct Prices {
    /// USD for a million tokens: unread, read from a cache, written for minutes, written for an hour, sound and pictures that
    /// came in; said, thought, sound and pictures that came out.
    pub(super) tokens: [&'static str; 10],
    /// USD for the request.
    pub(super) request: &'static str,
}

/// Prices with what takes their place above so many tokens of prompt, the shortest first.
pub(super) type Tiers = [(u64, Prices)];

/// What a request used, by whom, at whose prices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bill {
    pub(super) tiers: &'static Tiers,
    pub(super) buckets: Buckets,
    pub(super) ratio: &'static str,
}

impl Bill {
    fn tier(&self) -> &'static (u64, Prices) {
        let prompt: u64 = self.buckets[..PROMPT].iter().sum();
        self.tiers.iter().rfind(|(above, _)| *above == 0 || prompt > *above).expect("one for every prompt")
    }

    /// What it comes to.
    pub(super) fn usd(&self) -> String {
        let (_, prices) = self.tier();
        let tokens = self.buckets.into_iter().zip(prices.tokens).map(|(tokens, price)| {
            let (over, under) = fraction(price);
            (u128::from(tokens) * over, under * 1_000_000)
        });
        let (over, under) = tokens.fold(fraction(prices.request), added);
        let ratio = fraction(self.ratio);
        in_billionths((over * ratio.0, under * ratio.1))
    }

    /// The bound of the tier, as the receipt tells it.
    pub(super) fn above(&self) -> Value {
        match self.tier() {
            (0, _) => Value::Null,
            (above, _) => json!(above),
        }
    }

    /// The prices, as the receipt tells them.
    pub(super) fn prices(&self) -> Value {
        let (_, Prices { tokens, request }) = self.tier();
        let picos = |decimal: &str, power: u32| {
            let (over, under) = fraction(decimal);
            let picos = over * 10_u128.pow(power) / under;
            u64::try_from(picos).expect("a price that fits")
        };
        let names = [
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
        let told =
            names.into_iter().zip(tokens).map(|(name, price)| (format!("{name}_picousd"), json!(picos(price, 6))));
        told.chain([("request_picousd".to_owned(), json!(picos(request, 12)))]).collect()
    }
}

#[test]
fn the_calculation_is_exact() {
    const SUMS: &Tiers = &[
        (0, Prices { tokens: ["1", "0.1", "1.25", "2", "3", "4", "5", "6", "7", "8"], request: "0.000000001" }),
        (100, Prices { tokens: ["2", "0.2", "2.5", "4", "6", "8", "10", "12", "14", "16"], request: "0" }),
    ];
    let each = [1; 10];
    let long = [95, 1, 1, 1, 1, 2, 0, 0, 0, 0];
    for (buckets, ratio, usd, above) in [
        // 37.35 millionths and a billionth.
        (each, "1", "0.000037351", Value::Null),
        (each, "0.5", "0.000018676", Value::Null),
        (each, "0.000001", "0.000000001", Value::Null),
        ([0; 10], "0.1", "0.000000001", Value::Null),
        ([100, 0, 0, 0, 0, 0, 0, 0, 0, 0], "1", "0.000100001", Value::Null),
        ([101, 0, 0, 0, 0, 0, 0, 0, 0, 0], "1", "0.000202", json!(100)),
        // 190 + 0.2 + 2.5 + 4 + 6 + 16 millionths, a third of them.
        (long, "0.333333", "0.000072900", json!(100)),
    ] {
        let bill = Bill { tiers: SUMS, buckets, ratio };
        assert_eq!((bill.usd(), bill.above()), (usd.trim_end_matches('0').to_owned(), above), "{bill:?}");
    }
    assert_eq!(Bill { tiers: SUMS, buckets: each, ratio: "1" }.prices()["cached_picousd"], 100_000);
    assert_eq!(Bill { tiers: SUMS, buckets: each, ratio: "1" }.prices()["request_picousd"], 1_000);
}
