//! `/api/user/self/sessions` and `POST /api/user/self/password`.

use data_encoding::HEXLOWER;

use super::sessions::{busy, too_many};
use super::unavailable;
use crate::{AccountService, SignInRejection, UserSession};
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
        let (password, new) = (Secret::new(body.password.0), Secret::new(body.new_password.0));
        let changed = AccountService::change_password(self, caller.person(), password, new, cx.client).await;
        changed.map_err(|refused| match refused {
            SignInRejection::Wrong
            | SignInRejection::Closed
            | SignInRejection::NoAddress
            | SignInRejection::NameTaken => ChangePasswordError::LoginFailed,
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
        })?;
        Ok(PasswordReply { success: true, message: String::new() })
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
