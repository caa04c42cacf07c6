//! Sessions and the password of an account, for its owner.

use std::net::IpAddr;

use super::{AccountError, AccountService, FirstPasswordRejection, SignInRejection, UserSession, sql};
use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Secret, SessionId};
use tollgate_store::StoreError;

impl AccountService {
    /// The sessions of an account that are not over, the newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sessions(&self, account: AccountId) -> Result<Vec<UserSession>, StoreError> {
        let now_ms = self.clock.now_ms();
        let idle_ms = i64::try_from(limits::SESSION_IDLE.as_millis()).unwrap_or(i64::MAX);
        sql::sessions::sessions(self.store.readers(), account, [now_ms, now_ms.saturating_sub(idle_ms)]).await
    }

    /// Ends one session of an account, or all but the one that asks. Gives their number. The one that asks stays in any case.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_other_sessions(
        &self,
        account: AccountId,
        asking: SessionId,
        session: Option<SessionId>,
    ) -> Result<u64, StoreError> {
        let mut transaction = self.store.begin_unordered().await?;
        let ended = sql::sessions::end_other_sessions(&mut transaction, account, asking, session).await?;
        transaction.commit().await.map_err(StoreError::commit("the end of sessions"))?;
        Ok(ended)
    }

    /// Changes the password of an account, for who knows the present one. All its sessions end. A wrong one counts as a try to
    /// sign in.
    ///
    /// # Errors
    /// When the present password is another, somebody tried too often, or the store fails.
    pub async fn change_password(
        &self,
        account: AccountId,
        password: Secret,
        new: Secret,
        from: Option<IpAddr>,
    ) -> Result<(), SignInRejection> {
        let name = self.find_account(&account.to_string()).await.map_err(refused)?.name;
        let begun = self.failures.begin(&name, from, self.clock.now_ms())?;
        let known = self.known_by_password(&name, password, from).await;
        if !matches!(known, Err(SignInRejection::Wrong)) {
            self.failures.take_back(&begun);
        }
        let (found, hash) = known?;
        if found != account {
            return Err(SignInRejection::Wrong);
        }
        let actor = format!("account {account}");
        match self.replace_password(account, Some(&hash), new, from, actor.as_str().into()).await {
            Ok(true) => Ok(()),
            // It was changed, or the account was frozen, since it was compared.
            Ok(false) => Err(SignInRejection::Wrong),
            Err(error) => Err(refused(error)),
        }
    }

    /// True if a person signs in by a password too.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn signs_in_by_password(&self, person: AccountId) -> Result<bool, StoreError> {
        self.has_password(self.store.readers(), person).await
    }

    /// Gives an account that has no password its first one, by a recent session. All its sessions end.
    ///
    /// # Errors
    /// When there is a password, the session is over or began too long ago, too many wait, or the store fails.
    pub async fn set_first_password(
        &self,
        account: AccountId,
        asking: SessionId,
        password: Secret,
        from: Option<IpAddr>,
    ) -> Result<(), FirstPasswordRejection> {
        // What would be refused in the end costs no hash.
        if self.signs_in_by_password(account).await? {
            return Err(FirstPasswordRejection::HasOne);
        }
        let found = sql::sessions::find_session(self.store.readers(), asking).await?;
        self.require_recent(found.map(|(session, _)| session), account)?;
        let hash = self.hash_password(password, from).await.map_err(|error| match error {
            AccountError::Store(error) => error.into(),
            AccountError::Hashing => FirstPasswordRejection::Busy,
            error => FirstPasswordRejection::Unset(Box::new(error)),
        })?;
        let mut transaction = self.store.begin_of(account).await?;
        let session = self.session_now(&mut transaction, asking).await?;
        self.require_recent(session, account)?;
        if !sql::sessions::set_first_password(&mut transaction, account, &hash).await? {
            return Err(FirstPasswordRejection::HasOne);
        }
        let actor = format!("account {account}");
        Ok(self.commit_password(transaction, account, actor.as_str().into()).await?)
    }

    /// Sees that there is a session of the account, and that it is recent.
    fn require_recent(&self, session: Option<UserSession>, account: AccountId) -> Result<(), FirstPasswordRejection> {
        let session = session.filter(|session| session.account == account);
        let session = session.ok_or(FirstPasswordRejection::SignedOut)?;
        if self.is_recent(&session) { Ok(()) } else { Err(FirstPasswordRejection::Stale) }
    }
}

fn refused(error: AccountError) -> SignInRejection {
    match error {
        AccountError::Store(error) => error.into(),
        AccountError::Hashing => SignInRejection::Busy,
        // Frozen and taken away meanwhile, or a password of another length than the operation lets through.
        error => SignInRejection::Unchecked(Box::new(error)),
    }
}
