//! `tollgate credit …`
//!
//! A grant or taking must not be made again by somebody who was told that it failed. So its key is part of whatever is
//! told, and after the commit nothing fails it any more.

use std::fmt::Display;
use std::process::ExitCode;

use serde_json::json;

use crate::settings::Settings;
use tollgate_accounts::{Account, AccountService};
use tollgate_base::{Clock, RequestId, Usd};
use tollgate_credit::{GrantRequest, LedgerStore, PostedGrant, Reversal, TakeBackRequest};

use super::operator::{ACTOR, open};
use super::output::{CommandError, CommandOutput, CommandResult};

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
    source: CommandError,
}

/// The key that a booking was typed with, or a fresh one.
pub(super) fn booking_key(typed: Option<&String>) -> String {
    typed.cloned().unwrap_or_else(|| RequestId::mint(Clock::system().now_ms()).to_string())
}

/// A grant that was made.
pub(super) struct GrantReport<'a> {
    pub(super) account: i64,
    pub(super) name: &'a str,
    pub(super) transfer: i64,
    pub(super) amount: Usd,
    pub(super) debt_paid: Usd,
    pub(super) repeated: bool,
    /// The key under which it was made.
    pub(super) key: &'a str,
}

pub(super) async fn grant(settings: &Settings, grant: TypedGrant<'_>, output: CommandOutput) -> CommandResult {
    let key = booking_key(grant.idempotency_key.as_ref());
    let (books, account, posted) =
        granted(settings, &grant, &key).await.map_err(|source| grant_failed(&key, source))?;
    let available = books.balance(account.id).await.map(|balance| balance.available());
    let report = GrantReport {
        account: account.id.0,
        name: &account.name,
        transfer: posted.transfer,
        amount: posted.amount,
        debt_paid: posted.debt_paid,
        repeated: posted.repeated,
        key: &key,
    };
    report_grant(&report, available, output);
    Ok(ExitCode::SUCCESS)
}

/// The error of a grant, by which the same can be asked for again.
pub(super) fn grant_failed(key: &str, source: CommandError) -> CommandError {
    GrantFailed { key: key.to_owned(), source }.into()
}

async fn granted(
    settings: &Settings,
    grant: &TypedGrant<'_>,
    key: &str,
) -> Result<(LedgerStore, Account, PostedGrant), CommandError> {
    let (store, clock) = open(settings).await?;
    let account = AccountService::new(store.clone(), clock.clone()).find_account(grant.account).await?;
    let books = LedgerStore::new(store, clock);
    let ask =
        GrantRequest { account: account.id, amount: grant.amount, idem: key, actor: ACTOR.into(), note: grant.note };
    let granted = books.grant(ask).await?;
    Ok((books, account, granted))
}

pub(super) fn report_grant(grant: &GrantReport<'_>, available: Result<Usd, impl Display>, output: CommandOutput) {
    let GrantReport { account, name, transfer, amount, debt_paid, repeated, key } = grant;
    let done = if *repeated { "had been granted before, with the same key" } else { "granted" };
    let paid = match *debt_paid {
        Usd::ZERO => String::new(),
        paid => format!(", of which {paid} USD paid what it owed"),
    };
    let has = has_available(name, &available);
    let lost = format!("{amount} USD {done} to {name} under the idempotency key {key}");
    output.last_result(
        &format!("{amount} USD {done}{paid}; {has}"),
        &json!({
            "account": account, "granted_usd": amount, "transfer": transfer, "debt_paid_usd": debt_paid,
            "repeated": repeated, "idempotency_key": key, "available_usd": available.ok(),
        }),
        &lost,
    );
}

fn has_available(name: &str, available: &Result<Usd, impl Display>) -> String {
    match available {
        Ok(available) => format!("{name} has {available} USD available"),
        Err(error) => format!("what {name} has now could not be read ({error})"),
    }
}

/// A taking failed, or its success could not be told.
#[derive(Debug, thiserror::Error)]
#[error("taking with --idempotency-key {key} failed; however often it is tried with this key, it is taken once")]
struct TakeFailed {
    key: String,
    source: CommandError,
}

/// A taking that was made.
pub(super) struct TakingReport<'a> {
    pub(super) account: i64,
    pub(super) name: &'a str,
    pub(super) reversal: i64,
    pub(super) amount: Usd,
    pub(super) taken: Usd,
    pub(super) debt: Usd,
    pub(super) left: Usd,
    pub(super) repeated: bool,
    /// The key under which it was made.
    pub(super) key: &'a str,
}

pub(super) async fn take(settings: &Settings, take: TypedTake<'_>, output: CommandOutput) -> CommandResult {
    let key = booking_key(take.idempotency_key.as_ref());
    let (books, account, reversal) = taken(settings, &take, &key).await.map_err(|source| take_failed(&key, source))?;
    let available = books.balance(account.id).await.map(|balance| balance.available());
    let owed = books.debt(account.id).await.ok();
    let Reversal { id, amount, taken, debt, repeated, .. } = reversal;
    let left = reversal.left();
    let (account, name) = (account.id.0, account.name.as_str());
    let report = TakingReport { account, name, reversal: id, amount, taken, debt, left, repeated, key: &key };
    report_taking(&report, available, owed, output);
    Ok(ExitCode::SUCCESS)
}

/// The error of a taking, by which the same can be asked for again.
pub(super) fn take_failed(key: &str, source: CommandError) -> CommandError {
    TakeFailed { key: key.to_owned(), source }.into()
}

async fn taken(
    settings: &Settings,
    take: &TypedTake<'_>,
    key: &str,
) -> Result<(LedgerStore, Account, Reversal), CommandError> {
    let (store, clock) = open(settings).await?;
    let account = AccountService::new(store.clone(), clock.clone()).find_account(take.account).await?;
    let books = LedgerStore::new(store, clock);
    let TypedTake { amount, debt, reason, .. } = *take;
    let reversal = books
        .take(TakeBackRequest { account: account.id, amount, debt, idem: key, actor: ACTOR.into(), reason })
        .await?;
    Ok((books, account, reversal))
}

pub(super) fn report_taking(
    taking: &TakingReport<'_>,
    available: Result<Usd, impl Display>,
    owed: Option<Usd>,
    output: CommandOutput,
) {
    let TakingReport { account, name, reversal, amount, taken, debt, left, repeated, key } = taking;
    let done = if *repeated { "had been taken before, with the same key" } else { "taken" };
    let rest = match (*debt, *left) {
        (Usd::ZERO, Usd::ZERO) => String::new(),
        (Usd::ZERO, left) => format!("; {left} USD were not available, and are left: with --debt they are owed"),
        (debt, _) => format!("; {debt} USD were not available, and are owed: the next credits pay them"),
    };
    let has = has_available(name, &available);
    let lost = format!("{taken} of {amount} USD {done} from {name} under the idempotency key {key}");
    output.last_result(
        &format!("{taken} of {amount} USD {done}{rest}; {has}"),
        &json!({
            "account": account, "asked_usd": amount, "taken_usd": taken, "debt_usd": debt, "left_usd": left,
            "reversal": reversal, "repeated": repeated, "idempotency_key": key, "available_usd": available.ok(),
            "owed_usd": owed,
        }),
        &lost,
    );
}
