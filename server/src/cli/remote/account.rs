//! `tollgate account … --server`

use std::process::ExitCode;

use http::Method;
use serde::Deserialize;

use tollgate_accounts::{AccountError, AccountState};
use tollgate_api::generated::types::{self, AccountRequest, AccountUpdate};
use tollgate_base::{AccountGroup, Usd};

use super::client::{AdminClient, AdminRequest};
use super::error::RemoteError;
use crate::cli::account::{self, AccountReport, UnknownGroup};
use crate::cli::args::AccountCommand;
use crate::cli::output::{CommandError, CommandOutput, CommandResult};

/// The most accounts that a page may have.
const PAGE: &str = "1000";

/// An account, as the admin API tells of it.
#[derive(Debug, Deserialize)]
pub(super) struct RemoteAccount {
    #[serde(rename = "account_id")]
    pub(super) id: i64,
    pub(super) name: String,
    group: String,
    #[serde(rename = "available_usd")]
    pub(super) available: Usd,
    #[serde(rename = "held_usd")]
    held: Usd,
    #[serde(rename = "owed_usd")]
    pub(super) owed: Usd,
    version: String,
}

#[derive(Deserialize)]
struct AccountPage {
    accounts: Vec<RemoteAccount>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct RemoteGroup {
    name: String,
    ratio: String,
}

pub(super) async fn run(server: &AdminClient, command: AccountCommand, output: CommandOutput) -> CommandResult {
    match command {
        AccountCommand::Create { name, group } => create(server, name, group, output).await?,
        AccountCommand::Group { account, group } => set_group(server, &account, group, output).await?,
        AccountCommand::Freeze { account } => set_state(server, &account, AccountState::Frozen, output).await?,
        AccountCommand::Thaw { account } => set_state(server, &account, AccountState::Active, output).await?,
        AccountCommand::List => {
            let accounts = accounts(server, None).await?;
            let accounts: Vec<AccountReport> = accounts.into_iter().map(AccountReport::from).collect();
            account::report_list(&accounts, output);
        }
        // The operator's machine has what hashes passwords; the admin API takes none for accounts.
        AccountCommand::Password { .. } => return Err(RemoteError::AtTheLedger("account password").into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// The account of this number or name.
pub(super) async fn find(server: &AdminClient, id_or_name: &str) -> Result<RemoteAccount, CommandError> {
    let found = accounts(server, Some(id_or_name)).await?;
    let fits = |account: &RemoteAccount| account.name == id_or_name || account.id.to_string() == id_or_name;
    Ok(found.into_iter().find(fits).ok_or(AccountError::NoSuchAccount)?)
}

/// The account of this number.
pub(super) async fn get(server: &AdminClient, id: i64) -> Result<RemoteAccount, RemoteError> {
    server.get(&["accounts", &id.to_string()], &[]).await
}

/// All pages of accounts, by name.
async fn accounts(server: &AdminClient, search: Option<&str>) -> Result<Vec<RemoteAccount>, RemoteError> {
    let mut found = Vec::new();
    let mut after: Option<String> = None;
    loop {
        let mut query = vec![("limit", PAGE)];
        query.extend(search.map(|text| ("search", text)));
        query.extend(after.as_deref().map(|place| ("after", place)));
        let page: AccountPage = server.get(&["accounts"], &query).await?;
        // A page without accounts ends the list whatever it says of a next one.
        let more = !page.accounts.is_empty();
        found.extend(page.accounts);
        match page.next.filter(|_| more) {
            Some(next) => after = Some(next),
            None => return Ok(found),
        }
    }
}

async fn create(
    server: &AdminClient,
    name: String,
    group: AccountGroup,
    output: CommandOutput,
) -> Result<(), RemoteError> {
    let body = AccountRequest { name, group: Some(group.to_string()), note: None, reason: None };
    let made: RemoteAccount = server.send(AdminRequest::new(Method::POST, &["accounts"], &body)).await?;
    account::report_created(made.id, &made.name, &made.group, output);
    Ok(())
}

async fn set_group(
    server: &AdminClient,
    name: &str,
    group: AccountGroup,
    output: CommandOutput,
) -> Result<(), CommandError> {
    // Read before, so that nothing fails any more once it is changed.
    let groups: Vec<RemoteGroup> = server.get(&["groups"], &[]).await?;
    let found = groups.into_iter().find(|found| found.name == group.as_str()).ok_or(UnknownGroup(group))?;
    let body = AccountUpdate { group: Some(group.to_string()), state: None, note: None, reason: None };
    let changed = change(server, name, &body).await?;
    account::report_group(changed.id, &changed.name, (&changed.group, &found.ratio), output);
    Ok(())
}

async fn set_state(
    server: &AdminClient,
    name: &str,
    state: AccountState,
    output: CommandOutput,
) -> Result<(), CommandError> {
    let asked = match state {
        AccountState::Active => types::AccountState::Active,
        AccountState::Frozen => types::AccountState::Frozen,
    };
    let body = AccountUpdate { state: Some(asked), group: None, note: None, reason: None };
    let changed = change(server, name, &body).await?;
    account::report_state(changed.id, &changed.name, state, output);
    Ok(())
}

async fn change(server: &AdminClient, name: &str, body: &AccountUpdate) -> Result<RemoteAccount, CommandError> {
    let RemoteAccount { id, version, .. } = find(server, name).await?;
    let id = id.to_string();
    let path = ["accounts", id.as_str()];
    Ok(server.send(AdminRequest::new(Method::PATCH, &path, body).of_version(&version)).await?)
}

impl From<RemoteAccount> for AccountReport {
    fn from(account: RemoteAccount) -> Self {
        let RemoteAccount { id, name, group, available, held, .. } = account;
        Self { id, name, group, available, held }
    }
}
