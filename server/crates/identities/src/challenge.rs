//! The texts that wallets are asked to sign.

use std::net::IpAddr;

use super::sql::{self, ChallengeRow};
use super::{IdentityError, IdentityService, NewWalletChallenge, WalletProof};
use tollgate_accounts::BadLimit;
use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Caller, draw_text};
use tollgate_chains::{ChainFamily, SignInMessage, WalletAddress};
use tollgate_store::StoreError;

/// A key is the same on each EVM chain, and the text has to name one.
const EVM_CHAIN: &str = "1";
const NONCE_LETTERS: usize = 32;
const SIGN_IN: &str = "Sign in. This costs nothing and moves nothing.";

/// A text that a wallet is asked to sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletChallenge {
    /// The text.
    pub message: String,
    /// The number in it that counts once.
    pub nonce: String,
    /// The time from which it is good no more, in unix milliseconds.
    pub expires_at_ms: i64,
}

impl IdentityService {
    /// A text to sign in by.
    ///
    /// # Errors
    /// When nobody signs in by wallets here, the wallet is none of that chain, too many were asked for from there, or the store
    /// fails.
    pub async fn challenge(
        &self,
        new: &NewWalletChallenge,
        from: Option<IpAddr>,
    ) -> Result<WalletChallenge, IdentityError> {
        self.make_challenge(new, None, from).await
    }

    /// A text by which a wallet becomes a way to sign in to the caller's account.
    ///
    /// # Errors
    /// As [`challenge`](Self::challenge), and when the session is over or began too long ago.
    pub async fn challenge_own(
        &self,
        caller: &Caller,
        new: &NewWalletChallenge,
        from: Option<IpAddr>,
    ) -> Result<WalletChallenge, IdentityError> {
        // What a new sign-in would not mend comes first.
        self.audience.as_ref().ok_or(IdentityError::Disabled)?;
        fit_wallet(new)?;
        let account = self.accounts.recently_signed_in(caller).await?;
        self.make_challenge(new, Some(account), from).await
    }

    async fn make_challenge(
        &self,
        new: &NewWalletChallenge,
        account: Option<AccountId>,
        from: Option<IpAddr>,
    ) -> Result<WalletChallenge, IdentityError> {
        let audience = self.audience.as_deref().ok_or(IdentityError::Disabled)?;
        let wallet = fit_wallet(new)?;
        let now_ms = self.clock.now_ms();
        self.count_begun(from)?;
        // The text tells whole seconds, and whoever reads it is not told of an end that is later than ours.
        let created_at_ms = now_ms - now_ms.rem_euclid(1000);
        let age_ms = i64::try_from(limits::WALLET_CHALLENGE_AGE.as_millis()).expect("some minutes");
        let challenge = ChallengeRow {
            nonce: draw_text::<NONCE_LETTERS>(),
            wallet,
            account,
            uri: audience.to_owned(),
            chain: self.chain(&wallet).to_owned(),
            created_at_ms,
            ends_at_ms: created_at_ms + age_ms,
        };
        let mut transaction = self.store.begin_unordered().await?;
        sql::insert_challenge(&mut transaction, &challenge, i64::from(limits::WALLET_CHALLENGES)).await?;
        transaction.commit().await.map_err(StoreError::commit("a text to sign"))?;
        let message = text_of(&challenge);
        Ok(WalletChallenge { message, nonce: challenge.nonce, expires_at_ms: challenge.ends_at_ms })
    }

    /// Counts a text to sign, or a sign-in that begins.
    pub(super) fn count_begun(&self, from: Option<IpAddr>) -> Result<(), IdentityError> {
        let counted = self.challenges.count_from(from, self.clock.now_ms());
        counted.map_err(|wait_seconds| IdentityError::TooMany { wait_seconds })
    }

    /// The wallet of a proof, which has signed the text that was made for it and this purpose, and that waits still. Whoever acts on it
    /// uses the text up in the same transaction.
    pub(super) async fn proven(
        &self,
        proof: &WalletProof,
        account: Option<AccountId>,
    ) -> Result<WalletAddress, IdentityError> {
        let wallet = fit_wallet(&proof.wallet)?;
        if !proof.nonce.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(IdentityError::Challenge);
        }
        let found = sql::find_challenge(self.store.readers(), &proof.nonce).await?.ok_or(IdentityError::Challenge)?;
        let is_in_time = self.clock.now_ms() < found.ends_at_ms;
        let is_for_it = found.wallet == wallet && found.account == account;
        // Under another address the service would not say what it said.
        let is_ours = self.audience.as_deref() == Some(found.uri.as_str()) && found.chain == self.chain(&wallet);
        if !is_in_time || !is_for_it || !is_ours {
            return Err(IdentityError::Challenge);
        }
        message_of(&found, &statement(&found)).verify(&proof.signature)?;
        Ok(wallet)
    }

    fn chain(&self, wallet: &WalletAddress) -> &str {
        match wallet.chain() {
            ChainFamily::Evm => EVM_CHAIN,
            ChainFamily::Solana => &self.solana_network,
        }
    }
}

fn text_of(challenge: &ChallengeRow) -> String {
    message_of(challenge, &statement(challenge)).text()
}

fn message_of<'a>(challenge: &'a ChallengeRow, statement: &'a str) -> SignInMessage<'a> {
    SignInMessage {
        wallet: challenge.wallet,
        statement,
        uri: &challenge.uri,
        chain: &challenge.chain,
        nonce: &challenge.nonce,
        issued_at_ms: challenge.created_at_ms,
        expires_at_ms: Some(challenge.ends_at_ms),
    }
}

/// The sentence that says what the signature is for.
fn statement(challenge: &ChallengeRow) -> String {
    match challenge.account {
        None => SIGN_IN.to_owned(),
        Some(account) => {
            format!(
                "Let this wallet sign in to the account {account}. Do not sign this where that account is not yours."
            )
        }
    }
}

/// Reads the wallet, and sees that it is of the chain that the request says.
fn fit_wallet(new: &NewWalletChallenge) -> Result<WalletAddress, IdentityError> {
    let expected = match new.chain {
        ChainFamily::Evm => "an EVM address with 0x",
        ChainFamily::Solana => "a Solana address in base58",
    };
    let read = new.address.parse().ok().filter(|wallet: &WalletAddress| wallet.chain() == new.chain);
    read.ok_or_else(|| {
        let found = format!("'{}'", new.address);
        IdentityError::Unfit(BadLimit { field: "address".to_owned(), expected, found })
    })
}
