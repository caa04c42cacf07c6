//! `/api/admin/operators`: list, create, change, invite, and end sessions.

use data_encoding::HEXLOWER;

use super::{operator_reply, unavailable, version};
use crate::operators::{
    InvitedOperator, OperatorChange, OperatorError, OperatorKind, OperatorService, OperatorSession,
};
use tollgate_api::generated::ops::admin_operators::{
    ChangeOperator, ChangeOperatorError, ChangeOperatorInput, CreateOperator, CreateOperatorError, CreateOperatorInput,
    EndOperatorSessions, EndOperatorSessionsError, EndOperatorSessionsInput, InviteOperator, InviteOperatorError,
    InviteOperatorInput, ListOperatorSessions, ListOperatorSessionsError, ListOperatorSessionsInput, ListOperators,
    ListOperatorsError, ListOperatorsInput,
};
use tollgate_api::generated::types::{
    OperatorCreated, OperatorCreatedReply, OperatorListReply, OperatorReply, OperatorRequest, OperatorSessionInfo,
    OperatorSessionInfoListReply, OperatorSessionsEnded, OperatorSessionsEndedReply,
};
use tollgate_api::{Cx, OperatorCaller, is_version};
use tollgate_base::{Actor, OperatorId, SessionId};

impl ListOperators for OperatorService {
    async fn list_operators(
        &self,
        cx: &Cx,
        _input: ListOperatorsInput,
    ) -> Result<OperatorListReply, ListOperatorsError> {
        let operators = self.operators().await.map_err(|error| {
            unavailable(cx, &error);
            ListOperatorsError::LedgerUnavailable
        })?;
        let data = operators.into_iter().map(operator_reply).collect();
        Ok(OperatorListReply { success: true, message: String::new(), data })
    }
}

impl CreateOperator for OperatorService {
    async fn create_operator(
        &self,
        cx: &Cx,
        input: CreateOperatorInput,
    ) -> Result<OperatorCreatedReply, CreateOperatorError> {
        let OperatorRequest { name, kind, role, expires_at, reason } = input.body;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let field = |field: &str, expected: &str| CreateOperatorError::BadField {
            field: field.to_owned(),
            expected: expected.to_owned(),
            found: "another value".to_owned(),
        };
        let refused = |error: OperatorError| match error {
            OperatorError::NameInvalid => {
                field("name", "1 to 64 characters, no line breaks, no outer spaces, not a number")
            }
            OperatorError::NameTaken => CreateOperatorError::OperatorExists { name: name.clone() },
            OperatorError::ExpiryPast => field("expires_at", "a time in the future"),
            error => {
                unavailable(cx, &error);
                CreateOperatorError::LedgerUnavailable
            }
        };
        let data = match kind {
            OperatorKind::Key => {
                let expires_at_ms = expires_at.map(|seconds| seconds.saturating_mul(1000));
                let created = self.create_key(&name, role, expires_at_ms, actor).await.map_err(refused)?;
                OperatorCreated {
                    operator: operator_reply(created.operator),
                    api_key: Some(created.secret.reveal().to_owned().into()),
                    invitation: None,
                }
            }
            OperatorKind::Person if expires_at.is_some() => {
                return Err(field("expires_at", "nothing: a person has no end"));
            }
            OperatorKind::Person => invited_reply(self.create_person(&name, role, actor).await.map_err(refused)?),
        };
        Ok(OperatorCreatedReply { success: true, message: String::new(), data })
    }
}

fn invited_reply(invited: InvitedOperator) -> OperatorCreated {
    OperatorCreated {
        operator: operator_reply(invited.operator),
        api_key: None,
        invitation: Some(invited.invitation.reveal().to_owned().into()),
    }
}

impl ChangeOperator for OperatorService {
    async fn change_operator(&self, cx: &Cx, input: ChangeOperatorInput) -> Result<OperatorReply, ChangeOperatorError> {
        let (operator_id, expected) = (input.operator_id, input.if_match);
        let change = OperatorChange { role: input.body.role, state: input.body.state };
        let by = OperatorCaller::actor_name(&input.caller.name);
        let reason = input.body.reason.unwrap_or_default();
        let actor = Actor { name: &by, address: cx.client, reason: &reason };
        let as_read = |operator: &_| is_version(&expected, &version(operator));
        let changed = self.change(OperatorId(operator_id), change, as_read, actor).await;
        let operator = changed.map_err(|error| match error {
            OperatorError::NoSuchOperator => ChangeOperatorError::OperatorNotFound { operator_id },
            OperatorError::KeyDisabled => ChangeOperatorError::OperatorKeyDisabled { operator_id },
            OperatorError::LastOwner => ChangeOperatorError::OperatorLastOwner { operator_id },
            OperatorError::Changed => ChangeOperatorError::ChangedMeanwhile { version: expected.clone() },
            error => {
                unavailable(cx, &error);
                ChangeOperatorError::LedgerUnavailable
            }
        })?;
        Ok(OperatorReply { success: true, message: String::new(), data: operator_reply(operator) })
    }
}

impl InviteOperator for OperatorService {
    async fn invite_operator(
        &self,
        cx: &Cx,
        input: InviteOperatorInput,
    ) -> Result<OperatorCreatedReply, InviteOperatorError> {
        let operator_id = input.operator_id;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: "" };
        let invited = self.invite(OperatorId(operator_id), true, actor).await.map_err(|error| match error {
            OperatorError::LastOwner => InviteOperatorError::OperatorLastOwner { operator_id },
            OperatorError::NoSuchOperator => InviteOperatorError::OperatorNotFound { operator_id },
            OperatorError::NotAPerson => InviteOperatorError::OperatorIsKey { operator_id },
            error => {
                unavailable(cx, &error);
                InviteOperatorError::LedgerUnavailable
            }
        })?;
        Ok(OperatorCreatedReply { success: true, message: String::new(), data: invited_reply(invited) })
    }
}

impl ListOperatorSessions for OperatorService {
    async fn list_operator_sessions(
        &self,
        cx: &Cx,
        input: ListOperatorSessionsInput,
    ) -> Result<OperatorSessionInfoListReply, ListOperatorSessionsError> {
        let sessions = self.sessions(OperatorId(input.operator_id)).await.map_err(|error| {
            unavailable(cx, &error);
            ListOperatorSessionsError::LedgerUnavailable
        })?;
        let data = sessions.into_iter().map(session_info).collect();
        Ok(OperatorSessionInfoListReply { success: true, message: String::new(), data })
    }
}

fn session_info(session: OperatorSession) -> OperatorSessionInfo {
    OperatorSessionInfo {
        session_id: HEXLOWER.encode(&session.id.0),
        address: session.address,
        browser: session.browser,
        created_at: session.created_at_ms / 1000,
        seen_at: session.seen_at_ms / 1000,
        expires_at: session.ends_at_ms / 1000,
    }
}

impl EndOperatorSessions for OperatorService {
    async fn end_operator_sessions(
        &self,
        cx: &Cx,
        input: EndOperatorSessionsInput,
    ) -> Result<OperatorSessionsEndedReply, EndOperatorSessionsError> {
        let operator_id = input.operator_id;
        let session = input.session.map(|text| {
            // What is no hash names no session.
            let hash = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
            SessionId(hash.unwrap_or_default())
        });
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: "" };
        let ended = self.end_sessions(OperatorId(operator_id), session, actor).await.map_err(|error| match error {
            OperatorError::NoSuchOperator => EndOperatorSessionsError::OperatorNotFound { operator_id },
            error => {
                unavailable(cx, &error);
                EndOperatorSessionsError::LedgerUnavailable
            }
        })?;
        let data = OperatorSessionsEnded { ended: i64::try_from(ended).unwrap_or(i64::MAX) };
        Ok(OperatorSessionsEndedReply { success: true, message: String::new(), data })
    }
}
