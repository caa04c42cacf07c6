//! `tollgate key … --server`

use std::process::ExitCode;

use http::Method;
use serde::Deserialize;

use tollgate_accounts::{AccountError, KeyLimits, addresses};
use tollgate_api::generated::types::{KeyAddress, KeyModel, KeyOperation, KeyRequest, KeyStatus};
use tollgate_base::{AddressRange, KeyScope, PoolId, Secret, Usd};

use super::client::{AdminClient, AdminRequest};
use super::values::{REASON, by_number, in_days, milliseconds, milliseconds_if_any};
use crate::cli::args::KeyCommand;
use crate::cli::key::{self, KeyReport, TypedKey};
use crate::cli::key_limits;
use crate::cli::output::{CommandError, CommandOutput, CommandResult};

/// A key, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemoteKey {
    key_id: i64,
    prefix: String,
    status: KeyStatus,
    label: String,
    #[serde(deserialize_with = "milliseconds")]
    created_at: i64,
    #[serde(default, deserialize_with = "milliseconds_if_any")]
    expires_at: Option<i64>,
    models: Option<Vec<String>>,
    operations: Option<Vec<String>>,
    addresses: Option<Vec<String>>,
    budget_day_usd: Option<Usd>,
    budget_week_usd: Option<Usd>,
    budget_month_usd: Option<Usd>,
    budget_usd: Option<Usd>,
    requests_per_minute: Option<i64>,
    tokens_per_minute: Option<i64>,
    in_flight: Option<i64>,
    team_id: Option<i64>,
    member_id: Option<i64>,
    include_cost: bool,
}

#[derive(Deserialize)]
struct RemoteCreatedKey {
    api_key: Secret,
    key: RemoteKey,
}

#[derive(Deserialize)]
struct RemoteRevokedKey {
    key: RemoteKey,
    was_active: bool,
}

pub(super) async fn run(server: &AdminClient, command: KeyCommand, output: CommandOutput) -> CommandResult {
    match command {
        KeyCommand::Create { account, label, expires_days, limits } => {
            let new = TypedKey { account: &account, label, expires_days, limits: *limits };
            create(server, new, output).await?;
        }
        KeyCommand::List { account } => {
            let account = super::account::find(server, &account).await?.id.to_string();
            let keys: Vec<RemoteKey> = server.get(&["accounts", &account, "keys"], &[]).await?;
            let keys: Result<Vec<KeyReport>, AccountError> = keys.into_iter().map(KeyReport::try_from).collect();
            key::report_list(&keys?, output);
        }
        KeyCommand::Revoke { key } => {
            by_number(&key, "keys", "key list")?;
            let revoked: RemoteRevokedKey = server.send(AdminRequest::bare(Method::DELETE, &["keys", &key])).await?;
            key::report_revoked(&revoked.key.try_into()?, revoked.was_active, output);
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn create(server: &AdminClient, new: TypedKey<'_>, output: CommandOutput) -> Result<(), CommandError> {
    let limits = key_limits::read(new.limits).map_err(AccountError::BadLimit)?;
    let account = super::account::find(server, new.account).await?.id.to_string();
    // The admin API makes no key without a name.
    let label = if new.label.is_empty() { REASON.to_owned() } else { new.label };
    let ranges = |ranges: Vec<AddressRange>| ranges.iter().map(ToString::to_string).map(KeyAddress::new).collect();
    let body = KeyRequest {
        expires_at: new.expires_days.map(in_days),
        include_cost: Some(limits.include_cost),
        label,
        models: limits.scope.models.map(|all| all.into_iter().map(KeyModel::new).collect()).transpose()?,
        operations: limits.scope.operations.map(|all| all.into_iter().map(KeyOperation::new).collect()).transpose()?,
        addresses: limits.scope.addresses.map(ranges).transpose()?,
        requests_per_minute: limits.requests_per_minute,
        tokens_per_minute: limits.tokens_per_minute,
        in_flight: limits.in_flight,
        team_id: None,
        member_id: None,
        budget_day_usd: limits.budget_day,
        budget_week_usd: limits.budget_week,
        budget_month_usd: limits.budget_month,
        budget_usd: limits.budget_life,
    };
    let path = ["accounts", account.as_str(), "keys"];
    let created: RemoteCreatedKey = server.send(AdminRequest::new(Method::POST, &path, &body)).await?;
    key::report_created(&created.key.try_into()?, created.api_key.reveal(), output);
    Ok(())
}

impl TryFrom<RemoteKey> for KeyReport {
    type Error = AccountError;

    fn try_from(key: RemoteKey) -> Result<Self, AccountError> {
        let limits = KeyLimits {
            scope: KeyScope {
                models: key.models,
                operations: key.operations,
                addresses: key.addresses.map(addresses).transpose().map_err(AccountError::BadLimit)?,
            },
            budget_day: key.budget_day_usd,
            budget_week: key.budget_week_usd,
            budget_month: key.budget_month_usd,
            budget_life: key.budget_usd,
            requests_per_minute: key.requests_per_minute,
            tokens_per_minute: key.tokens_per_minute,
            in_flight: key.in_flight,
            team: key.team_id.map(PoolId),
            member: key.member_id.map(PoolId),
            include_cost: key.include_cost,
        };
        Ok(Self {
            id: key.key_id,
            shown: key.prefix,
            label: key.label,
            state: key.status,
            created_at_ms: key.created_at,
            expires_at_ms: key.expires_at,
            limits,
        })
    }
}
