//! A grant that is asked for.

use tollgate_base::{AccountId, Actor, Usd};

/// A grant to be made.
#[derive(Debug, Clone, Copy)]
pub struct GrantRequest<'a> {
    /// The account that gets the credit.
    pub account: AccountId,
    /// The amount, more than zero.
    pub amount: Usd,
    /// The idempotency key, by which a repeated call is recognised: 1 to 128 bytes.
    pub idem: &'a str,
    /// The actor that grants it.
    pub actor: Actor<'a>,
    /// The reason: at most 500 characters.
    pub note: &'a str,
}
