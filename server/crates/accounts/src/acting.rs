//! The organisation that a session acts for, and invitations as far as they open an account.

use super::{AccountError, AccountService, sql, token};
use tollgate_base::{Caller, CallerCredential, PoolId, Secret, SessionId};
use tollgate_store::StoreTransaction;

/// A secret that was drawn for somebody who is invited, and the hash that it is found by.
#[derive(Debug)]
pub struct InvitationSecret {
    /// The secret, which stands in the link alone.
    pub token: Secret,
    /// Its hash.
    pub hash: [u8; 32],
}

impl InvitationSecret {
    /// Draws a secret.
    #[must_use]
    pub fn draw() -> Self {
        let token = token::draw();
        let SessionId(hash) = token::id(token.reveal()).expect("a drawn token is well formed");
        Self { token, hash }
    }

    /// The hash of a secret, where the text has the form of one.
    #[must_use]
    pub fn hash_of(token: &str) -> Option<[u8; 32]> {
        token::id(token).map(|SessionId(hash)| hash)
    }
}

impl AccountService {
    /// True if a membership lasts, up to the end of the transaction.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_member_still(
        &self,
        transaction: &mut StoreTransaction,
        member: PoolId,
    ) -> Result<bool, AccountError> {
        Ok(sql::sessions::keep_member(transaction, member).await?.is_some())
    }

    /// Lets the session of a caller act for an organisation of the person's, or for the own account, and the person's next sessions
    /// too. The database refuses what the person is no member of.
    ///
    /// # Errors
    /// When the caller shows no session, or the store fails.
    pub async fn act_as(
        &self,
        transaction: &mut StoreTransaction,
        caller: &Caller,
        member: Option<PoolId>,
    ) -> Result<(), AccountError> {
        let CallerCredential::Session(session) = caller.by else { return Err(AccountError::SignedOut) };
        Ok(sql::sessions::act_as(transaction, session, caller.person(), member).await?)
    }
}
