//! Letting operators in: by key, by invitation, by password and second factor, by session.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use super::second_factor::{self, SALT_BYTES, TotpSecret};
use super::sql::{Enrolment, SignInRow};
use super::{
    BegunOperatorSession, NewSecondFactor, Operator, OperatorError, OperatorRejection, OperatorService,
    OperatorSession, OperatorSignIn, OperatorState, sql,
};
use crate::{key, token};
use tollgate_api::generated::limits;
use tollgate_base::{Actor, OperatorCaller, OperatorId, SessionId, draw_bytes};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

/// The least characters of a password: those who have it may do much.
const PASSWORD_CHARS_MIN: usize = 12;
const PASSWORD_CHARS_MAX: usize = 1024;
const BROWSER_CHARS_MAX: usize = 200;
/// Wrong codes beside the right password, after which each further one makes all wait.
const CODES_FAILED_MAX: i64 = 10;
const CODES_FAILED_WAIT_MS: i64 = 15 * 60_000;
/// A session is written down as used at most this often.
const SEEN_EVERY_MS: i64 = 60_000;

impl OperatorService {
    /// The operator whose key it is.
    ///
    /// # Errors
    /// Says why it is nobody's.
    pub async fn by_key(&self, secret: &str) -> Result<OperatorCaller, OperatorRejection> {
        let hash = key::hash(key::OPERATOR, secret).ok_or(OperatorRejection::Unknown)?;
        let operator = sql::by_key(self.store.readers(), &hash).await?.ok_or(OperatorRejection::Unknown)?;
        if operator.state != OperatorState::Active {
            return Err(OperatorRejection::Disabled);
        }
        if operator.expires_at_ms.is_some_and(|at| self.clock.now_ms() >= at) {
            return Err(OperatorRejection::Over);
        }
        let Operator { id, name, role, .. } = operator;
        Ok(OperatorCaller { operator: id, name: name.into(), role: role.as_str(), session: None })
    }

    /// The operator whose session it is, while it lasts.
    ///
    /// # Errors
    /// Says why it is nobody's.
    pub async fn by_session(&self, token: &str) -> Result<OperatorCaller, OperatorRejection> {
        let id = token::id(token).ok_or(OperatorRejection::Unknown)?;
        let found = sql::find_session(self.store.readers(), id).await?;
        let (session, name, role) = found.ok_or(OperatorRejection::Unknown)?;
        let now_ms = self.clock.now_ms();
        if now_ms >= session.ends_at_ms || now_ms - session.seen_at_ms >= millis(limits::OPERATOR_SESSION_IDLE) {
            return Err(OperatorRejection::Over);
        }
        if now_ms - session.seen_at_ms >= SEEN_EVERY_MS {
            // What can be read is told where nothing can be written: the session ends the sooner for it.
            if let Err(error) = self.seen(id, now_ms).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "that a session of an operator is in use could not be written down");
            }
        }
        let name: Arc<str> = name.into();
        Ok(OperatorCaller { operator: session.operator, name, role: role.as_str(), session: Some(id) })
    }

    /// Offers a second factor to the person whose invitation it is. It counts once it is bound by
    /// [`accept`](Self::accept).
    ///
    /// # Errors
    /// When the invitation is nobody's or has ended, when somebody tries too often, or when the store fails.
    pub async fn offer_second_factor(
        &self,
        invitation: &str,
        issuer: &str,
        from: Option<IpAddr>,
    ) -> Result<NewSecondFactor, OperatorRejection> {
        let (_, operator) = self.invited(invitation, from).await?;
        let secret = TotpSecret::draw();
        let uri = second_factor::uri(issuer, &operator.name, &secret);
        let qr_svg = second_factor::qr_svg(&uri).expect("the longest name fits, as a test shows");
        Ok(NewSecondFactor { name: operator.name, secret: secret.shown(), uri, qr_svg })
    }

    /// Takes the password and the second factor that an invited person has chosen, and signs them in. `factor` is the secret that
    /// was offered, and `ask.code` its code of this moment; `ask.name` is not read.
    ///
    /// # Errors
    /// When the invitation is nobody's or has ended, password or code are unfit, or the store fails.
    pub async fn accept(
        &self,
        invitation: &str,
        factor: &str,
        ask: OperatorSignIn,
    ) -> Result<BegunOperatorSession, OperatorRejection> {
        let (hash, operator) = self.invited(invitation, ask.from).await?;
        let chars = ask.password.reveal().chars().count();
        if !(PASSWORD_CHARS_MIN..=PASSWORD_CHARS_MAX).contains(&chars) {
            return Err(OperatorRejection::PasswordUnfit);
        }
        let now_ms = self.clock.now_ms();
        let factor = TotpSecret::read(factor).ok_or(OperatorRejection::CodeWrong)?;
        let totp_step = factor.step_of(ask.code.reveal(), now_ms, 0).ok_or(OperatorRejection::CodeWrong)?;
        let salt = draw_bytes();
        let password = self.passwords.hash(self.passwords.enqueue(ask.from)?, ask.password.clone()).await?;
        let totp = factor.seal(operator.id, &salt, &self.sealing_key(&ask, salt).await?);
        let enrolment = Enrolment { invitation: &hash.0, password: &password, totp: &totp, totp_step };
        let mut transaction = self.store.begin().await?;
        if !sql::accept(&mut transaction, operator.id, enrolment, now_ms).await? {
            return Err(OperatorRejection::Unknown);
        }
        self.begin_session(transaction, operator, &ask, "operator.enrol").await
    }

    /// The person that an invitation is for. Tries count as those to sign in do.
    async fn invited(
        &self,
        invitation: &str,
        from: Option<IpAddr>,
    ) -> Result<(SessionId, Operator), OperatorRejection> {
        let begun = self.failures.begin_unnamed(from, self.clock.now_ms()).map_err(|refused| too_many(&refused))?;
        let hash = token::id(invitation).ok_or(OperatorRejection::Unknown)?;
        let operator = sql::by_invitation(self.store.readers(), &hash.0).await?.ok_or(OperatorRejection::Unknown)?;
        self.failures.take_back(&begun);
        if operator.state != OperatorState::Active {
            return Err(OperatorRejection::Disabled);
        }
        if operator.invitation_ends_at_ms.is_none_or(|at| self.clock.now_ms() >= at) {
            return Err(OperatorRejection::Over);
        }
        Ok((hash, operator))
    }

    /// Signs a person in by name, password and the code of the second factor.
    ///
    /// # Errors
    /// [`OperatorRejection::Unknown`] where they do not fit together, in one way whichever is wrong; when somebody tried too often;
    /// when the store fails.
    pub async fn sign_in(&self, ask: OperatorSignIn) -> Result<BegunOperatorSession, OperatorRejection> {
        let begun =
            self.failures.begin(&ask.name, ask.from, self.clock.now_ms()).map_err(|refused| too_many(&refused))?;
        let session = self.try_sign_in(&ask).await;
        match &session {
            Err(OperatorRejection::Unknown) => {}
            // Nobody was told whether the password fits.
            Ok(_) | Err(_) => self.failures.take_back(&begun),
        }
        session
    }

    async fn try_sign_in(&self, ask: &OperatorSignIn) -> Result<BegunOperatorSession, OperatorRejection> {
        let place = self.passwords.enqueue(ask.from)?;
        let found = sql::find_sign_in(self.store.readers(), &ask.name).await?;
        let stored = found.as_ref().and_then(|row| row.password.clone());
        let fits = self.passwords.fits(place, ask.password.clone(), stored).await?;
        let sealed = found.as_ref().and_then(|row| row.totp.clone()).unwrap_or_default();
        // As much work where the password does not fit.
        let salt = second_factor::salt(&sealed).unwrap_or([0; SALT_BYTES]);
        let key = self.sealing_key(ask, salt).await?;
        let Some(SignInRow { operator, password: Some(password), totp_step, failed, failed_at_ms, .. }) =
            found.filter(|_| fits)
        else {
            return Err(OperatorRejection::Unknown);
        };
        let now_ms = self.clock.now_ms();
        // Whoever has the password guesses codes on no more than this many tries, from however many addresses and on all servers.
        if failed >= CODES_FAILED_MAX && now_ms - failed_at_ms < CODES_FAILED_WAIT_MS {
            return Err(OperatorRejection::Unknown);
        }
        let factor = TotpSecret::open(&sealed, operator.id, &key).ok_or(OperatorRejection::Unknown)?;
        let Some(step) = factor.step_of(ask.code.reveal(), now_ms, totp_step) else {
            self.code_failed(&operator, ask, now_ms).await?;
            return Err(OperatorRejection::Unknown);
        };
        let mut transaction = self.store.begin().await?;
        if !sql::take_code(&mut transaction, operator.id, &password, step).await? {
            return Err(OperatorRejection::Unknown);
        }
        self.begin_session(transaction, operator, ask, "operator.sign_in").await
    }

    /// Writes down that the password was right and the code was not.
    async fn code_failed(&self, operator: &Operator, ask: &OperatorSignIn, now_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        sql::code_failed(&mut transaction, operator.id, now_ms).await?;
        let actor = Actor { name: "somebody with the password", address: ask.from, reason: "" };
        let subject = operator.id.to_string();
        record(&mut transaction, &AuditEntry::new(now_ms, actor, "operator.code_refused", &subject)).await?;
        transaction.commit().await.map_err(StoreError::commit("a wrong code"))?;
        tracing::warn!(operator = operator.name, "somebody signs in with the right password and a wrong code");
        Ok(())
    }

    /// The key that seals the second factor: argon2id of the password with a salt of its own.
    async fn sealing_key(&self, ask: &OperatorSignIn, salt: [u8; SALT_BYTES]) -> Result<[u8; 32], OperatorRejection> {
        let place = self.passwords.enqueue(ask.from)?;
        Ok(self.passwords.derive(place, ask.password.clone(), salt).await?)
    }

    async fn begin_session(
        &self,
        mut transaction: StoreTransaction,
        operator: Operator,
        ask: &OperatorSignIn,
        action: &'static str,
    ) -> Result<BegunOperatorSession, OperatorRejection> {
        let token = token::draw();
        let created_at_ms = self.clock.now_ms();
        let browser: String =
            ask.browser.chars().filter(|letter| !letter.is_control()).take(BROWSER_CHARS_MAX).collect();
        let session = OperatorSession {
            id: token::id(token.reveal()).expect("a drawn token is well formed"),
            operator: operator.id,
            address: ask.from.map(|address| address.to_string()),
            browser: Some(browser).filter(|browser| !browser.is_empty()),
            created_at_ms,
            seen_at_ms: created_at_ms,
            ends_at_ms: created_at_ms.saturating_add(millis(limits::OPERATOR_SESSION_TOTAL)),
        };
        sql::insert_session(&mut transaction, &session).await?;
        let name = OperatorCaller::actor_name(&operator.name);
        let actor = Actor { name: &name, address: ask.from, reason: "" };
        let subject = operator.id.to_string();
        record(&mut transaction, &AuditEntry::new(created_at_ms, actor, action, &subject)).await?;
        transaction.commit().await.map_err(StoreError::commit("a session of an operator"))?;
        let operator = Operator { enrolled: true, invitation_ends_at_ms: None, ..operator };
        Ok(BegunOperatorSession { operator, session, token })
    }

    async fn seen(&self, id: SessionId, now_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.store.begin_unordered().await?;
        sql::seen(&mut transaction, id, now_ms).await?;
        transaction.commit().await.map_err(StoreError::commit("a session of an operator"))
    }

    /// The sessions of an operator that are not over, the newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sessions(&self, operator: OperatorId) -> Result<Vec<OperatorSession>, StoreError> {
        let now_ms = self.clock.now_ms();
        sql::sessions(self.store.readers(), operator, now_ms, now_ms - millis(limits::OPERATOR_SESSION_IDLE)).await
    }

    /// Ends a session of an operator, or all of them. Doing it twice is the same as once. Gives the number of those that ended.
    ///
    /// # Errors
    /// When there is no such operator, or the store fails.
    pub async fn end_sessions(
        &self,
        operator: OperatorId,
        session: Option<SessionId>,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<u64, OperatorError> {
        let actor: Actor<'_> = actor.into();
        let mut transaction = self.store.begin().await?;
        if sql::find(&mut transaction, &operator.to_string()).await?.is_none() {
            return Err(OperatorError::NoSuchOperator);
        }
        let ended = sql::end_sessions(&mut transaction, operator, session).await?;
        if ended > 0 {
            let (subject, detail) = (operator.to_string(), format!("{ended} ended"));
            let entry = AuditEntry::new(self.clock.now_ms(), actor, "operator.end_sessions", &subject).detail(&detail);
            record(&mut transaction, &entry).await?;
        }
        transaction.commit().await.map_err(StoreError::commit("the end of a session"))?;
        Ok(ended)
    }
}

fn too_many(refused: &crate::SignInRejection) -> OperatorRejection {
    match refused {
        crate::SignInRejection::TooMany { wait_seconds } => OperatorRejection::TooMany { wait_seconds: *wait_seconds },
        _ => OperatorRejection::Busy,
    }
}

pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
