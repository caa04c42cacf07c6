//! The operations of the room of identities on accounts and sessions, each within a transaction of that room.

use std::net::IpAddr;

use super::failures::SignInAttempt;
use super::{Account, AccountError, AccountService, NewSession, SignInRejection, UserSession, sql};
use tollgate_api::generated::limits;
use tollgate_base::{AccountGroup, AccountId, Actor, Caller, CallerCredential};
use tollgate_store::{StatementTarget, StoreError, StoreTransaction};

impl AccountService {
    /// The account of the person who is signed in.
    ///
    /// # Errors
    /// When a key asks, the session is over, or the store fails.
    pub async fn person(&self, caller: &Caller) -> Result<AccountId, AccountError> {
        self.session_of(caller).await.map(|session| session.account)
    }

    /// The account of the person who is signed in, within the transaction that changes something: the session lasts as long as it.
    ///
    /// # Errors
    /// As [`person`](Self::person).
    pub async fn person_now(
        &self,
        transaction: &mut StoreTransaction,
        caller: &Caller,
    ) -> Result<AccountId, AccountError> {
        let CallerCredential::Session(id) = caller.by else { return Err(AccountError::SignedOut) };
        // The member first, as in the end of a membership. Whoever is none any more has lost the session with it.
        if let Some(member) = caller.member {
            sql::sessions::keep_member(transaction, member.id).await?;
        }
        self.session_now(transaction, id).await?.map(|session| session.account).ok_or(AccountError::SignedOut)
    }

    /// The account of the person who is signed in, by a recent session.
    ///
    /// # Errors
    /// As [`person`](Self::person), and when the session began too long ago.
    pub async fn recently_signed_in(&self, caller: &Caller) -> Result<AccountId, AccountError> {
        let session = self.session_of(caller).await?;
        if self.is_recent(&session) { Ok(session.account) } else { Err(AccountError::SignInStale) }
    }

    async fn session_of(&self, caller: &Caller) -> Result<UserSession, AccountError> {
        let CallerCredential::Session(id) = caller.by else { return Err(AccountError::SignedOut) };
        let found = sql::sessions::find_session(self.store.readers(), id).await?;
        found.map(|(session, _)| session).ok_or(AccountError::SignedOut)
    }

    /// True if a session is of a recent sign-in, so that a way to sign in may be added by it.
    pub(super) fn is_recent(&self, session: &UserSession) -> bool {
        let recent_ms = i64::try_from(limits::RECENT_SIGN_IN.as_millis()).unwrap_or(i64::MAX);
        self.clock.now_ms() - session.created_at_ms < recent_ms
    }

    /// Opens an account for a person who signs in by an identity.
    ///
    /// # Errors
    /// When the name is unfit or taken, or the store fails.
    pub async fn open_account(
        &self,
        transaction: &mut StoreTransaction,
        name: &str,
        actor: Actor<'_>,
    ) -> Result<Account, AccountError> {
        self.create_within(transaction, (AccountGroup::DEFAULT, name, ""), None, actor).await
    }

    /// Begins a session of an account that has an identity; none where the account is frozen. `issuer` is the provider that has signed
    /// the person in, where one did: members that its groups have made act in such sessions alone.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn begin_session_within(
        &self,
        transaction: &mut StoreTransaction,
        account: AccountId,
        issuer: Option<&str>,
    ) -> Result<Option<NewSession>, StoreError> {
        self.insert_session(transaction, account, None, issuer).await
    }

    /// Ends the sessions of an account that have begun by a provider, up to this unix time in milliseconds. Gives their number.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_sessions_by(&self, account: AccountId, issuer: &str, upto_ms: i64) -> Result<u64, StoreError> {
        // Waits for a session that is being written at the moment; one that begins later stays.
        let mut transaction = self.store.begin_of(account).await?;
        let ended = sql::sessions::end_sessions_by(&mut transaction, account, issuer, upto_ms).await?;
        transaction.commit().await.map_err(StoreError::commit("the end of sessions"))?;
        Ok(ended)
    }

    /// True if an account can be signed in to by a password.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn has_password<'t>(
        &self,
        reader: impl Into<StatementTarget<'t>> + Send,
        account: AccountId,
    ) -> Result<bool, StoreError> {
        sql::sessions::has_password(reader, account).await
    }

    /// Begins a try to sign in by something that names its owner. It counts as failed until it is taken back.
    ///
    /// # Errors
    /// When too many failed from there within a minute.
    pub fn begin_try(&self, from: Option<IpAddr>) -> Result<SignInAttempt, SignInRejection> {
        self.failures.begin_unnamed(from, self.clock.now_ms())
    }

    /// Takes back a try that succeeded, or that showed nothing.
    pub fn take_back_try(&self, begun: &SignInAttempt) {
        self.failures.take_back(begun);
    }

    /// Counts an account that somebody wants to open.
    ///
    /// # Errors
    /// When too many were opened from there within a minute.
    pub fn count_registration(&self, from: Option<IpAddr>) -> Result<(), SignInRejection> {
        self.failures.register(from, self.clock.now_ms())
    }
}
