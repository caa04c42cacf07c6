//! `/api/user/self/sessions` and `POST /api/user/self/password`.

use data_encoding::HEXLOWER;

use super::sessions::{busy, too_many};
use super::unavailable;
use crate::{AccountService, FirstPasswordRejection, SignInRejection, UserSession};
use tollgate_api::generated::ops::sessions::{
    ChangePassword, ChangePasswordError, ChangePasswordInput, EndSessions, EndSessionsError, EndSessionsInput,
    ListSessions, ListSessionsError, ListSessionsInput,
};
use tollgate_api::generated::types::{
    PasswordReply, SessionInfo, SessionInfoListReply, SessionsEnded, SessionsEndedReply,
};
use tollgate_api::{Caller, Cx};
use tollgate_base::{CallerCredential, Secret, SessionId};

impl ListSessions for AccountService {
    async fn list_sessions(
        &self,
        cx: &Cx,
        input: ListSessionsInput,
    ) -> Result<SessionInfoListReply, ListSessionsError> {
        let asking = asking(&input.caller).ok_or(ListSessionsError::SessionInvalid)?;
        let sessions = self.sessions(input.caller.person()).await.map_err(|error| {
            unavailable(cx, &error);
            ListSessionsError::LedgerUnavailable
        })?;
        let data = sessions.into_iter().map(|session| info(&session, asking)).collect();
        Ok(SessionInfoListReply { success: true, message: String::new(), data })
    }
}

impl EndSessions for AccountService {
    async fn end_sessions(&self, cx: &Cx, input: EndSessionsInput) -> Result<SessionsEndedReply, EndSessionsError> {
        let asking = asking(&input.caller).ok_or(EndSessionsError::SessionInvalid)?;
        let session = input.session.map(|text| {
            // What is no hash names no session.
            let hash = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
            SessionId(hash.unwrap_or_default())
        });
        let ended = self.end_other_sessions(input.caller.person(), asking, session).await.map_err(|error| {
            unavailable(cx, &error);
            EndSessionsError::LedgerUnavailable
        })?;
        let data = SessionsEnded { ended: i64::try_from(ended).unwrap_or(i64::MAX) };
        Ok(SessionsEndedReply { success: true, message: String::new(), data })
    }
}

impl ChangePassword for AccountService {
    async fn change_password(&self, cx: &Cx, input: ChangePasswordInput) -> Result<PasswordReply, ChangePasswordError> {
        let ChangePasswordInput { caller, body } = input;
        let new = Secret::new(body.new_password.0);
        let changed = match body.password {
            Some(present) => {
                let present = Secret::new(present.0);
                let changed = AccountService::change_password(self, caller.person(), present, new, cx.client).await;
                changed.map_err(|refused| not_changed(cx, refused))
            }
            None => {
                let asking = asking(&caller).ok_or(ChangePasswordError::SessionInvalid)?;
                let set = self.set_first_password(caller.person(), asking, new, cx.client).await;
                set.map_err(|refused| not_set(cx, refused))
            }
        };
        changed.map(|()| PasswordReply { success: true, message: String::new() })
    }
}

fn not_changed(cx: &Cx, refused: SignInRejection) -> ChangePasswordError {
    match refused {
        SignInRejection::Wrong | SignInRejection::Closed | SignInRejection::NoAddress | SignInRejection::NameTaken => {
            ChangePasswordError::LoginFailed
        }
        SignInRejection::TooMany { wait_seconds } => {
            ChangePasswordError::RateLimited { limit: too_many(cx, wait_seconds) }
        }
        SignInRejection::Busy => ChangePasswordError::RateLimited { limit: busy(cx) },
        SignInRejection::Unchecked(error) => {
            unavailable(cx, &*error);
            ChangePasswordError::LedgerUnavailable
        }
        SignInRejection::Store(error) => {
            unavailable(cx, &error);
            ChangePasswordError::LedgerUnavailable
        }
    }
}

fn not_set(cx: &Cx, refused: FirstPasswordRejection) -> ChangePasswordError {
    match refused {
        // The present one is asked for, and none was sent.
        FirstPasswordRejection::HasOne => ChangePasswordError::LoginFailed,
        FirstPasswordRejection::SignedOut => ChangePasswordError::SessionInvalid,
        FirstPasswordRejection::Stale => ChangePasswordError::SignInStale,
        FirstPasswordRejection::Busy => ChangePasswordError::RateLimited { limit: busy(cx) },
        FirstPasswordRejection::Unset(error) => {
            unavailable(cx, &*error);
            ChangePasswordError::LedgerUnavailable
        }
        FirstPasswordRejection::Store(error) => {
            unavailable(cx, &error);
            ChangePasswordError::LedgerUnavailable
        }
    }
}

/// The session that a request was made by.
fn asking(caller: &Caller) -> Option<SessionId> {
    match caller.by {
        CallerCredential::Session(session) => Some(session),
        CallerCredential::Key(_) | CallerCredential::Agent(..) => None,
    }
}

fn info(session: &UserSession, asking: SessionId) -> SessionInfo {
    SessionInfo {
        session_id: HEXLOWER.encode(&session.id.0),
        current: session.id == asking,
        created_at: session.created_at_ms / 1000,
        seen_at: session.seen_at_ms / 1000,
        ends_at: session.ends_at_ms / 1000,
    }
}
