//! `tollgate account …`

use std::io::{BufRead, Read};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_accounts::{AccountService, AccountState};
use tollgate_base::{AccountGroup, PriceRatio, Secret, Usd};
use tollgate_credit::LedgerStore;
use tollgate_store::Store;

use super::operator::{ACTOR, open};
use super::output::{CommandError, CommandOutput, CommandResult, table};

/// More than any password.
const INPUT_BYTES_MAX: u64 = 64 * 1024;

/// A group that has no ratio.
#[derive(Debug, thiserror::Error)]
#[error(
    "the settings have no [groups.{0}], and operators added none: write ratio = \"0.85\" there, or POST /api/admin/groups"
)]
pub(super) struct UnknownGroup(pub(super) AccountGroup);

pub(super) async fn create(
    settings: &Settings,
    name: &str,
    group: AccountGroup,
    output: CommandOutput,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let _ = ratio(settings, &store, group).await?;
    let account = AccountService::new(store, clock).create_account_in(group, name, "", ACTOR).await?;
    report_created(account.id.0, &account.name, account.group.as_str(), output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_created(id: i64, name: &str, group: &str, output: CommandOutput) {
    output.result(
        &format!("account {name} opened with id {id}\nnext: tollgate credit grant --account {name} --usd 10"),
        &json!({"id": id, "name": name, "group": group}),
    );
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
    report_group(account.id.0, &account.name, (group.as_str(), &ratio.to_string()), output);
    Ok(ExitCode::SUCCESS)
}

/// Reports the group that an account is in now, which is given with its ratio.
pub(super) fn report_group(id: i64, name: &str, (group, ratio): (&str, &str), output: CommandOutput) {
    output.result(
        &format!("account {name} is in the group {group} now: its requests cost {ratio} of the prices from here on"),
        &json!({"id": id, "name": name, "group": group, "ratio": ratio}),
    );
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
    report_state(account.id.0, &account.name, state, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_state(id: i64, name: &str, state: AccountState, output: CommandOutput) {
    let text = match state {
        AccountState::Frozen => format!("account {name} is frozen: its keys take no more requests"),
        AccountState::Active => format!("account {name} is active: its keys are accepted"),
    };
    output.result(&text, &json!({"id": id, "name": name, "state": state.as_str()}));
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
async fn ratio(settings: &Settings, store: &Store, group: AccountGroup) -> Result<PriceRatio, CommandError> {
    match settings.gateway.groups.get(&group) {
        Some(ratio) => Ok(*ratio),
        None => Ok(tollgate_catalog::added_group(store, group).await?.ok_or(UnknownGroup(group))?),
    }
}

pub(super) async fn list(settings: &Settings, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let books = LedgerStore::new(store.clone(), clock.clone());
    let mut accounts = Vec::new();
    for account in AccountService::new(store, clock).accounts().await? {
        let balance = books.balance(account.id).await?;
        accounts.push(AccountReport {
            id: account.id.0,
            name: account.name,
            group: account.group.to_string(),
            available: balance.available(),
            held: balance.held,
        });
    }
    report_list(&accounts, output);
    Ok(ExitCode::SUCCESS)
}

/// An account in the list of them.
pub(super) struct AccountReport {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) group: String,
    pub(super) available: Usd,
    pub(super) held: Usd,
}

pub(super) fn report_list(accounts: &[AccountReport], output: CommandOutput) {
    let row = |AccountReport { id, name, group, available, held }: &AccountReport| {
        vec![id.to_string(), name.clone(), group.clone(), available.to_string(), held.to_string()]
    };
    let value = |AccountReport { id, name, group, available, held }: &AccountReport| json!({"id": id, "name": name, "group": group, "available_usd": available, "held_usd": held});
    let rows: Vec<Vec<String>> = accounts.iter().map(row).collect();
    let values: Vec<Value> = accounts.iter().map(value).collect();
    output.result(&table(&["ID", "NAME", "GROUP", "AVAILABLE USD", "HELD USD"], &rows), &json!({"accounts": values}));
}
