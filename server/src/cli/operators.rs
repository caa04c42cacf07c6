//! `tollgate operator …`

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_accounts::operators::{
    InvitedOperator, Operator, OperatorChange, OperatorRole, OperatorService, OperatorState,
};
use tollgate_base::rfc3339;

use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult, table};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// An operator that is asked for.
pub(super) struct TypedOperator<'a> {
    pub(super) name: &'a str,
    pub(super) role: OperatorRole,
    pub(super) key: bool,
    pub(super) expires_days: Option<u32>,
}

pub(super) async fn create(settings: &Settings, new: TypedOperator<'_>, output: CommandOutput) -> CommandResult {
    let TypedOperator { name, role, key, expires_days } = new;
    let (store, clock) = open(settings).await?;
    let operators = OperatorService::new(store, clock.clone());
    if key {
        let expires_at_ms = expires_days.map(|days| clock.now_ms() + i64::from(days) * DAY_MS);
        let created = operators.create_key(name, role, expires_at_ms, ACTOR).await?;
        report_key(&created.operator, created.secret.reveal(), &OperatorAddress::of(settings), output);
    } else {
        let InvitedOperator { operator, invitation } = operators.create_person(name, role, ACTOR).await?;
        report_invitation(&operator, invitation.reveal(), &OperatorAddress::of(settings), output);
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_key(operator: &Operator, secret: &str, at: &OperatorAddress, output: CommandOutput) {
    let OperatorAddress { url, hint } = at;
    let mut value = described(operator);
    value["key"] = json!(secret);
    output.result(
        &format!(
            "{secret}\nkeep it now: it is not shown again\nnext: curl {url}/api/admin/session -H \"Authorization: Bearer $KEY\"{hint}"
        ),
        &value,
    );
}

pub(super) async fn invite(settings: &Settings, name: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let operators = OperatorService::new(store, clock);
    let operator = operators.find(name).await?;
    let InvitedOperator { operator, invitation } = operators.invite(operator.id, false, ACTOR).await?;
    report_invitation(&operator, invitation.reveal(), &OperatorAddress::of(settings), output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_invitation(operator: &Operator, invitation: &str, at: &OperatorAddress, output: CommandOutput) {
    let OperatorAddress { url, hint } = at;
    let ends = operator.invitation_ends_at_ms.map(rfc3339).unwrap_or_default();
    let mut value = described(operator);
    value["invitation"] = json!(invitation);
    output.result(
        &format!(
            "{} is invited as {} until {ends}, by this address, which works once and is not shown again:\n\n  \
             {url}/admin/invitation#{invitation}{hint}",
            operator.name, operator.role,
        ),
        &value,
    );
}

pub(super) async fn list(settings: &Settings, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    report_list(&OperatorService::new(store, clock).operators().await?, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_list(operators: &[Operator], output: CommandOutput) {
    let row = |operator: &Operator| {
        vec![
            operator.id.to_string(),
            operator.name.clone(),
            operator.kind.to_string(),
            operator.role.to_string(),
            operator.state.to_string(),
            operator.shown.clone().unwrap_or_default(),
            rfc3339(operator.created_at_ms),
        ]
    };
    let rows: Vec<Vec<String>> = operators.iter().map(row).collect();
    let values: Vec<Value> = operators.iter().map(described).collect();
    let head = ["ID", "NAME", "KIND", "ROLE", "STATE", "KEY", "CREATED"];
    output.result(&table(&head, &rows), &json!({"operators": values}));
}

/// Changes the role or the state of an operator.
pub(super) async fn change(
    settings: &Settings,
    name: &str,
    change: OperatorChange,
    output: CommandOutput,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let operators = OperatorService::new(store, clock);
    let operator = operators.find(name).await?;
    report_change(&operators.change(operator.id, change, |_| true, ACTOR).await?, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_change(operator: &Operator, output: CommandOutput) {
    let text = match operator.state {
        OperatorState::Active => format!("{} has the role {} from the next request on", operator.name, operator.role),
        OperatorState::Disabled => format!("{} is disabled, and the sessions have ended", operator.name),
    };
    output.result(&text, &described(operator));
}

fn described(operator: &Operator) -> Value {
    json!({
        "id": operator.id.0, "name": operator.name, "kind": operator.kind.as_str(), "role": operator.role.as_str(),
        "state": operator.state.as_str(), "shown": operator.shown, "created_at": rfc3339(operator.created_at_ms),
        "expires_at": operator.expires_at_ms.map(rfc3339), "enrolled": operator.enrolled,
    })
}

/// The address at which operators are served.
pub(super) struct OperatorAddress {
    pub(super) url: String,
    /// The line that is missing in the configuration, where they are served nowhere.
    pub(super) hint: &'static str,
}

impl OperatorAddress {
    fn of(settings: &Settings) -> Self {
        let url = if settings.admin.listen.is_some() { &settings.admin.public_url } else { &settings.public_url };
        let url = url.clone().unwrap_or_else(|| format!("http://{}", settings.admin.listen.unwrap_or(settings.listen)));
        let hint = match (settings.admin.public, settings.admin.listen) {
            (false, None) => "\nfirst: operators are served nowhere yet; write [admin] listen = \"127.0.0.1:8081\"",
            _ => "",
        };
        Self { url, hint }
    }
}
