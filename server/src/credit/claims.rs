//! Idempotency-Keys that are claimed with holds and let go with receipts, as a batch decides on them.

use super::queue::Ending;
use super::rules::Loaded;
use crate::api::{ClaimStands, KeptAnswer, KeyClaim};
use crate::base::{AccountId, RequestId, Usd};
use crate::generated::limits;

/// The largest answer that is written down with a receipt: a batch may have hundreds, and all its accounts wait for it. A larger
/// one is written down by itself, after the receipt.
const ANSWER_BYTES_MAX: usize = 32 * 1024;

/// An account and its key.
pub(super) type ClaimKey = (AccountId, String);

/// How a claim ends with its receipt.
#[derive(Debug)]
pub(super) struct ClaimEnd<'a> {
    pub(super) claim: &'a KeyClaim,
    pub(super) end: KeyEnd,
}

/// What becomes of the row of a key.
#[derive(Debug)]
pub(super) enum KeyEnd {
    /// Nothing was charged: the next one may have it.
    Free,
    /// It was charged, and its answer is not given again.
    Done,
    /// It was charged, and this is its answer.
    Answered(KeptAnswer),
    /// It was charged, and its answer is written down by itself.
    Later,
}

impl ClaimEnd<'_> {
    /// Where it leaves the claim.
    pub(super) fn leaves(&self) -> ClaimStands {
        match self.end {
            KeyEnd::Free | KeyEnd::Done => ClaimStands::Ended,
            KeyEnd::Answered(_) => ClaimStands::Answered,
            KeyEnd::Later => ClaimStands::Running,
        }
    }
}

/// What a claim is for.
pub(super) fn key(claim: &KeyClaim) -> ClaimKey {
    (claim.request.account, claim.request.key.clone())
}

/// The other request that has the key.
pub(super) fn other(claim: &KeyClaim, loaded: &Loaded) -> Option<RequestId> {
    loaded.claims.get(&key(claim)).copied().filter(|has| *has != claim.request.request)
}

/// Whether the row of a key is to be written. A request may have it already, in the place of one that nothing came of.
pub(super) fn write(claim: &KeyClaim, loaded: &mut Loaded) -> bool {
    loaded.claims.insert(key(claim), claim.request.request).is_none()
}

/// How a claim ends with a hold.
pub(super) fn end<'a>(claim: &'a KeyClaim, ending: &Ending, charged: Usd) -> ClaimEnd<'a> {
    let end = if ending.usage.is_none() {
        KeyEnd::Free
    } else if claim.answers_kept() >= limits::IDEMPOTENCY_ANSWERS {
        KeyEnd::Done
    } else {
        match claim.answer(charged) {
            Some(answer) if answer.body.len() <= ANSWER_BYTES_MAX => KeyEnd::Answered(answer),
            Some(_) => KeyEnd::Later,
            None => KeyEnd::Done,
        }
    };
    ClaimEnd { claim, end }
}
