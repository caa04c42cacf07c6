//! `tollgate credit …`
//!
//! A grant or taking must not be made again by somebody who was told that it failed. So its key is part of whatever is
//! told, and after the commit nothing fails it any more.

use std::error::Error;
use std::process::ExitCode;

use serde_json::json;

use crate::settings::Settings;
use tollgate_accounts::{Account, AccountService};
use tollgate_base::{Clock, RequestId, Usd};
use tollgate_credit::{GrantRequest, LedgerStore, PostedGrant, Reversal, TakeBackRequest};

use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult};

/// A grant as it was typed.
pub(super) struct TypedGrant<'a> {
    pub(super) account: &'a str,
    pub(super) amount: Usd,
    pub(super) note: &'a str,
    pub(super) idempotency_key: Option<String>,
}

/// A taking as it was typed.
pub(super) struct TypedTake<'a> {
    pub(super) account: &'a str,
    pub(super) amount: Usd,
    pub(super) debt: bool,
    pub(super) reason: &'a str,
    pub(super) idempotency_key: Option<String>,
}

/// A grant failed, or its success could not be told.
#[derive(Debug, thiserror::Error)]
#[error("granting with --idempotency-key {key} failed; however often it is tried with this key, it is granted once")]
struct GrantFailed {
    key: String,
    source: Box<dyn Error + Send + Sync>,
}

pub(super) async fn grant(settings: &Settings, grant: TypedGrant<'_>, output: CommandOutput) -> CommandResult {
    let key = grant.idempotency_key.clone().unwrap_or_else(|| RequestId::mint(Clock::system().now_ms()).to_string());
    match granted(settings, &grant, &key).await {
        Ok((books, account, granted)) => {
            report_grant(&books, &account, &granted, &key, output).await;
            Ok(ExitCode::SUCCESS)
        }
        Err(source) => Err(GrantFailed { key, source }.into()),
    }
}

async fn granted(
    settings: &Settings,
    grant: &TypedGrant<'_>,
    key: &str,
) -> Result<(LedgerStore, Account, PostedGrant), Box<dyn Error + Send + Sync>> {
    let (store, clock) = open(settings).await?;
    let account = AccountService::new(store.clone(), clock.clone()).find_account(grant.account).await?;
    let books = LedgerStore::new(store, clock);
    let ask =
        GrantRequest { account: account.id, amount: grant.amount, idem: key, actor: ACTOR.into(), note: grant.note };
    let granted = books.grant(ask).await?;
    Ok((books, account, granted))
}

async fn report_grant(books: &LedgerStore, account: &Account, granted: &PostedGrant, key: &str, output: CommandOutput) {
    let amount = granted.amount;
    let done = if granted.repeated { "had been granted before, with the same key" } else { "granted" };
    let paid = match granted.debt_paid {
        Usd::ZERO => String::new(),
        paid => format!(", of which {paid} USD paid what it owed"),
    };
    let available = books.balance(account.id).await.map(|balance| balance.available());
    let has = match &available {
        Ok(available) => format!("{} has {available} USD available", account.name),
        Err(error) => format!("what {} has now could not be read ({error})", account.name),
    };
    let lost = format!("{amount} USD {done} to {} under the idempotency key {key}", account.name);
    output.last_result(
        &format!("{amount} USD {done}{paid}; {has}"),
        &json!({
            "account": account.id.0, "granted_usd": amount, "transfer": granted.transfer,
            "debt_paid_usd": granted.debt_paid, "repeated": granted.repeated, "idempotency_key": key,
            "available_usd": available.ok(),
        }),
        &lost,
    );
}

/// A taking failed, or its success could not be told.
#[derive(Debug, thiserror::Error)]
#[error("taking with --idempotency-key {key} failed; however often it is tried with this key, it is taken once")]
struct TakeFailed {
    key: String,
    source: Box<dyn Error + Send + Sync>,
}

pub(super) async fn take(settings: &Settings, take: TypedTake<'_>, output: CommandOutput) -> CommandResult {
    let key = take.idempotency_key.clone().unwrap_or_else(|| RequestId::mint(Clock::system().now_ms()).to_string());
    match taken(settings, &take, &key).await {
        Ok((books, account, reversal)) => {
            report_taking(&books, &account, &reversal, &key, output).await;
            Ok(ExitCode::SUCCESS)
        }
        Err(source) => Err(TakeFailed { key, source }.into()),
    }
}

async fn taken(
    settings: &Settings,
    take: &TypedTake<'_>,
    key: &str,
) -> Result<(LedgerStore, Account, Reversal), Box<dyn Error + Send + Sync>> {
    let (store, clock) = open(settings).await?;
    let account = AccountService::new(store.clone(), clock.clone()).find_account(take.account).await?;
    let books = LedgerStore::new(store, clock);
    let TypedTake { amount, debt, reason, .. } = *take;
    let reversal = books
        .take(TakeBackRequest { account: account.id, amount, debt, idem: key, actor: ACTOR.into(), reason })
        .await?;
    Ok((books, account, reversal))
}

async fn report_taking(books: &LedgerStore, account: &Account, reversal: &Reversal, key: &str, output: CommandOutput) {
    let Reversal { amount, taken, debt, repeated, .. } = *reversal;
    let (name, left) = (&account.name, reversal.left());
    let done = if repeated { "had been taken before, with the same key" } else { "taken" };
    let rest = match (debt, left) {
        (Usd::ZERO, Usd::ZERO) => String::new(),
        (Usd::ZERO, left) => format!("; {left} USD were not available, and are left: with --debt they are owed"),
        (debt, _) => format!("; {debt} USD were not available, and are owed: the next credits pay them"),
    };
    let available = books.balance(account.id).await.map(|balance| balance.available());
    let has = match &available {
        Ok(available) => format!("{name} has {available} USD available"),
        Err(error) => format!("what {name} has now could not be read ({error})"),
    };
    let lost = format!("{taken} of {amount} USD {done} from {name} under the idempotency key {key}");
    output.last_result(
        &format!("{taken} of {amount} USD {done}{rest}; {has}"),
        &json!({
            "account": account.id.0, "asked_usd": amount, "taken_usd": taken, "debt_usd": debt, "left_usd": left,
            "reversal": reversal.id, "repeated": repeated, "idempotency_key": key, "available_usd": available.ok(),
            "owed_usd": books.debt(account.id).await.ok(),
        }),
        &lost,
    );
}
