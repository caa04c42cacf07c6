//! The formats, and what an encoder is told of the place that it writes for.

use super::Capabilities;

/// A text format: of a client, or of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Format O: `/v1/chat/completions`.
    Chat,
    /// Format O's older operation, `/v1/completions`: of clients alone. Providers that have it speak [`Format::Chat`].
    Completions,
    /// The responses API: `/v1/responses`.
    Responses,
    /// Format A: `/v1/messages`.
    Messages,
    /// Format G: `/v1beta/models/{model}:generateContent`.
    Generate,
}

/// Where a request is written for.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The provider's name in the configuration: the maker of the signatures that it gets back.
    pub upstream: &'a str,
    /// The model's name there.
    pub model: &'a str,
    /// The longest output of the model, in tokens: written where the format requires a bound and the client gave none.
    pub output_max: u64,
    /// The bound that the credit buys, in tokens, where that is less than what the client may have.
    pub output_bought: Option<u64>,
    /// Whether the output bound of format O goes by its older name, `max_tokens`.
    pub older_bound_name: bool,
    /// Whether a client whose format caches unasked is to have its prompt cached where the format has to be asked.
    pub asks_for_cache: bool,
    /// What the model can do.
    pub capabilities: Capabilities,
}
