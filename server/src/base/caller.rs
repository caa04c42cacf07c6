//! The word for "who is calling": a value of this type exists only after a credential was checked.

use super::{AccountId, KeyId};

/// An authenticated caller. A handler that received one need not ask again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Principal {
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
}
