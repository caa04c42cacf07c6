//! A request that carries an Idempotency-Key, and its sender.

use tollgate_base::{AccountId, Caller, CallerCredential, KeyId, Principal, RequestId};

/// A request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The account whose key it is: another account's may be the same.
    pub account: AccountId,
    /// The key.
    pub key: String,
    /// The digest of method, path and body, and of who asks.
    pub sha256: [u8; 32],
    /// The request.
    pub request: RequestId,
    /// True where money is held for it.
    pub is_paid_for: bool,
}

/// The sender of a request that carries a key.
#[derive(Debug, Clone, Copy)]
pub struct Asker {
    pub(super) account: AccountId,
    /// None for a person who is signed in, who is the same when they sign in again.
    pub(super) by: Option<KeyId>,
}

impl From<&Principal> for Asker {
    fn from(principal: &Principal) -> Self {
        Self { account: principal.account, by: Some(principal.key) }
    }
}

impl From<&Caller> for Asker {
    fn from(caller: &Caller) -> Self {
        let by = match caller.by {
            CallerCredential::Key(key) | CallerCredential::Agent(_, key) => Some(key),
            CallerCredential::Session(_) => None,
        };
        Self { account: caller.account, by }
    }
}
