//! `POST /api/user/register`, `/api/user/login` and `/api/user/logout`.

use super::unavailable;
use crate::{AccountService, NewSession, SignInRejection};
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::sessions::{
    SignIn, SignInError, SignInInput, SignOut, SignOutError, SignOutInput, SignUp, SignUpError, SignUpInput,
};
use tollgate_api::generated::types::{LoginReply, LogoutReply, SignedIn};
use tollgate_api::{BeginsSession, Cx};
use tollgate_base::{CallerCredential, Secret};

/// The wait before another try where too many wait to be signed in.
const BUSY_SECONDS: u32 = 5;

impl SignUp for AccountService {
    async fn sign_up(&self, cx: &Cx, input: SignUpInput) -> Result<BeginsSession<LoginReply>, SignUpError> {
        let password = Secret::new(input.body.password.0);
        let invitation = input.body.invitation.as_ref().map(|token| token.0.as_str());
        let begun = self.register(&input.body.email, password, invitation, cx.client).await;
        begun.map(NewSession::into_reply).map_err(|refused| match refused {
            SignInRejection::Closed => SignUpError::RegistrationDisabled,
            // Or it was frozen before it was signed in to: then it is there as well.
            SignInRejection::NameTaken | SignInRejection::Wrong => SignUpError::AccountExists,
            SignInRejection::NoAddress => SignUpError::BadField {
                field: "email".to_owned(),
                expected: "an e-mail address".to_owned(),
                found: "another text".to_owned(),
            },
            SignInRejection::TooMany { wait_seconds } => SignUpError::RateLimited { limit: too_many(cx, wait_seconds) },
            SignInRejection::Busy => SignUpError::RateLimited { limit: busy(cx) },
            SignInRejection::Unchecked(error) => {
                unavailable(cx, &*error);
                SignUpError::LedgerUnavailable
            }
            SignInRejection::Store(error) => {
                unavailable(cx, &error);
                SignUpError::LedgerUnavailable
            }
        })
    }
}

impl SignIn for AccountService {
    async fn sign_in(&self, cx: &Cx, input: SignInInput) -> Result<BeginsSession<LoginReply>, SignInError> {
        let password = Secret::new(input.body.password.0);
        let begun = AccountService::sign_in(self, &input.body.email, password, cx.client).await;
        begun.map(NewSession::into_reply).map_err(|refused| match refused {
            SignInRejection::Wrong
            | SignInRejection::Closed
            | SignInRejection::NoAddress
            | SignInRejection::NameTaken => SignInError::LoginFailed,
            SignInRejection::TooMany { wait_seconds } => SignInError::RateLimited { limit: too_many(cx, wait_seconds) },
            SignInRejection::Busy => SignInError::RateLimited { limit: busy(cx) },
            SignInRejection::Unchecked(error) => {
                unavailable(cx, &*error);
                SignInError::LedgerUnavailable
            }
            SignInRejection::Store(error) => {
                unavailable(cx, &error);
                SignInError::LedgerUnavailable
            }
        })
    }
}

impl SignOut for AccountService {
    async fn sign_out(&self, cx: &Cx, input: SignOutInput) -> Result<LogoutReply, SignOutError> {
        if let CallerCredential::Session(session) = input.caller.by {
            self.end_session(session).await.map_err(|error| {
                unavailable(cx, &error);
                SignOutError::LedgerUnavailable
            })?;
        }
        Ok(LogoutReply { success: true, message: String::new() })
    }
}

impl NewSession {
    /// The answer of signing in, which sets the cookie of the session.
    #[must_use]
    pub fn into_reply(self) -> BeginsSession<LoginReply> {
        let Self { session, token } = self;
        let data = SignedIn { user_id: session.account.0, expires_at: session.ends_at_ms / 1000 };
        let reply = LoginReply { success: true, message: String::new(), data };
        BeginsSession { reply, token, lasts: limits::SESSION_TOTAL }
    }
}

pub(super) fn too_many(cx: &Cx, wait_seconds: u32) -> String {
    cx.retry_after(wait_seconds);
    format!("{} failed tries to sign in a minute, with one name from one address", limits::LOGIN_TRIES)
}

pub(super) fn busy(cx: &Cx) -> String {
    cx.retry_after(BUSY_SECONDS);
    "too many people sign in at the same time".to_owned()
}
