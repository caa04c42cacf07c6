//! `POST /api/user/login/wallet` and `POST /api/user/login/wallet/challenge`.

use super::convert::{challenge_reply, proof, wallet};
use super::{too_many_texts, too_many_tries, unavailable};
use crate::{IdentityError, IdentityService};
use tollgate_accounts::{BadLimit, NewSession};
use tollgate_api::generated::ops::identities::{
    ChallengeWallet, ChallengeWalletError, ChallengeWalletInput, SignInByWallet, SignInByWalletError,
    SignInByWalletInput,
};
use tollgate_api::generated::types::{LoginReply, WalletChallengeReply};
use tollgate_api::{BeginsSession, Cx};

impl ChallengeWallet for IdentityService {
    async fn challenge_wallet(
        &self,
        cx: &Cx,
        input: ChallengeWalletInput,
    ) -> Result<WalletChallengeReply, ChallengeWalletError> {
        let new = wallet(&input.body.chain, input.body.address);
        let made = self.challenge(&new, cx.client).await;
        made.map(challenge_reply).map_err(|error| match error {
            IdentityError::Disabled => ChallengeWalletError::WalletsDisabled,
            IdentityError::Unfit(BadLimit { field, expected, found }) => {
                ChallengeWalletError::BadField { field, expected: expected.to_owned(), found }
            }
            IdentityError::TooMany { wait_seconds } => {
                ChallengeWalletError::RateLimited { limit: too_many_texts(cx, wait_seconds) }
            }
            error => {
                unavailable(cx, &error);
                ChallengeWalletError::LedgerUnavailable
            }
        })
    }
}

impl SignInByWallet for IdentityService {
    async fn sign_in_by_wallet(
        &self,
        cx: &Cx,
        input: SignInByWalletInput,
    ) -> Result<BeginsSession<LoginReply>, SignInByWalletError> {
        let proof = proof(input.body);
        let begun = IdentityService::sign_in_by_wallet(self, &proof, cx.client).await;
        begun.map(NewSession::into_reply).map_err(|error| match error {
            IdentityError::Unfit(BadLimit { field, expected, found }) => {
                SignInByWalletError::BadField { field, expected: expected.to_owned(), found }
            }
            IdentityError::TooMany { wait_seconds } => {
                SignInByWalletError::RateLimited { limit: too_many_tries(cx, wait_seconds) }
            }
            IdentityError::Challenge => SignInByWalletError::ChallengeInvalid,
            IdentityError::Proof(_) => SignInByWalletError::BadWalletSignature { address: proof.wallet.address },
            IdentityError::Frozen => SignInByWalletError::AccountFrozen,
            IdentityError::Closed => SignInByWalletError::RegistrationDisabled,
            IdentityError::NameTaken => SignInByWalletError::AccountExists,
            error => {
                unavailable(cx, &error);
                SignInByWalletError::LedgerUnavailable
            }
        })
    }
}
