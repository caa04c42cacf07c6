//! Adding, listing and taking away the identities of an account, for its owner.

use std::net::IpAddr;

use super::identity::IdentityKey;
use super::{Identity, IdentityError, IdentityService, WalletProof, sql};
use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Caller};
use tollgate_organisations::ProviderPerson;
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

impl IdentityService {
    /// The identities of the caller's account, the oldest first.
    ///
    /// # Errors
    /// When the session is over, or the store fails.
    pub async fn own(&self, caller: &Caller) -> Result<Vec<Identity>, IdentityError> {
        let account = self.accounts.person(caller).await?;
        Ok(sql::of_account(self.store.readers(), account).await?)
    }

    /// Makes a wallet that has signed a text of [`challenge_own`](Self::challenge_own) a way to sign in to the caller's account.
    ///
    /// # Errors
    /// When the wallet or its signature does not fit the text; that is used, over or for something else; too many failed from
    /// there; the wallet is somebody's already; the account has as many identities as it may; the session is over; or the store
    /// fails.
    pub async fn link(
        &self,
        caller: &Caller,
        proof: &WalletProof,
        from: Option<IpAddr>,
    ) -> Result<Identity, IdentityError> {
        self.counted(from, self.try_link(caller, proof)).await
    }

    async fn try_link(&self, caller: &Caller, proof: &WalletProof) -> Result<Identity, IdentityError> {
        let account = caller.person();
        let wallet = self.proven(proof, Some(account)).await?;
        let mut transaction = self.store.begin_of(account).await?;
        self.accounts.person_now(&mut transaction, caller).await?;
        if !sql::use_challenge(&mut transaction, &proof.nonce).await? {
            return Err(IdentityError::Challenge);
        }
        self.add_own(transaction, account, &IdentityKey::from(&wallet)).await
    }

    /// Makes something an identity of the account that somebody is signed in to.
    pub(super) async fn add_own(
        &self,
        mut transaction: StoreTransaction,
        account: AccountId,
        key: &IdentityKey,
    ) -> Result<Identity, IdentityError> {
        let count = sql::count(&mut transaction, account).await?;
        if count >= i64::from(limits::IDENTITIES_PER_ACCOUNT) {
            return Err(IdentityError::Limit(count));
        }
        let linked = self.add(&mut transaction, account, key, &format!("account {account}")).await?;
        transaction.commit().await.map_err(StoreError::commit("an identity"))?;
        Ok(linked)
    }

    /// Takes an identity away from the caller's account. All sessions of the account end. Where it was a person of a sign-in provider,
    /// what that one's groups have made of the person ends first.
    ///
    /// # Errors
    /// When the account has no such identity, or no other way to sign in; an organisation would be left without an owner; the session
    /// is over; or the store fails.
    pub async fn remove(&self, caller: &Caller, id: i64) -> Result<Identity, IdentityError> {
        let account = caller.person();
        let own = sql::of_account(self.store.readers(), account).await?;
        if let Some(identity) = own.iter().find(|identity| identity.id == id && !identity.issuer.is_empty())
            && own.iter().filter(|other| other.issuer == identity.issuer).count() == 1
            && (own.len() > 1 || self.accounts.has_password(self.store.readers(), account).await?)
        {
            let person = provider_person(identity);
            self.leaves_owners(account, &person.issuer).await?;
            // The session that asks goes on for this, whatever it acts for.
            let mut transaction = self.store.begin_of(account).await?;
            self.accounts.person_now(&mut transaction, caller).await?;
            self.accounts.act_as(&mut transaction, caller, None).await?;
            transaction.commit().await.map_err(StoreError::commit("the organisation of a session"))?;
            self.leave_groups(account, &person).await?;
        }
        // Two of one account go one after the other, so that the later sees what is left.
        let mut transaction = self.store.begin_of(account).await?;
        self.accounts.person_now(&mut transaction, caller).await?;
        let identity = sql::find_own(&mut transaction, account, id).await?.ok_or(IdentityError::NotFound)?;
        let others = sql::count(&mut transaction, account).await? > 1;
        if !others && !self.accounts.has_password(&mut transaction, account).await? {
            return Err(IdentityError::Last);
        }
        sql::delete(&mut transaction, id).await?;
        let (of, actor) = (account.to_string(), format!("account {account}"));
        let Identity { kind, issuer, subject, .. } = identity.clone();
        let detail = IdentityKey { kind, issuer, subject }.to_string();
        let entry = AuditEntry::new(self.clock.now_ms(), actor.as_str(), "identity.remove", &of);
        record(&mut transaction, &entry.detail(&detail)).await?;
        let by_none = sql::last_seen(&mut transaction, account, &identity.issuer).await?.is_none();
        transaction.commit().await.map_err(StoreError::commit("the end of an identity"))?;
        // Of two of one provider that went at once, neither was the last before.
        if !identity.issuer.is_empty() && by_none {
            self.forget_groups(account, &provider_person(&identity)).await?;
        }
        Ok(identity)
    }
}

/// The person of a sign-in provider that an identity is.
fn provider_person(identity: &Identity) -> ProviderPerson {
    ProviderPerson { issuer: identity.issuer.clone(), subject: identity.subject.clone() }
}
