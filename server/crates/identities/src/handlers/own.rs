//! `/api/user/self/identities`: list, add and take away.

use super::convert::{challenge_reply, identity, proof, wallet};
use super::{too_many_texts, too_many_tries, unavailable};
use crate::{IdentityError, IdentityService};
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::ops::identities::{
    ChallengeOwnWallet, ChallengeOwnWalletError, ChallengeOwnWalletInput, LinkWallet, LinkWalletError, LinkWalletInput,
    ListIdentities, ListIdentitiesError, ListIdentitiesInput, RemoveIdentity, RemoveIdentityError, RemoveIdentityInput,
};
use tollgate_api::generated::types::{IdentityListReply, IdentityReply, WalletChallengeReply};

impl ListIdentities for IdentityService {
    async fn list_identities(
        &self,
        cx: &Cx,
        input: ListIdentitiesInput,
    ) -> Result<IdentityListReply, ListIdentitiesError> {
        let own = self.own(&input.caller).await.map_err(|error| match error {
            IdentityError::SignedOut => ListIdentitiesError::SessionInvalid,
            error => {
                unavailable(cx, &error);
                ListIdentitiesError::LedgerUnavailable
            }
        })?;
        let data = own.into_iter().map(identity).collect();
        Ok(IdentityListReply { success: true, message: String::new(), data })
    }
}

impl ChallengeOwnWallet for IdentityService {
    async fn challenge_own_wallet(
        &self,
        cx: &Cx,
        input: ChallengeOwnWalletInput,
    ) -> Result<WalletChallengeReply, ChallengeOwnWalletError> {
        let new = wallet(&input.body.chain, input.body.address);
        let made = self.challenge_own(&input.caller, &new, cx.client).await;
        made.map(challenge_reply).map_err(|error| match error {
            IdentityError::SignedOut => ChallengeOwnWalletError::SessionInvalid,
            IdentityError::SignInStale => ChallengeOwnWalletError::SignInStale,
            IdentityError::Disabled => ChallengeOwnWalletError::WalletsDisabled,
            IdentityError::Unfit(BadLimit { field, expected, found }) => {
                ChallengeOwnWalletError::BadField { field, expected: expected.to_owned(), found }
            }
            IdentityError::TooMany { wait_seconds } => {
                ChallengeOwnWalletError::RateLimited { limit: too_many_texts(cx, wait_seconds) }
            }
            error => {
                unavailable(cx, &error);
                ChallengeOwnWalletError::LedgerUnavailable
            }
        })
    }
}

impl LinkWallet for IdentityService {
    async fn link_wallet(&self, cx: &Cx, input: LinkWalletInput) -> Result<IdentityReply, LinkWalletError> {
        let proof = proof(input.body);
        let linked = self.link(&input.caller, &proof, cx.client).await.map_err(|error| match error {
            IdentityError::SignedOut => LinkWalletError::SessionInvalid,
            IdentityError::Unfit(BadLimit { field, expected, found }) => {
                LinkWalletError::BadField { field, expected: expected.to_owned(), found }
            }
            IdentityError::TooMany { wait_seconds } => {
                LinkWalletError::RateLimited { limit: too_many_tries(cx, wait_seconds) }
            }
            IdentityError::Challenge => LinkWalletError::ChallengeInvalid,
            IdentityError::Proof(_) => LinkWalletError::BadWalletSignature { address: proof.wallet.address.clone() },
            IdentityError::Exists => LinkWalletError::IdentityExists { identity: proof.wallet.address.clone() },
            IdentityError::Limit(count) => LinkWalletError::IdentityLimit { count },
            error => {
                unavailable(cx, &error);
                LinkWalletError::LedgerUnavailable
            }
        })?;
        Ok(IdentityReply { success: true, message: String::new(), data: identity(linked) })
    }
}

impl RemoveIdentity for IdentityService {
    async fn remove_identity(&self, cx: &Cx, input: RemoveIdentityInput) -> Result<IdentityReply, RemoveIdentityError> {
        let identity_id = input.identity_id;
        let removed = self.remove(&input.caller, identity_id).await.map_err(|error| match error {
            IdentityError::SignedOut => RemoveIdentityError::SessionInvalid,
            IdentityError::NotFound => RemoveIdentityError::IdentityNotFound { identity_id },
            IdentityError::Last => RemoveIdentityError::IdentityLast { identity_id },
            IdentityError::LastOwner => RemoveIdentityError::LastOwner,
            error => {
                unavailable(cx, &error);
                RemoveIdentityError::LedgerUnavailable
            }
        })?;
        Ok(IdentityReply { success: true, message: String::new(), data: identity(removed) })
    }
}
