//! The tokens of a receipt, by kind.

use tollgate_api::generated::types::{ReceiptPrices, ReceiptUsage};
use tollgate_base::PicoUsd;

/// A kind of token with a price of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Of the prompt, cached and written ones included.
    Prompt,
    /// Of the prompt, from a cache.
    Cached,
    /// Of the prompt, written to a cache for five minutes.
    CacheWrite,
    /// Of the prompt, written to a cache for an hour.
    CacheWriteLong,
    /// Of the output, thinking included.
    Completion,
    /// Of the output, thinking.
    Reasoning,
}

/// Tokens of one kind, with their price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedTokens {
    /// The kind.
    pub kind: TokenKind,
    /// The number, above zero.
    pub count: i64,
    /// USD for a million.
    pub price: String,
}

/// The kinds of tokens that were used.
#[must_use]
pub fn used(usage: &ReceiptUsage, prices: &ReceiptPrices) -> Vec<UsedTokens> {
    let kinds = [
        (TokenKind::Prompt, usage.prompt_tokens, prices.prompt_picousd),
        (TokenKind::Cached, usage.cached_tokens, prices.cached_picousd),
        (TokenKind::CacheWrite, usage.cache_write_tokens, prices.cache_write_picousd),
        (TokenKind::CacheWriteLong, usage.cache_write_long_tokens, prices.cache_write_long_picousd),
        (TokenKind::Completion, usage.completion_tokens, prices.completion_picousd),
        (TokenKind::Reasoning, usage.reasoning_tokens, prices.reasoning_picousd),
    ];
    let price = |picos: i64| PicoUsd::new(picos).map(|price| price.to_string()).unwrap_or_default();
    let used = kinds.into_iter().filter(|(_, count, _)| *count > 0);
    used.map(|(kind, count, picos)| UsedTokens { kind, count, price: price(picos) }).collect()
}
