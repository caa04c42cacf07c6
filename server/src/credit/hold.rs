//! A hold, as the object that its owner settles, releases or drops.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::TokenPrices;
use super::limits::{RateLimitState, RateLimited};
use super::live_holds::LiveHolds;
use super::queue::{HoldEnding, ResolveAnswer, ResolveHold, WriterOperation, WriterQueue};
use super::settle::SettlementRule;
use crate::api::KeyClaim;
use crate::base::{AccountId, HoldId, KeyId, RequestId, Usd};

/// A hold that is asked for: the amount, the account that pays, and the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldRequest {
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
    /// The request. It has one hold at the most.
    pub request: RequestId,
    /// Tokens of it that are known beforehand, for the rate of the key. Its settlement knows all of them.
    pub tokens: u64,
    /// The most that it can cost.
    pub want: Usd,
    /// The least that makes a useful answer: where less is available, nothing is held.
    pub least: Usd,
    /// Unix time in milliseconds from which it is given back if its owner is gone. One that lives keeps it.
    pub expires_at_ms: i64,
    /// The model that was asked for.
    pub model: String,
    /// True if a stream was asked for; shown on the receipt.
    pub stream: bool,
    /// The prices that apply.
    pub price: TokenPrices,
    /// The request's claim on its Idempotency-Key, written down with the hold.
    pub claim: Option<Arc<KeyClaim>>,
}

/// The reason that nothing is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HoldRefused {
    /// The account does not have it.
    #[error("not enough credit: {needed} USD needed, {available} available, {held} held")]
    Insufficient {
        /// The least that was asked for.
        needed: Usd,
        /// The amount that can be held.
        available: Usd,
        /// The amount that other requests hold.
        held: Usd,
    },
    /// The account has it, but other requests hold it at the moment.
    #[error("credit is tied up by other requests: {needed} USD needed, {available} available, {held} held")]
    TiedUp {
        /// The least that was asked for.
        needed: Usd,
        /// The amount that can be held.
        available: Usd,
        /// The amount that other requests hold.
        held: Usd,
    },
    /// The key has spent a budget.
    #[error("the budget of the key is {budget} USD, {used} of it spent or held: {needed} USD needed")]
    OverBudget {
        /// The least that was asked for.
        needed: Usd,
        /// The budget.
        budget: Usd,
        /// The part of it that is spent, or held by other requests.
        used: Usd,
        /// Unix time in milliseconds at which it begins anew; absent where it never does.
        resets_at_ms: Option<i64>,
    },
    /// The key asks more often than it may.
    #[error("the key has used up its {:?} limit of {}", .0.rate, .0.limit)]
    TooSoon(RateLimited),
    /// The key was revoked.
    #[error("the key was revoked")]
    KeyRevoked,
    /// The time of the key is over.
    #[error("the key has expired")]
    KeyExpired,
    /// The account is frozen.
    #[error("the account is frozen")]
    AccountFrozen,
    /// No such account has a balance.
    #[error("no such account")]
    NoSuchAccount,
    /// The request id was used for a hold before.
    #[error("this request id was used before")]
    Duplicate,
    /// Another request has its Idempotency-Key.
    #[error("request {0} has the idempotency key")]
    Claimed(RequestId),
    /// The amounts, the time or a name of the hold that is asked for are not valid.
    #[error("the hold is not valid: {0}")]
    Invalid(&'static str),
    /// The writer is too busy.
    #[error("the ledger is too busy")]
    QueueFull,
    /// It could not be written, or nobody knows whether it was. If it was, it is given back.
    #[error("the ledger is not available")]
    Unavailable,
}

/// Reserved money. It ends by [`Ledger::settle`](super::Ledger::settle) or
/// [`Ledger::release`](super::Ledger::release); dropped, it is released.
#[derive(Debug)]
#[must_use = "a hold that is dropped is released, and the request is free"]
pub struct Hold {
    held: OpenHold,
    ends: mpsc::UnboundedSender<WriterOperation>,
    in_hand: LiveHolds,
    claim: Option<Arc<KeyClaim>>,
    open: bool,
}

/// The facts of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenHold {
    pub(super) id: HoldId,
    pub(super) account: AccountId,
    pub(super) request: RequestId,
    pub(super) amount: Usd,
    pub(super) standing: RateLimitState,
}

impl Hold {
    /// A hold that is on the disk, and counts as live from now on.
    pub(super) fn new(held: OpenHold, claim: Option<Arc<KeyClaim>>, queue: &WriterQueue) -> Self {
        queue.in_hand.add(held.id);
        Self { held, ends: queue.ends.clone(), in_hand: queue.in_hand.clone(), claim, open: true }
    }

    /// A hold that is on the disk and stays there, whatever becomes of this object.
    pub(super) fn durable(held: OpenHold, queue: &WriterQueue) -> Self {
        let mut hold = Self::new(held, None, queue);
        hold.open = false;
        hold
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> HoldId {
        self.held.id
    }

    /// The account that pays.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.held.account
    }

    /// The request it is for.
    #[must_use]
    pub fn request(&self) -> RequestId {
        self.held.request
    }

    /// The reserved amount: what was wanted, or less where less was available.
    #[must_use]
    pub fn amount(&self) -> Usd {
        self.held.amount
    }

    /// The state of the key's rate limits after this hold.
    #[must_use]
    pub fn rate_limits(&self) -> RateLimitState {
        self.held.standing
    }

    /// The claim that was written down with it.
    #[must_use]
    pub fn claim(&self) -> Option<&KeyClaim> {
        self.claim.as_deref()
    }

    /// Gives the hold up to the writer, which resolves it: from here on dropping it does nothing.
    pub(super) fn end(mut self, ending: HoldEnding, answer: ResolveAnswer) -> Result<(), WriterGone> {
        self.send(ending, Some(answer))
    }

    /// Leaves the hold open without an owner, as an owner does that dies in another process.
    #[cfg(test)]
    pub(super) fn orphan(mut self) {
        self.open = false;
    }

    fn send(&mut self, ending: HoldEnding, answer: Option<ResolveAnswer>) -> Result<(), WriterGone> {
        self.open = false;
        let resolve = ResolveHold::new(self.held.id, self.held.account, ending, answer);
        let resolve = resolve.of(self.held.request).with(self.claim.take());
        self.ends.send(WriterOperation::Resolve(resolve)).map_err(|_| WriterGone)
    }

    fn release(&mut self) {
        let (hold, request) = (self.held.id, self.held.request);
        match self.send(HoldEnding::release(SettlementRule::NotRecorded), None) {
            Ok(()) => tracing::debug!(%hold, %request, "a hold was dropped and is released"),
            Err(WriterGone) => {
                tracing::warn!(%hold, %request, "a hold was dropped after the writer stopped: the next start releases it");
            }
        }
    }
}

/// The writer has stopped. The hold is in the database and is given back at the next start.
#[derive(Debug)]
pub(super) struct WriterGone;

impl Drop for Hold {
    fn drop(&mut self) {
        if self.open {
            self.release();
        }
        self.in_hand.remove(self.held.id);
    }
}
