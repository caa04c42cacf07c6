//! `tollgate operator … --server`

use std::process::ExitCode;

use http::Method;
use serde::Deserialize;

use tollgate_accounts::operators::{Operator, OperatorError, OperatorKind, OperatorRole, OperatorState};
use tollgate_api::generated::types::{OperatorRequest, OperatorUpdate};
use tollgate_base::{OperatorId, Secret};

use super::client::{AdminClient, AdminRequest};
use super::values::{in_days, milliseconds, milliseconds_if_any};
use crate::cli::args::OperatorCommand;
use crate::cli::operators::{self, OperatorAddress};
use crate::cli::output::{CommandError, CommandOutput, CommandResult};

/// An operator, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemoteOperator {
    operator_id: i64,
    name: String,
    kind: OperatorKind,
    role: OperatorRole,
    state: OperatorState,
    #[serde(deserialize_with = "milliseconds")]
    created_at: i64,
    prefix: Option<String>,
    #[serde(default, deserialize_with = "milliseconds_if_any")]
    expires_at: Option<i64>,
    #[serde(default, deserialize_with = "milliseconds_if_any")]
    invitation_ends_at: Option<i64>,
    enrolled: bool,
    version: String,
}

#[derive(Deserialize)]
struct RemoteCreatedOperator {
    operator: RemoteOperator,
    api_key: Option<Secret>,
    invitation: Option<Secret>,
}

pub(super) async fn run(server: &AdminClient, command: OperatorCommand, output: CommandOutput) -> CommandResult {
    match command {
        OperatorCommand::Create { name, role, key, expires_days } => {
            let kind = if key { OperatorKind::Key } else { OperatorKind::Person };
            let body = OperatorRequest { name, kind, role, expires_at: expires_days.map(in_days), reason: None };
            let created = server.send(AdminRequest::new(Method::POST, &["operators"], &body)).await?;
            report_created(server, created, output);
        }
        OperatorCommand::Invite { name } => {
            let id = find(server, &name).await?.operator_id.to_string();
            let created = server.send(AdminRequest::bare(Method::POST, &["operators", &id, "invitation"])).await?;
            report_created(server, created, output);
        }
        OperatorCommand::Role { name, role } => change(server, &name, Some(role), None, output).await?,
        OperatorCommand::Disable { name } => {
            change(server, &name, None, Some(OperatorState::Disabled), output).await?;
        }
        OperatorCommand::Enable { name } => change(server, &name, None, Some(OperatorState::Active), output).await?,
        OperatorCommand::List => {
            let operators: Vec<Operator> = list(server).await?.into_iter().map(Operator::from).collect();
            operators::report_list(&operators, output);
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(server: &AdminClient) -> Result<Vec<RemoteOperator>, CommandError> {
    Ok(server.get(&["operators"], &[]).await?)
}

/// The operator of this number or name.
async fn find(server: &AdminClient, id_or_name: &str) -> Result<RemoteOperator, CommandError> {
    let fits =
        |operator: &RemoteOperator| operator.name == id_or_name || operator.operator_id.to_string() == id_or_name;
    Ok(list(server).await?.into_iter().find(fits).ok_or(OperatorError::NoSuchOperator)?)
}

fn report_created(server: &AdminClient, created: RemoteCreatedOperator, output: CommandOutput) {
    let at = OperatorAddress { url: server.address(), hint: "" };
    let operator = created.operator.into();
    // A key has no invitation, and a person no key.
    match (created.api_key, created.invitation) {
        (Some(key), _) => operators::report_key(&operator, key.reveal(), &at, output),
        (None, invitation) => {
            let invitation = invitation.as_ref().map_or("", Secret::reveal);
            operators::report_invitation(&operator, invitation, &at, output);
        }
    }
}

async fn change(
    server: &AdminClient,
    name: &str,
    role: Option<OperatorRole>,
    state: Option<OperatorState>,
    output: CommandOutput,
) -> Result<(), CommandError> {
    let RemoteOperator { operator_id, version, .. } = find(server, name).await?;
    let (id, body) = (operator_id.to_string(), OperatorUpdate { role, state, reason: None });
    let path = ["operators", id.as_str()];
    let request = AdminRequest::new(Method::PATCH, &path, &body).of_version(&version);
    let changed: RemoteOperator = server.send(request).await?;
    operators::report_change(&changed.into(), output);
    Ok(())
}

impl From<RemoteOperator> for Operator {
    fn from(operator: RemoteOperator) -> Self {
        Self {
            id: OperatorId(operator.operator_id),
            name: operator.name,
            kind: operator.kind,
            role: operator.role,
            state: operator.state,
            created_at_ms: operator.created_at,
            shown: operator.prefix,
            expires_at_ms: operator.expires_at,
            invitation_ends_at_ms: operator.invitation_ends_at,
            enrolled: operator.enrolled,
        }
    }
}
