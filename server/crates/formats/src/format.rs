//! The formats, and the upstream and model that an encoder writes for.

use super::ModelCapabilities;

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

/// The upstream and the model that a request is written for.
#[derive(Debug, Clone, Copy)]
pub struct ConversionTarget<'a> {
    /// The provider's name in the configuration: the maker of the signatures that it gets back.
    pub upstream: &'a str,
    /// The model's name there.
    pub model: &'a str,
    /// The longest output of the model, in tokens: written where the format requires a bound and the client gave none.
    pub output_max: u64,
    /// The bound that the credit buys, in tokens, where that is less than what the client may have.
    pub output_bought: Option<u64>,
    /// True if the output bound of format O goes by its older name, `max_tokens`.
    pub older_bound_name: bool,
    /// True if caching is to be requested for a client whose own format caches without being asked.
    pub asks_for_cache: bool,
    /// The capabilities of the model.
    pub capabilities: ModelCapabilities,
}
