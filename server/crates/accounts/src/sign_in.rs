//! Signing in and out, and the look-up of a session by its token.

use std::net::IpAddr;

use super::password::PasswordError;
use super::sql::sessions::SignInRow;
use super::{
    AccountError, AccountService, AccountState, NewSession, SessionRejection, SignInRejection, UserSession, sql, token,
};
use tollgate_api::generated::limits;
use tollgate_base::{AccountGroup, AccountId, Actor, Caller, Secret, SessionId};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

/// A session is written down as used at most this often.
const SEEN_EVERY_MS: i64 = 60_000;
const PASSWORD_CHARS_MIN: usize = 8;
/// The longest password, in characters, as the operations of signing in take it.
const PASSWORD_CHARS_MAX: usize = 1024;

impl AccountService {
    /// Signs a person in by name and password.
    ///
    /// # Errors
    /// When they do not fit together, in one way whether or not the name is known; when somebody tried too often; when the
    /// store fails.
    pub async fn sign_in(
        &self,
        name: &str,
        password: Secret,
        from: Option<IpAddr>,
    ) -> Result<NewSession, SignInRejection> {
        let begun = self.failures.begin(name, from, self.clock.now_ms())?;
        let session = self.try_sign_in(name, password, from).await;
        match &session {
            Err(SignInRejection::Wrong) => {}
            // Nobody was told whether the password fits.
            Ok(_) | Err(_) => self.failures.take_back(&begun),
        }
        session
    }

    async fn try_sign_in(
        &self,
        name: &str,
        password: Secret,
        from: Option<IpAddr>,
    ) -> Result<NewSession, SignInRejection> {
        let (account, hash) = self.known_by_password(name, password, from).await?;
        self.begin_session(account, &hash).await
    }

    /// The active account of a name and its password, with the hash of that.
    ///
    /// It takes a place in the queue first: who finds none costs no more than that.
    pub(super) async fn known_by_password(
        &self,
        name: &str,
        password: Secret,
        from: Option<IpAddr>,
    ) -> Result<(AccountId, String), SignInRejection> {
        let place = self.passwords.enqueue(from)?;
        let found = sql::sessions::find_sign_in(self.store.readers(), name, &name.to_lowercase()).await?;
        let stored = found.as_ref().and_then(|row| row.password.clone());
        let fits = self.passwords.fits(place, password, stored).await?;
        match found {
            Some(SignInRow { account, state: AccountState::Active, password: Some(hash) }) if fits => {
                Ok((account, hash))
            }
            _ => Err(SignInRejection::Wrong),
        }
    }

    /// Makes an account for a person, and signs them in.
    ///
    /// # Errors
    /// When registration is switched off and no open invitation is shown, the address is none or taken, or as
    /// [`sign_in`](Self::sign_in).
    pub async fn register(
        &self,
        email: &str,
        password: Secret,
        invitation: Option<&str>,
        from: Option<IpAddr>,
    ) -> Result<NewSession, SignInRejection> {
        let invited = invitation.filter(|_| !self.registration).and_then(token::id);
        let is_invited = match invited {
            Some(hash) => sql::sessions::is_invited(self.store.readers(), hash, self.clock.now_ms()).await?,
            None => false,
        };
        if !self.registration && !is_invited {
            return Err(SignInRejection::Closed);
        }
        let email = email.to_lowercase();
        if !is_address(&email) {
            return Err(SignInRejection::NoAddress);
        }
        let place = self.passwords.enqueue(from)?;
        self.failures.register(from, self.clock.now_ms())?;
        let hash = self.passwords.hash(place, password).await?;
        let mut transaction = self.store.begin().await?;
        let named = (AccountGroup::DEFAULT, email.as_str(), "");
        let account = match self.create_within(&mut transaction, named, Some(&hash), "registration".into()).await {
            Ok(account) => account.id,
            Err(AccountError::NameTaken) => return Err(SignInRejection::NameTaken),
            Err(AccountError::Store(error)) => return Err(error.into()),
            Err(_) => return Err(SignInRejection::NoAddress),
        };
        // Of many who have the link, one opens an account by it.
        if let Some(hash) = invited
            && !sql::sessions::register_invited(&mut transaction, hash, account, self.clock.now_ms()).await?
        {
            return Err(SignInRejection::Closed);
        }
        transaction.commit().await.map_err(StoreError::commit("an account"))?;
        self.begin_session(account, &hash).await
    }

    /// Sets the password of an account. All its sessions end.
    ///
    /// # Errors
    /// When it is too short or too long, the account is not there, or the store fails.
    pub async fn set_password(
        &self,
        account: AccountId,
        password: Secret,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<(), AccountError> {
        self.replace_password(account, None, password, None, actor.into()).await.map(drop)
    }

    /// Sets the password of an account, in the place of the one with this hash where one is given; false where it is another since, or
    /// the account is frozen.
    pub(super) async fn replace_password(
        &self,
        account: AccountId,
        before: Option<&str>,
        password: Secret,
        from: Option<IpAddr>,
        actor: Actor<'_>,
    ) -> Result<bool, AccountError> {
        let hash = self.hash_password(password, from).await?;
        let mut transaction = self.store.begin_of(account).await?;
        let is_set = match before {
            Some(before) => sql::sessions::replace_password(&mut transaction, account, before, &hash).await?,
            None => sql::sessions::set_password(&mut transaction, account, &hash).await.map(|()| true)?,
        };
        if is_set {
            self.commit_password(transaction, account, actor).await?;
        }
        Ok(is_set)
    }

    /// The hash of a password that is to be stored.
    pub(super) async fn hash_password(&self, password: Secret, from: Option<IpAddr>) -> Result<String, AccountError> {
        if !(PASSWORD_CHARS_MIN..=PASSWORD_CHARS_MAX).contains(&password.reveal().chars().count()) {
            return Err(AccountError::PasswordUnfit);
        }
        let hashed = async { self.passwords.hash(self.passwords.enqueue(from)?, password).await };
        hashed.await.map_err(|error| match error {
            PasswordError::Busy | PasswordError::Broken(_) | PasswordError::NoThread(_) | PasswordError::Lost => {
                AccountError::Hashing
            }
        })
    }

    /// Writes down that an account has another password, which ends the transaction.
    pub(super) async fn commit_password(
        &self,
        mut transaction: StoreTransaction,
        account: AccountId,
        actor: Actor<'_>,
    ) -> Result<(), StoreError> {
        let subject = account.to_string();
        let entry = AuditEntry::new(self.clock.now_ms(), actor, "account.set_password", &subject);
        record(&mut transaction, &entry).await?;
        transaction.commit().await.map_err(StoreError::commit("a password"))
    }

    /// The session of a token, while it lasts.
    ///
    /// # Errors
    /// Says why it is nobody's.
    pub async fn session(&self, token: &str) -> Result<UserSession, SessionRejection> {
        let id = token::id(token).ok_or(SessionRejection::Unknown)?;
        let found =
            sql::sessions::find_session(self.store.readers(), id).await.map_err(SessionRejection::Unavailable)?;
        let (session, state) = found.ok_or(SessionRejection::Unknown)?;
        let now_ms = self.clock.now_ms();
        if is_over(&session, now_ms) {
            return Err(SessionRejection::Over);
        }
        if state != AccountState::Active {
            return Err(SessionRejection::Unknown);
        }
        if now_ms - session.seen_at_ms >= SEEN_EVERY_MS {
            // What can be read is told where nothing can be written: the session ends the sooner for it.
            if let Err(error) = self.seen(id, now_ms).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "that a session is in use could not be written down"
                );
            }
        }
        Ok(session)
    }

    /// Sees within a transaction that a session which was let in is one still, acts for the same organisation in the same role, and
    /// keeps it from ending before the transaction.
    pub(super) async fn still_signed_in(
        &self,
        transaction: &mut StoreTransaction,
        caller: &Caller,
        id: SessionId,
    ) -> Result<bool, StoreError> {
        // The member first: so does the end of a membership, which ends its sessions.
        let is_member = match caller.member {
            Some(member) => {
                sql::sessions::keep_member(transaction, member.id).await?.is_some_and(|role| role == member.role)
            }
            None => true,
        };
        let found = self.session_now(transaction, id).await?;
        Ok(is_member && found.is_some_and(|session| session.caller() == *caller))
    }

    /// The session of an active account that is not over. It does not end before the transaction.
    pub(super) async fn session_now(
        &self,
        transaction: &mut StoreTransaction,
        id: SessionId,
    ) -> Result<Option<UserSession>, StoreError> {
        let found = sql::sessions::keep_session(transaction, id).await?;
        let now_ms = self.clock.now_ms();
        let lasts = |(session, state): &(UserSession, AccountState)| {
            *state == AccountState::Active && !is_over(session, now_ms)
        };
        Ok(found.filter(lasts).map(|(session, _)| session))
    }

    /// Ends a session. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_session(&self, id: SessionId) -> Result<(), StoreError> {
        let mut transaction = self.store.begin_unordered().await?;
        sql::sessions::end_session(&mut transaction, id).await?;
        transaction.commit().await.map_err(StoreError::commit("the end of a session"))
    }

    async fn seen(&self, id: SessionId, now_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.store.begin_unordered().await?;
        sql::sessions::session_seen(&mut transaction, id, now_ms).await?;
        transaction.commit().await.map_err(StoreError::commit("a session"))
    }

    async fn begin_session(&self, account: AccountId, password: &str) -> Result<NewSession, SignInRejection> {
        let mut transaction = self.store.begin_of(account).await?;
        let begun = self.insert_session(&mut transaction, account, Some(password), None).await?;
        transaction.commit().await.map_err(StoreError::commit("a session"))?;
        begun.ok_or(SignInRejection::Wrong)
    }

    /// Begins a session of an active account: of one that has this password's hash, where one was compared. `issuer` is the provider that
    /// has signed the person in.
    pub(super) async fn insert_session(
        &self,
        transaction: &mut StoreTransaction,
        account: AccountId,
        password: Option<&str>,
        issuer: Option<&str>,
    ) -> Result<Option<NewSession>, StoreError> {
        let token = token::draw();
        let created_at_ms = self.clock.now_ms();
        let lasts_ms = i64::try_from(limits::SESSION_TOTAL.as_millis()).unwrap_or(i64::MAX);
        let session = UserSession {
            id: token::id(token.reveal()).expect("a drawn token is well formed"),
            account,
            member: None,
            created_at_ms,
            seen_at_ms: created_at_ms,
            ends_at_ms: created_at_ms.saturating_add(lasts_ms),
        };
        let most = i64::from(limits::SESSIONS_PER_ACCOUNT);
        let begun = sql::sessions::insert_session(transaction, &session, (password, issuer), most).await?;
        Ok(begun.then_some(NewSession { session, token }))
    }
}

/// True if a text can be an e-mail address. No check is made that somebody reads mail there.
#[must_use]
pub fn is_address(text: &str) -> bool {
    let parts = text.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty() && !host.is_empty() && !host.contains('@') && !host.starts_with('.') && !host.ends_with('.')
    });
    parts && !text.chars().any(|letter| letter.is_whitespace() || letter.is_control())
}

/// True if its time is over, or nobody has used it for too long.
fn is_over(session: &UserSession, now_ms: i64) -> bool {
    let idle_ms = i64::try_from(limits::SESSION_IDLE.as_millis()).unwrap_or(i64::MAX);
    now_ms >= session.ends_at_ms || now_ms - session.seen_at_ms >= idle_ms
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn an_address_has_two_parts_and_no_blanks() {
        for (text, is) in [
            ("a@b", true),
            ("a.b+c@example.org", true),
            ("ü@example.org", true),
            ("", false),
            ("a", false),
            ("@b", false),
            ("a@", false),
            ("a@b@c", false),
            ("a b@c", false),
            ("a@.b", false),
            ("a@b.", false),
            ("a@b\n", false),
        ] {
            assert_eq!(is_address(text), is, "{text:?}");
        }
    }
}
