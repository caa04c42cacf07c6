// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `receipts`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// One page of the list of receipts.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/receipts.yaml: ReceiptPage")]
pub struct ReceiptPage {
    /// The receipts, the newest first.
    pub receipts: Vec<Receipt>,
    /// Value of `after` for the next page. Null on the last one. It is the id of a request, or `at_` with two
    /// numbers where the page ends at a request that the caller may not see.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// One request and its charge. While it is open, `held_usd` is set aside; afterwards `charged_usd` and
/// `released_usd` together are `held_usd`, except where `charged_usd` is larger because the request cost more
/// than was held.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/receipts.yaml: Receipt")]
pub struct Receipt {
    /// Id of the request.
    pub request_id: String,
    /// Number of the key that was shown.
    pub key_id: i64,
    /// The model as the client named it.
    pub model: String,
    /// The upstream that answered, by its name in the service. Null when none has.
    #[wire(nullable)]
    pub upstream: Option<String>,
    /// The model's name at that upstream.
    #[wire(nullable)]
    pub upstream_model: Option<String>,
    /// The model that answered in the place of the one that was asked for, by the service's choice or its
    /// provider's, and was charged for. Null where none did.
    #[wire(nullable)]
    pub fallback_model: Option<String>,
    /// True if a stream was asked for.
    pub stream: bool,
    /// The tags that the request carries in `x-tollgate-tags`, each once and in their order. Empty where it carries
    /// none.
    pub tags: Vec<String>,
    /// State of the hold.
    pub status: ReceiptStatus,
    /// Rule that decided the charge. Null while the hold is open.
    #[wire(nullable)]
    pub rule: Option<SettlementRule>,
    /// The tokens that were charged. Null when nothing was or while the hold is open.
    #[wire(nullable)]
    pub usage: Option<ReceiptUsage>,
    /// The prices that applied when the request began: of the model that answered, of the one asked for where none
    /// did.
    pub prices: ReceiptPrices,
    /// The prices are those of prompts that are longer than so many tokens, as the one that was charged was. Null
    /// where they are not of such a tier.
    #[wire(nullable, min = 0)]
    pub tier_above_tokens: Option<i64>,
    /// The part of the prices that the account pays, as an exact decimal: `0.85`. It is taken of the sum, before the
    /// one rounding.
    pub ratio: String,
    /// The class of service that the request was answered in, as `service_tier: flex`; several are joined by commas.
    /// The prices are those of the class. Null where it is the base one.
    #[wire(nullable)]
    pub service_class: Option<String>,
    /// Uses of tools that the provider ran. They are charged beside the tokens.
    pub tool_uses: Vec<ReceiptToolUse>,
    /// Names the price list that the prices were taken from.
    pub price_version: String,
    /// The most that the request could cost, set aside before it was sent.
    pub held_usd: api::Usd,
    /// Amount that was charged. 0 while the hold is open.
    pub charged_usd: api::Usd,
    /// Amount that was given back. 0 while the hold is open.
    pub released_usd: api::Usd,
    /// The part of the cost that neither the hold nor the rest of the credit covered. It was not charged.
    pub shortfall_usd: api::Usd,
    /// Milliseconds from the arrival of the request to the first byte of the provider's answer. Null when no answer
    /// began or while the hold is open.
    #[wire(nullable, min = 0)]
    pub first_byte_ms: Option<i64>,
    /// Milliseconds from the arrival of the request to its settlement, which is made before the end of the answer is
    /// sent. Null while the hold is open, and when the process that served the request could not say.
    #[wire(nullable, min = 0)]
    pub duration_ms: Option<i64>,
    /// Time at which the credit was held.
    pub created_at: String,
    /// Time at which the hold was settled or released. Null while it is open.
    #[wire(nullable)]
    pub settled_at: Option<String>,
}

/// State of the hold of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/receipts.yaml: ReceiptStatus")]
pub enum ReceiptStatus {
    /// The request is under way, or its settlement is.
    #[wire(name = "held")]
    Held,
    /// A charge was made. The rest of the hold was given back.
    #[wire(name = "settled")]
    Settled,
    /// Nothing was charged. The whole hold was given back.
    #[wire(name = "released")]
    Released,
}

/// The written policy for how a request may end. Exactly one rule applies to each. Tokens are multiplied by the
/// prices of the receipt and added up, the price of the request is added once wherever any usage is charged, and
/// the sum is multiplied by the ratio of the receipt and rounded up once to a billionth of a dollar. "Counted"
/// means by the service's own count, which the receipt marks as estimated: four bytes of text to a token,
/// rounded up, of the prompt as the client sent it and of the output that was delivered; what the provider
/// reported on the way counts for the prompt in place of that, and for the output where it is more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/receipts.yaml: SettlementRule")]
pub enum SettlementRule {
    /// The answer was complete and the provider reported its usage. Charged: the reported usage.
    #[wire(name = "reported")]
    Reported,
    /// The answer was complete, but the provider reported no usage or an impossible one. Charged: the counted prompt
    /// and the counted output.
    #[wire(name = "counted")]
    Counted,
    /// The provider broke off after output had been delivered, and had reported its usage by then. Charged: the
    /// reported usage.
    #[wire(name = "broke_off_reported")]
    BrokeOffReported,
    /// The provider broke off, stalled or exceeded its time after output had been delivered, without a usage report.
    /// Charged: the counted prompt and the counted output that was delivered; never more than was held.
    #[wire(name = "broke_off_counted")]
    BrokeOffCounted,
    /// The client left before the end; the service read on for a bounded time and the provider reported its usage.
    /// Charged: the reported usage, which includes output that nobody read.
    #[wire(name = "client_gone_reported")]
    ClientGoneReported,
    /// The client left before the end, and the provider reported no usage within the bounded time, so the call was
    /// cancelled. Charged: the counted prompt and the counted output that had arrived by then; never more than was
    /// held.
    #[wire(name = "client_gone_counted")]
    ClientGoneCounted,
    /// The call ended without any output: every provider refused, failed or timed out, or the client left and none
    /// arrived within the bounded time. Charged: nothing.
    #[wire(name = "nothing_delivered")]
    NothingDelivered,
    /// Credit was held, but the request was never sent to a provider. Charged: nothing.
    #[wire(name = "not_sent")]
    NotSent,
    /// The books did not take the charge, so the end of the answer was withheld; or nobody came back for the hold
    /// before its expiry. Charged: nothing.
    #[wire(name = "not_recorded")]
    NotRecorded,
    /// The process that served the request died before the charge was written; found at the next start. Charged:
    /// nothing.
    #[wire(name = "crashed")]
    Crashed,
}

/// The tokens that a charge was made for.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/receipts.yaml: ReceiptUsage")]
pub struct ReceiptUsage {
    /// Input, cached and written parts included.
    #[wire(min = 0)]
    pub prompt_tokens: i64,
    /// The part of the input that was charged at the cached price.
    #[wire(min = 0)]
    pub cached_tokens: i64,
    /// The part of the input that the provider wrote to its cache for five minutes, or for as long as it does where
    /// it tells of one kind.
    #[wire(min = 0)]
    pub cache_write_tokens: i64,
    /// The part of the input that the provider wrote to its cache for an hour.
    #[wire(min = 0)]
    pub cache_write_long_tokens: i64,
    /// Output, reasoning included. Of a request for images that have a price each: the images. Of a video: its
    /// seconds.
    #[wire(min = 0)]
    pub completion_tokens: i64,
    /// The part of the output that was reasoning. 0 when the provider does not tell.
    #[wire(min = 0)]
    pub reasoning_tokens: i64,
    /// The part of the input that was sound and in no cache. 0 when the provider does not tell.
    #[wire(min = 0)]
    pub audio_prompt_tokens: i64,
    /// The part of the input that was pictures and in no cache. 0 when the provider does not tell.
    #[wire(min = 0)]
    pub image_prompt_tokens: i64,
    /// The part of the output that was sound. 0 when the provider does not tell.
    #[wire(min = 0)]
    pub audio_completion_tokens: i64,
    /// The part of the output that was pictures. 0 when the provider does not tell, and for images that have a price
    /// each.
    #[wire(min = 0)]
    pub image_completion_tokens: i64,
    /// True when the service counted these itself, false when the provider reported them.
    pub estimated: bool,
}

/// Uses of a tool that the provider ran, and the price of one.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/receipts.yaml: ReceiptToolUse")]
pub struct ReceiptToolUse {
    /// The tool: `web_search`.
    pub tool: String,
    /// Number of uses.
    #[wire(min = 1)]
    pub uses: i64,
    /// USD for one use before the ratio of the receipt, as an exact decimal: `0.01`.
    pub price_usd: String,
}

/// Prices in pico-dollars (10^-12 USD): of one token, which is the same number as micro-dollars for a million
/// tokens, and of the request.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/receipts.yaml: ReceiptPrices")]
pub struct ReceiptPrices {
    /// One token of input.
    #[wire(min = 0)]
    pub prompt_picousd: i64,
    /// One token of input that came from the provider's cache.
    #[wire(min = 0)]
    pub cached_picousd: i64,
    /// One token of input that the provider wrote to its cache for five minutes.
    #[wire(min = 0)]
    pub cache_write_picousd: i64,
    /// One token of input that the provider wrote to its cache for an hour.
    #[wire(min = 0)]
    pub cache_write_long_picousd: i64,
    /// One token of output. Of a request for images that have a price each: one image. Of a video: one second.
    #[wire(min = 0)]
    pub completion_picousd: i64,
    /// One token of input that is sound.
    #[wire(min = 0)]
    pub audio_prompt_picousd: i64,
    /// One token of input that is a picture.
    #[wire(min = 0)]
    pub image_prompt_picousd: i64,
    /// One token of output that is sound.
    #[wire(min = 0)]
    pub audio_completion_picousd: i64,
    /// One token of output that is a picture.
    #[wire(min = 0)]
    pub image_completion_picousd: i64,
    /// One token of text in the output that was reasoning.
    #[wire(min = 0)]
    pub reasoning_picousd: i64,
    /// The request itself, once. It is charged wherever tokens are, and not where nothing is.
    #[wire(min = 0)]
    pub request_picousd: i64,
}

/// Answer of `receipts.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/receipts.yaml: ReceiptReply")]
pub struct ReceiptReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The receipt.
    pub data: Receipt,
}

/// Answer of `receipts.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/receipts.yaml: ReceiptListReply")]
pub struct ReceiptListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: ReceiptPage,
}
