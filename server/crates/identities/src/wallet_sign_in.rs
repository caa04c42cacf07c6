//! Signing in by a wallet.

use std::net::IpAddr;

use super::identity::IdentityKey;
use super::sql::{self, NewIdentityRow};
use super::{Identity, IdentityError, IdentityService, WalletProof};
use tollgate_accounts::NewSession;
use tollgate_base::{AccountId, draw_id};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

impl IdentityService {
    /// Signs a person in by a wallet that has signed a text of [`challenge`](Self::challenge). A wallet that nobody has opens an
    /// account, where registration is switched on. Text, session and account are one commit: whatever is refused has used
    /// nothing.
    ///
    /// # Errors
    /// When the wallet or its signature does not fit the text; that is used, over or for something else; too many failed from
    /// there; the account is frozen; nobody has the wallet and registration is off, or the name is taken; or the store fails.
    pub async fn sign_in_by_wallet(
        &self,
        proof: &WalletProof,
        from: Option<IpAddr>,
    ) -> Result<NewSession, IdentityError> {
        self.counted(from, self.try_sign_in(proof, from)).await
    }

    /// Counts a try that shows nobody, and takes back one that showed who it is, or for which nothing was looked at.
    pub(super) async fn counted<T: Send>(
        &self,
        from: Option<IpAddr>,
        attempt: impl Future<Output = Result<T, IdentityError>> + Send,
    ) -> Result<T, IdentityError> {
        let begun = self.accounts.begin_try(from).map_err(|refused| IdentityError::counted(&refused))?;
        let done = attempt.await;
        match &done {
            // A made-up code is refused by some providers as one that is not good, and by others as another mistake.
            Err(
                IdentityError::Challenge
                | IdentityError::Proof(_)
                | IdentityError::OidcRefused(_)
                | IdentityError::OidcNotExchanged(_),
            ) => {}
            Ok(_) | Err(_) => self.accounts.take_back_try(&begun),
        }
        done
    }

    async fn try_sign_in(&self, proof: &WalletProof, from: Option<IpAddr>) -> Result<NewSession, IdentityError> {
        // 1. What needs no lock.
        let key = IdentityKey::from(&self.proven(proof, None).await?);
        let known = sql::find(self.store.readers(), &key).await?;
        if known.is_none() {
            self.may_register(None, from)?;
        }
        // 2. What two could take at once: the text, and the account of a wallet that comes for the first time.
        let mut transaction = match &known {
            Some(identity) => self.store.begin_of(identity.account).await?,
            None => self.store.begin().await?,
        };
        if !sql::use_challenge(&mut transaction, &proof.nonce).await? {
            return Err(IdentityError::Challenge);
        }
        let account = match sql::find(&mut transaction, &key).await? {
            Some(identity) => self.used(&mut transaction, &identity).await?,
            None if known.is_none() => self.registered(&mut transaction, &key).await?,
            // It was taken away since: whoever has it no more opens no account by it without asking.
            None => return Err(IdentityError::Challenge),
        };
        let session = self.accounts.begin_session_within(&mut transaction, account, None).await?;
        let session = session.ok_or(IdentityError::Frozen)?;
        transaction.commit().await.map_err(StoreError::commit("a session"))?;
        Ok(session)
    }

    /// Sees whether somebody may open an account, as `open` says or else as everybody may, and counts it.
    pub(super) fn may_register(&self, open: Option<bool>, from: Option<IpAddr>) -> Result<(), IdentityError> {
        if !open.unwrap_or_else(|| self.accounts.is_registration_open()) {
            return Err(IdentityError::Closed);
        }
        self.accounts.count_registration(from).map_err(|refused| IdentityError::counted(&refused))
    }

    /// Writes down that an identity was used. From then on it is not taken away before the transaction ends.
    pub(super) async fn used(
        &self,
        transaction: &mut StoreTransaction,
        identity: &Identity,
    ) -> Result<AccountId, IdentityError> {
        if sql::used(transaction, identity.id, self.clock.now_ms()).await? {
            Ok(identity.account)
        } else {
            Err(IdentityError::Challenge)
        }
    }

    /// Opens an account that a wallet signs in to.
    async fn registered(
        &self,
        transaction: &mut StoreTransaction,
        key: &IdentityKey,
    ) -> Result<AccountId, IdentityError> {
        let account = self.accounts.open_account(transaction, &key.subject, "registration".into()).await?;
        self.add(transaction, account.id, key, "registration").await?;
        Ok(account.id)
    }

    /// Makes something an identity of an account, with its line in the log of changes.
    pub(super) async fn add(
        &self,
        transaction: &mut StoreTransaction,
        account: AccountId,
        key: &IdentityKey,
        actor: &str,
    ) -> Result<Identity, IdentityError> {
        let created_at_ms = self.clock.now_ms();
        let row = NewIdentityRow { id: draw_id(1), account, key, created_at_ms };
        sql::insert(transaction, &row).await?;
        let (of, detail) = (account.to_string(), key.to_string());
        let entry = AuditEntry::new(created_at_ms, actor, "identity.add", &of);
        record(transaction, &entry.detail(&detail)).await?;
        let (id, IdentityKey { kind, issuer, subject }) = (row.id, key.clone());
        Ok(Identity { id, account, kind, issuer, subject, created_at_ms, used_at_ms: created_at_ms })
    }
}
