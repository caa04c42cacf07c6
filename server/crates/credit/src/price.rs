//! The price of usage. The one rounding is [`price_of`]'s.

use sha2::{Digest, Sha256};

use super::{MediaKinds, MediaTokens, ToolUseCharge};
use tollgate_base::{MoneyError, PicoUsd, PriceRatio, Usd, price_of};

/// More tokens than this in one field is no count. Also the largest integer that is exact in JSON.
const UNITS_MAX: u64 = (1 << 53) - 1;
/// The parts of a nano-USD in a price times a ratio: pico-USD times millionths.
const PARTS_PER_NANO: u128 = 1_000 * 1_000_000;

/// The usage of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BilledUsage {
    /// Tokens of the prompt, those that came from a cache and those that went into one included.
    pub prompt: u64,
    /// Tokens of the prompt that came from the upstream's cache.
    pub cached: u64,
    /// Tokens of the prompt that were written to a cache for five minutes, or where the upstream knows one kind.
    pub cache_write: u64,
    /// Tokens of the prompt that were written to a cache for an hour.
    pub cache_write_long: u64,
    /// Tokens of the answer, reasoning included; pictures, of a request for pictures.
    pub completion: u64,
    /// Tokens of the answer that were reasoning.
    pub reasoning: u64,
    /// Tokens of the prompt, no cache having to do with them, and of the answer that were sound or pictures.
    pub media: MediaTokens<u64>,
    /// True if we counted, because the upstream did not say.
    pub estimated: bool,
}

/// The prices of a model at one moment, per token where it does not say otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPrices {
    /// A token of the prompt.
    pub prompt: PicoUsd,
    /// A token of the prompt that came from a cache.
    pub cached: PicoUsd,
    /// A token of the prompt that was written to a cache for five minutes, or where the upstream knows one kind.
    pub cache_write: PicoUsd,
    /// A token of the prompt that was written to a cache for an hour.
    pub cache_write_long: PicoUsd,
    /// A token of the answer.
    pub completion: PicoUsd,
    /// A token of either that is sound or a picture; as any other where the model has no price of its own for it.
    pub media: MediaTokens<PicoUsd>,
    /// A token of text in the answer that was reasoning; as any other where the model has no price of its own for it.
    pub reasoning: PicoUsd,
    /// A request that is charged for, once, beside all else.
    pub request: PicoUsd,
    /// The ratio of these prices that the account pays.
    pub ratio: PriceRatio,
    /// The price list that these prices are of.
    pub version: String,
}

/// The dearest prices that a request can come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceCeiling {
    prompt: PicoUsd,
    completion: PicoUsd,
    /// Once, whatever the prompt and the answer are.
    fixed: PicoUsd,
    ratio: PriceRatio,
}

/// The reason that usage has no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// More in the parts than in the whole of prompt or answer, or a count beyond 2^53.
    #[error("the usage contradicts itself")]
    Absurd,
    /// The cost does not fit.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl BilledUsage {
    /// True if the counts can be true together.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        self.fresh().is_some()
            && self.written().is_some()
            && self.reasoning <= self.completion
            && self.prompt <= UNITS_MAX
            && self.completion <= UNITS_MAX
    }

    /// Tokens of text in the prompt that no cache had to do with; `None` where its parts are more than the prompt.
    fn fresh(&self) -> Option<u64> {
        let media = [self.media.audio_prompt, self.media.image_prompt];
        let parts = [self.cached, self.cache_write, self.cache_write_long].into_iter().chain(media);
        parts.into_iter().try_fold(self.prompt, u64::checked_sub)
    }

    /// Tokens of text in the answer; `None` where its parts are more than the answer.
    fn written(&self) -> Option<u64> {
        [self.media.audio_completion, self.media.image_completion]
            .into_iter()
            .try_fold(self.completion, u64::checked_sub)
    }
}

impl TokenPrices {
    /// The number of its row in the ledger: of what is said there, so that the same prices are one row. The ratio is another's.
    pub(super) fn id(&self) -> i64 {
        let mut hash = Sha256::new();
        hash.update(u64::try_from(self.version.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(&self.version);
        self.picos().into_iter().for_each(|picos| hash.update(picos.to_le_bytes()));
        let first = hash.finalize().first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
        (first & i64::MAX).max(1)
    }

    /// Its prices in pico-USD, in the order of the ledger's columns.
    pub(super) fn picos(&self) -> [i64; 11] {
        [
            self.prompt,
            self.cached,
            self.cache_write,
            self.cache_write_long,
            self.completion,
            self.media.audio_prompt,
            self.media.image_prompt,
            self.media.audio_completion,
            self.media.image_completion,
            self.request,
            self.reasoning,
        ]
        .map(PicoUsd::picos)
    }

    /// The cost of `usage` and of these uses of tools, rounded up to a nano-USD once.
    ///
    /// # Errors
    /// [`PriceError::Absurd`] for usage that contradicts itself: it is neither charged nor free, somebody must count.
    pub fn charge(&self, usage: &BilledUsage, tools: &[ToolUseCharge]) -> Result<Usd, PriceError> {
        let tools = tools.iter().map(|line| (line.uses, line.price));
        Ok(price_of(self.items(usage, 1)?.into_iter().chain(tools), self.ratio)?)
    }

    /// The cost of so many requests with `usage` in all, rounded up to a nano-USD once.
    ///
    /// # Errors
    /// As [`charge`](Self::charge).
    pub fn cost(&self, usage: &BilledUsage, requests: u64) -> Result<Usd, PriceError> {
        Ok(price_of(self.items(usage, requests)?, self.ratio)?)
    }

    /// What so many requests have in all, each with its price.
    fn items(&self, usage: &BilledUsage, requests: u64) -> Result<[(u64, PicoUsd); 11], PriceError> {
        let texts = usage.fresh().zip(usage.written()).filter(|_| usage.is_plausible());
        let (fresh, written) = texts.ok_or(PriceError::Absurd)?;
        // Sound and pictures have their prices, whether they were thought or not.
        let thought = usage.reasoning.min(written);
        Ok([
            (fresh, self.prompt),
            (usage.cached, self.cached),
            (usage.cache_write, self.cache_write),
            (usage.cache_write_long, self.cache_write_long),
            (usage.media.audio_prompt, self.media.audio_prompt),
            (usage.media.image_prompt, self.media.image_prompt),
            (written - thought, self.completion),
            (thought, self.reasoning),
            (usage.media.audio_completion, self.media.audio_completion),
            (usage.media.image_completion, self.media.image_completion),
            (requests, self.request),
        ])
    }

    /// These prices with those of tokens times `ratio`, each rounded up to a pico-USD. The price of a request by itself stays.
    ///
    /// # Errors
    /// When a price does not fit.
    pub fn times(&self, ratio: PriceRatio) -> Result<Self, MoneyError> {
        let media = self.media;
        Ok(Self {
            prompt: self.prompt.times(ratio)?,
            cached: self.cached.times(ratio)?,
            cache_write: self.cache_write.times(ratio)?,
            cache_write_long: self.cache_write_long.times(ratio)?,
            completion: self.completion.times(ratio)?,
            media: MediaTokens {
                audio_prompt: media.audio_prompt.times(ratio)?,
                image_prompt: media.image_prompt.times(ratio)?,
                audio_completion: media.audio_completion.times(ratio)?,
                image_completion: media.image_completion.times(ratio)?,
            },
            reasoning: self.reasoning.times(ratio)?,
            ..self.clone()
        })
    }

    /// The dearest prices of a request of these kinds. What is written to a cache is dearer than what is not, and a whole
    /// prompt may be. What comes from one is cheaper everywhere today; a bound does not rely on it.
    #[must_use]
    pub fn ceiling(&self, kinds: MediaKinds) -> PriceCeiling {
        let text = [self.prompt, self.cached, self.cache_write, self.cache_write_long].into_iter().max();
        let media = [self.media.audio_prompt, self.media.image_prompt].into_iter().filter(|_| kinds.prompt).max();
        let audio = kinds.audio.then_some(self.media.audio_completion);
        let image = kinds.image.then_some(self.media.image_completion);
        PriceCeiling {
            prompt: text.max(media).unwrap_or_default(),
            completion: Some(self.completion.max(self.reasoning)).max(audio).max(image).unwrap_or_default(),
            fixed: self.request,
            ratio: self.ratio,
        }
    }

    /// The prices of a request that is charged by what comes out of it, and for itself: a picture, or a second of a video, is
    /// a unit of output.
    #[must_use]
    pub fn per_unit(&self, unit: PicoUsd) -> Self {
        let nothing = PicoUsd::default();
        Self {
            prompt: nothing,
            cached: nothing,
            cache_write: nothing,
            cache_write_long: nothing,
            completion: unit,
            media: MediaTokens::default(),
            reasoning: unit,
            request: self.request,
            ratio: self.ratio,
            version: self.version.clone(),
        }
    }
}

impl PriceCeiling {
    /// The dearer of each two. Of prices for one account: it pays the same of both.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            prompt: self.prompt.max(other.prompt),
            completion: self.completion.max(other.completion),
            fixed: self.fixed.max(other.fixed),
            ratio: self.ratio.max(other.ratio),
        }
    }

    /// The dearest prices of a request that uses tools beside, `uses` times at `price`.
    ///
    /// # Errors
    /// When the sum does not fit.
    pub fn with_tool(self, uses: u64, price: PicoUsd) -> Result<Self, MoneyError> {
        Ok(Self { fixed: self.fixed.plus(uses, price)?, ..self })
    }

    /// The most that a request within these bounds can cost.
    ///
    /// # Errors
    /// When the cost does not fit.
    pub fn worst_case(&self, prompt_bound: u64, output_bound: u64) -> Result<Usd, MoneyError> {
        price_of([(prompt_bound, self.prompt), (output_bound, self.completion), (1, self.fixed)], self.ratio)
    }

    /// The number of answer tokens that `amount` buys beside a prompt of `prompt_bound` tokens. It is the largest
    /// `output_bound` whose [`worst_case`](Self::worst_case) is at most `amount`: all there are where they are free, none where
    /// the request and its prompt alone cost more.
    #[must_use]
    pub fn output_bought(&self, amount: Usd, prompt_bound: u64) -> u64 {
        let wide = |picos: PicoUsd| u128::from(picos.picos().unsigned_abs());
        let parts = u128::from(u64::try_from(amount.nanos()).unwrap_or(0)) * PARTS_PER_NANO;
        // What is rounded away buys nothing: the sum of whole pico-USD that is paid with this money.
        let money = parts / u128::from(self.ratio.millionths().unsigned_abs());
        let fixed = u128::from(prompt_bound) * wide(self.prompt) + wide(self.fixed);
        let Some(left) = money.checked_sub(fixed) else { return 0 };
        left.checked_div(wide(self.completion)).map_or(u64::MAX, |tokens| u64::try_from(tokens).unwrap_or(u64::MAX))
    }
}
