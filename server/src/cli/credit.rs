//! `tollgate credit …`

use std::process::ExitCode;

use serde_json::json;

use crate::accounts::Accounts;
use crate::base::{RequestId, Usd};
use crate::credit::{Books, GrantAsk};
use crate::settings::Settings;

use super::output::Output;
use super::{ACTOR, CommandResult, open};

pub(super) async fn grant(
    settings: &Settings,
    account: &str,
    amount: Usd,
    note: &str,
    idempotency_key: Option<String>,
    output: Output,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let account = Accounts::new(store.clone(), clock.clone()).find_account(account).await?;
    let books = Books::new(store, clock.clone());
    let idem = idempotency_key.unwrap_or_else(|| RequestId::mint(clock.now_ms()).to_string());
    let granted = books.grant(GrantAsk { account: account.id, amount, idem: &idem, actor: ACTOR, note }).await?;
    let balance = books.balance(account.id).await?;
    let done = if granted.repeated { "had been granted before, with the same key" } else { "granted" };
    output.result(
        &format!("{amount} USD {done}; {} has {} USD available", account.name, balance.available()),
        &json!({
            "account": account.id.0, "granted_usd": amount, "transfer": granted.transfer,
            "repeated": granted.repeated, "idempotency_key": idem, "available_usd": balance.available(),
        }),
    );
    Ok(ExitCode::SUCCESS)
}
