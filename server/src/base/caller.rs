//! The word for "who is calling": a value of this type exists only after a credential was checked.

use super::{AccountId, Group, KeyId};

/// An authenticated caller. A handler that received one need not ask again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Principal {
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
    /// The group of the account, by which its prices go.
    pub group: Group,
}
