//! `tollgate account …`

use std::process::ExitCode;

use serde_json::json;

use crate::accounts::Accounts;
use crate::credit::Books;
use crate::settings::Settings;

use super::output::{Output, table};
use super::{ACTOR, CommandResult, open};

pub(super) async fn create(settings: &Settings, name: &str, output: Output) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let account = Accounts::new(store, clock).create_account(name, ACTOR).await?;
    output.result(
        &format!(
            "account {} opened with id {}\nnext: tollgate credit grant --account {} --usd 10",
            account.name, account.id, account.name
        ),
        &json!({"id": account.id.0, "name": account.name}),
    );
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn list(settings: &Settings, output: Output) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let books = Books::new(store.clone(), clock.clone());
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for account in Accounts::new(store, clock).accounts().await? {
        let balance = books.balance(account.id).await?;
        rows.push(vec![
            account.id.to_string(),
            account.name.clone(),
            balance.available().to_string(),
            balance.held.to_string(),
        ]);
        values.push(json!({
            "id": account.id.0, "name": account.name,
            "available_usd": balance.available(), "held_usd": balance.held,
        }));
    }
    output.result(&table(&["ID", "NAME", "AVAILABLE USD", "HELD USD"], &rows), &json!({"accounts": values}));
    Ok(ExitCode::SUCCESS)
}
