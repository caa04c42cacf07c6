//! Idempotency-Keys that are claimed with holds and released with receipts, as a batch decides on them.

use std::collections::HashMap;

use super::claim_key::key;
use super::hold_ending::HoldEnding;
use super::rules::LoadedRows;
use tollgate_api::generated::limits;
use tollgate_api::{ClaimState, KeptAnswer, KeyClaim};
use tollgate_base::{AccountId, RequestId, Usd};

/// The most bytes of replies in one batch: all its accounts wait for it. A reply beyond them is written by itself, after the
/// receipt.
const REPLY_BYTES_MAX: usize = 1024 * 1024;

/// The end of a claim, written with a receipt.
#[derive(Debug)]
pub(super) struct ClaimEnd<'a> {
    pub(super) claim: &'a KeyClaim,
    pub(super) end: ClaimRowChange,
}

/// The change of the row of a key.
#[derive(Debug)]
pub(super) enum ClaimRowChange {
    /// Nothing was charged: the row is deleted.
    Released,
    /// It was charged, and no reply is kept.
    Charged,
    /// It was charged, and this reply is kept.
    Replied(KeptAnswer),
    /// It was charged, and its reply is written by itself: no change.
    Afterwards,
}

impl ClaimEnd<'_> {
    /// The state of the claim once this is on the disk.
    pub(super) fn state(&self) -> ClaimState {
        match self.end {
            ClaimRowChange::Released => ClaimState::Released,
            ClaimRowChange::Charged => ClaimState::Charged,
            ClaimRowChange::Replied(_) => ClaimState::Replied,
            ClaimRowChange::Afterwards => ClaimState::Running,
        }
    }
}

/// The replies that a batch writes with its receipts so far.
#[derive(Debug, Default)]
pub(super) struct BatchReplies {
    bytes: usize,
    by_account: HashMap<AccountId, u32>,
}

impl BatchReplies {
    fn add(&mut self, account: AccountId, bytes: usize) {
        self.bytes += bytes;
        *self.by_account.entry(account).or_default() += 1;
    }

    fn of(&self, account: AccountId) -> u32 {
        self.by_account.get(&account).copied().unwrap_or_default()
    }
}

/// Another request that has the key.
pub(super) fn holder(claim: &KeyClaim, loaded: &LoadedRows) -> Option<RequestId> {
    loaded.claims.get(&key(claim)).copied().filter(|holder| *holder != claim.request.request)
}

/// Takes the key for the request; answers whether its row has to be written. It is there already where the request took the place
/// of one that nothing came of.
pub(super) fn take(claim: &KeyClaim, loaded: &mut LoadedRows) -> bool {
    loaded.claims.insert(key(claim), claim.request.request).is_none()
}

/// The end of a claim with its hold.
pub(super) fn end<'a>(
    claim: &'a KeyClaim,
    ending: &HoldEnding,
    charged: Usd,
    replies: &mut BatchReplies,
) -> ClaimEnd<'a> {
    let account = claim.request.account;
    let end = if ending.usage.is_none() {
        ClaimRowChange::Released
    } else if claim.kept_replies().saturating_add(replies.of(account)) >= limits::IDEMPOTENCY_ANSWERS {
        ClaimRowChange::Charged
    } else if claim.replies_afterwards() {
        ClaimRowChange::Afterwards
    } else {
        match claim.reply(charged) {
            Some(reply) if replies.bytes + reply.body.len() <= REPLY_BYTES_MAX => {
                replies.add(account, reply.body.len());
                ClaimRowChange::Replied(reply)
            }
            Some(_) => ClaimRowChange::Afterwards,
            None => ClaimRowChange::Charged,
        }
    };
    ClaimEnd { claim, end }
}
