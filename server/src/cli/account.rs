//! `tollgate account …`

use std::io::{BufRead, Read};
use std::process::ExitCode;

use serde_json::json;

use crate::settings::Settings;
use tollgate_accounts::{AccountService, AccountState};
use tollgate_base::{AccountGroup, PriceRatio, Secret};
use tollgate_credit::LedgerStore;
use tollgate_store::Store;

use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult, table};

/// More than any password.
const INPUT_BYTES_MAX: u64 = 64 * 1024;

/// A group that has no ratio.
#[derive(Debug, thiserror::Error)]
#[error(
    "the settings have no [groups.{0}], and operators added none: write ratio = \"0.85\" there, or POST /api/admin/groups"
)]
struct UnknownGroup(AccountGroup);

pub(super) async fn create(
    settings: &Settings,
    name: &str,
    group: AccountGroup,
    output: CommandOutput,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let _ = ratio(settings, &store, group).await?;
    let account = AccountService::new(store, clock).create_account_in(group, name, "", ACTOR).await?;
    output.result(
        &format!(
            "account {} opened with id {}\nnext: tollgate credit grant --account {} --usd 10",
            account.name, account.id, account.name
        ),
        &json!({"id": account.id.0, "name": account.name, "group": account.group.as_str()}),
    );
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn set_group(
    settings: &Settings,
    name: &str,
    group: AccountGroup,
    output: CommandOutput,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let ratio = ratio(settings, &store, group).await?;
    let accounts = AccountService::new(store, clock);
    let account = accounts.find_account(name).await?;
    let account = accounts.set_group(account.id, group, ACTOR).await?;
    output.result(
        &format!(
            "account {} is in the group {group} now: its requests cost {ratio} of the prices from here on",
            account.name
        ),
        &json!({"id": account.id.0, "name": account.name, "group": group.as_str(), "ratio": ratio.to_string()}),
    );
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn set_state(
    settings: &Settings,
    account: &str,
    state: AccountState,
    output: CommandOutput,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let accounts = AccountService::new(store, clock);
    let account = accounts.find_account(account).await?;
    let account = accounts.set_account_state(account.id, state, ACTOR).await?;
    let text = match state {
        AccountState::Frozen => format!("account {} is frozen: its keys take no more requests", account.name),
        AccountState::Active => format!("account {} is active: its keys are accepted", account.name),
    };
    output.result(&text, &json!({"id": account.id.0, "name": account.name, "state": state.as_str()}));
    Ok(ExitCode::SUCCESS)
}

/// Sets a password, which is the first line of the input; the rest is not read.
pub(super) async fn password(settings: &Settings, account: &str, output: CommandOutput) -> CommandResult {
    let mut line = String::new();
    std::io::stdin().lock().take(INPUT_BYTES_MAX).read_line(&mut line)?;
    let password = Secret::new(line.trim_end_matches(['\r', '\n']).to_owned());
    let (store, clock) = open(settings).await?;
    let accounts = AccountService::new(store, clock);
    let account = accounts.find_account(account).await?;
    accounts.set_password(account.id, password, ACTOR).await?;
    output.result(
        &format!("the password of {} is set; whoever was signed in has to sign in again", account.name),
        &json!({"id": account.id.0, "name": account.name}),
    );
    Ok(ExitCode::SUCCESS)
}

/// The ratio of a group, of the settings or of operators. An account is put into no group that has none.
async fn ratio(
    settings: &Settings,
    store: &Store,
    group: AccountGroup,
) -> Result<PriceRatio, Box<dyn std::error::Error + Send + Sync>> {
    match settings.gateway.groups.get(&group) {
        Some(ratio) => Ok(*ratio),
        None => Ok(tollgate_catalog::added_group(store, group).await?.ok_or(UnknownGroup(group))?),
    }
}

pub(super) async fn list(settings: &Settings, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let books = LedgerStore::new(store.clone(), clock.clone());
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for account in AccountService::new(store, clock).accounts().await? {
        let balance = books.balance(account.id).await?;
        rows.push(vec![
            account.id.to_string(),
            account.name.clone(),
            account.group.to_string(),
            balance.available().to_string(),
            balance.held.to_string(),
        ]);
        values.push(json!({
            "id": account.id.0, "name": account.name, "group": account.group.as_str(),
            "available_usd": balance.available(), "held_usd": balance.held,
        }));
    }
    output.result(&table(&["ID", "NAME", "GROUP", "AVAILABLE USD", "HELD USD"], &rows), &json!({"accounts": values}));
    Ok(ExitCode::SUCCESS)
}
