//! The name of a claim: an account and its Idempotency-Key.

use tollgate_api::KeyClaim;
use tollgate_base::AccountId;

/// An account and its Idempotency-Key.
pub(super) type ClaimKey = (AccountId, String);

/// The account and the key of a claim.
pub(super) fn key(claim: &KeyClaim) -> ClaimKey {
    (claim.request.account, claim.request.key.clone())
}
