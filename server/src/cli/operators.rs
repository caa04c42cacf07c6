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
        let mut value = described(&created.operator);
        value["key"] = json!(created.secret.reveal());
        output.result(
            &format!(
                "{}\nkeep it now: it is not shown again\nnext: curl {}/api/admin/session -H \"Authorization: Bearer $KEY\"{}",
                created.secret.reveal(),
                address(settings),
                hint(settings),
            ),
            &value,
        );
    } else {
        invited(settings, &operators.create_person(name, role, ACTOR).await?, output);
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn invite(settings: &Settings, name: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let operators = OperatorService::new(store, clock);
    let operator = operators.find(name).await?;
    invited(settings, &operators.invite(operator.id, false, ACTOR).await?, output);
    Ok(ExitCode::SUCCESS)
}

fn invited(settings: &Settings, invited: &InvitedOperator, output: CommandOutput) {
    let InvitedOperator { operator, invitation } = invited;
    let ends = operator.invitation_ends_at_ms.map(rfc3339).unwrap_or_default();
    let mut value = described(operator);
    value["invitation"] = json!(invitation.reveal());
    output.result(
        &format!(
            "{} is invited as {} until {ends}, by this address, which works once and is not shown again:\n\n  \
             {}/admin/invitation#{}{}",
            operator.name,
            operator.role,
            address(settings),
            invitation.reveal(),
            hint(settings),
        ),
        &value,
    );
}

pub(super) async fn list(settings: &Settings, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let operators = OperatorService::new(store, clock).operators().await?;
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
    Ok(ExitCode::SUCCESS)
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
    let operator = operators.change(operator.id, change, |_| true, ACTOR).await?;
    let text = match operator.state {
        OperatorState::Active => format!("{} has the role {} from the next request on", operator.name, operator.role),
        OperatorState::Disabled => format!("{} is disabled, and the sessions have ended", operator.name),
    };
    output.result(&text, &described(&operator));
    Ok(ExitCode::SUCCESS)
}

fn described(operator: &Operator) -> Value {
    json!({
        "id": operator.id.0, "name": operator.name, "kind": operator.kind.as_str(), "role": operator.role.as_str(),
        "state": operator.state.as_str(), "shown": operator.shown, "created_at": rfc3339(operator.created_at_ms),
        "expires_at": operator.expires_at_ms.map(rfc3339), "enrolled": operator.enrolled,
    })
}

/// The line that is missing in the configuration, where operators are served nowhere.
const fn hint(settings: &Settings) -> &'static str {
    match (settings.admin.public, settings.admin.listen) {
        (false, None) => "\nfirst: operators are served nowhere yet; write [admin] listen = \"127.0.0.1:8081\"",
        _ => "",
    }
}

/// The address at which operators are served.
fn address(settings: &Settings) -> String {
    let url = if settings.admin.listen.is_some() { &settings.admin.public_url } else { &settings.public_url };
    url.clone().unwrap_or_else(|| format!("http://{}", settings.admin.listen.unwrap_or(settings.listen)))
}
