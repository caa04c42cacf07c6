//! `GET /admin/operators` and `GET /admin/operators/{operator_id}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{
    ShowOperator, ShowOperatorError, ShowOperatorInput, ShowOperators, ShowOperatorsError, ShowOperatorsInput,
};
use tollgate_api::generated::ops::admin_operators::{
    ListOperatorSessions, ListOperatorSessionsInput, ListOperators, ListOperatorsInput,
};
use tollgate_api::generated::types::{
    LoggedChange, Operator, OperatorKind, OperatorRole, OperatorSessionInfo, OperatorState,
};
use tollgate_api::{Cx, OperatorCaller, ProxyReply};

/// The roles, those with fewer powers first.
const ROLES: [OperatorRole; 5] =
    [OperatorRole::Reader, OperatorRole::Support, OperatorRole::Finance, OperatorRole::Operator, OperatorRole::Owner];
/// The lines of the log that the page of an operator shows.
const CHANGES: i64 = 20;

#[derive(Template)]
#[template(path = "operators.html")]
struct OperatorsPage {
    t: &'static Texts,
    frame: Frame,
    operators: Vec<Operator>,
}

#[derive(Template)]
#[template(path = "operator.html")]
struct OperatorPage {
    t: &'static Texts,
    frame: Frame,
    operator: Operator,
    /// Empty for callers who may not see them.
    sessions: Vec<OperatorSessionInfo>,
    changes: Vec<LoggedChange>,
}

impl ShowOperators for Admin {
    async fn show_operators(&self, cx: &Cx, input: ShowOperatorsInput) -> Result<ProxyReply, ShowOperatorsError> {
        let frame = self.frame(&input.caller, Section::Operators);
        let operators = self.all_operators(cx, input.caller).await.ok_or(ShowOperatorsError::LedgerUnavailable)?;
        Ok(reply::page(&OperatorsPage { t: frame.t, frame, operators }))
    }
}

impl ShowOperator for Admin {
    async fn show_operator(&self, cx: &Cx, input: ShowOperatorInput) -> Result<ProxyReply, ShowOperatorError> {
        let ShowOperatorInput { caller, operator_id } = input;
        let frame = self.frame(&caller, Section::Operators);
        let operators = self.all_operators(cx, caller.clone()).await.ok_or(ShowOperatorError::LedgerUnavailable)?;
        let found = operators.into_iter().find(|operator| operator.operator_id == operator_id);
        let operator = found.ok_or(ShowOperatorError::OperatorNotFound { operator_id })?;
        let sessions = if frame.powers.operators {
            let list = ListOperatorSessionsInput { caller: caller.clone(), operator_id };
            let found = self.operators.list_operator_sessions(cx, list).await;
            found.map_err(|_| ShowOperatorError::LedgerUnavailable)?.data
        } else {
            Vec::new()
        };
        let changes = self.last_changes(cx, caller, Some(operator_id.to_string()), CHANGES).await;
        let changes = changes.ok_or(ShowOperatorError::LedgerUnavailable)?;
        Ok(reply::page(&OperatorPage { t: frame.t, frame, operator, sessions, changes }))
    }
}

impl Admin {
    /// All operators, by name. `None` where they cannot be read, which is logged.
    async fn all_operators(&self, cx: &Cx, caller: OperatorCaller) -> Option<Vec<Operator>> {
        Some(self.operators.list_operators(cx, ListOperatorsInput { caller }).await.ok()?.data)
    }
}
