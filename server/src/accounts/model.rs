//! What this room speaks of.

use crate::base::{AccountId, Group, KeyId, Secret};

/// An account: one balance, any number of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// Its name, unique.
    pub name: String,
    /// Whether its keys are accepted.
    pub state: AccountState,
    /// The group that its prices go by.
    pub group: Group,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
}

/// Whether the keys of an account are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountState {
    /// They are.
    Active,
    /// They are all refused; money stays where it is.
    Frozen,
}

/// An API key, as it may be shown: without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its number.
    pub id: KeyId,
    /// The account that pays for it.
    pub account: AccountId,
    /// The first eight characters and the last four, `sk-AbCdE…wxyz`.
    pub shown: String,
    /// What its owner calls it.
    pub label: String,
    /// Whether it is accepted.
    pub state: KeyState,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// Unix time in milliseconds from which it is refused; never where absent.
    pub expires_at_ms: Option<i64>,
}

/// Whether a key is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// It is, until it expires.
    Active,
    /// It never is again.
    Revoked,
}

/// A key to be made.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// The account that pays for it.
    pub account: AccountId,
    /// What its owner calls it: at most 64 characters, may be empty.
    pub label: String,
    /// Unix time in milliseconds from which it is refused; never where absent.
    pub expires_at_ms: Option<i64>,
}

/// A key that was just made: the one time its secret is at hand.
#[derive(Debug)]
pub struct CreatedKey {
    /// The key.
    pub key: ApiKey,
    /// Its secret. It cannot be shown again.
    pub secret: Secret,
}

/// What a revocation found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revoked {
    /// The key, now revoked.
    pub key: ApiKey,
    /// Whether this call revoked it; false where it was revoked before.
    pub was_active: bool,
}

impl AccountState {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Frozen => "frozen",
        }
    }

    /// Reads a stored state.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Active, Self::Frozen].into_iter().find(|state| state.as_str() == text)
    }
}

impl KeyState {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Revoked => "revoked",
        }
    }

    /// Reads a stored state.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Active, Self::Revoked].into_iter().find(|state| state.as_str() == text)
    }
}
