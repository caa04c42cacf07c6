//! `tollgate payment …`
//!
//! A booking must not be made again by somebody who was told that it failed. As with a grant, its key is part of the error.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_base::{AccountId, Clock, Usd, rfc3339};
use tollgate_credit::LedgerStore;
use tollgate_store::Store;
use tollgate_topup::{
    Config, CreditAmount, PaymentReversal, PaymentReversalRequest, QuarantinedPayment, Resolution, ResolveRequest,
    ResolvedPayment, ReversalParty, Topups,
};

use super::credit::booking_key;
use super::operator::{ACTOR, open};
use super::output::{CommandError, CommandOutput, CommandResult, table};

/// A decision on a payment, as it was typed.
pub(super) struct TypedResolution<'a> {
    pub(super) payment: i64,
    pub(super) credit: bool,
    pub(super) amount: Option<Usd>,
    pub(super) reason: &'a str,
}

/// Money that went back, as it was typed.
pub(super) struct TypedReversal<'a> {
    pub(super) of: &'a str,
    pub(super) by: ReversalParty,
    pub(super) amount: Option<Usd>,
    pub(super) reason: &'a str,
    pub(super) idempotency_key: Option<String>,
}

/// A reversal failed, or its success could not be told.
#[derive(Debug, thiserror::Error)]
#[error("booking with --idempotency-key {key} failed; however often it is tried with this key, it is booked once")]
struct ReversalFailed {
    key: String,
    source: CommandError,
}

/// The rooms as they need to be to look and to book: nothing is paid here.
fn rooms(store: Store, clock: Clock) -> (Topups, LedgerStore) {
    (Topups::new(store.clone(), clock.clone(), Config::default()), LedgerStore::new(store, clock))
}

pub(super) async fn list(settings: &Settings, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    report_list(&rooms(store, clock).0.unresolved().await?, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_list(unresolved: &[QuarantinedPayment], output: CommandOutput) {
    let row = |payment: &QuarantinedPayment| {
        vec![
            payment.id.to_string(),
            rfc3339(payment.since_ms),
            payment.account.to_string(),
            payment.order.to_string(),
            payment.amount.to_string(),
            format!("{} of {} on {}", payment.new.amount, payment.new.asset, payment.new.source),
            payment.new.receipt.clone().unwrap_or_else(|| payment.new.reference.clone()),
        ]
    };
    let rows: Vec<Vec<String>> = unresolved.iter().map(row).collect();
    let values: Vec<Value> = unresolved.iter().map(described).collect();
    let head = ["PAYMENT", "SET ASIDE", "ACCOUNT", "ORDER", "ORDER USD", "CAME", "BY"];
    output.result(&table(&head, &rows), &json!({"payments": values}));
}

fn described(payment: &QuarantinedPayment) -> Value {
    let QuarantinedPayment { id, new, order, account, rail, amount, since_ms } = payment;
    json!({
        "id": id, "order_id": order.0, "account": account.0, "rail": rail.as_str(), "order_usd": amount,
        "source": new.source, "reference": new.reference, "asset": new.asset, "amount": new.amount, "payer": new.payer,
        "transaction": new.receipt, "set_aside_at": rfc3339(*since_ms),
    })
}

pub(super) async fn resolve(settings: &Settings, resolve: TypedResolution<'_>, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let (topups, books) = rooms(store, clock);
    let credit = match (resolve.credit, resolve.amount) {
        (false, _) => None,
        (true, None) => Some(CreditAmount::OfOrder),
        (true, Some(amount)) => Some(CreditAmount::Exactly(amount)),
    };
    let ask = ResolveRequest { payment: resolve.payment, credit, actor: ACTOR.into(), reason: resolve.reason };
    let resolved = topups.resolve(ask).await?;
    report_resolution(&resolved, available(&books, resolved.account).await, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_resolution(resolved: &ResolvedPayment, available: Option<Usd>, output: CommandOutput) {
    let ResolvedPayment { payment, order, account, resolution, credit, repeated } = resolved;
    let (word, amount) = match resolution {
        Resolution::Credit(amount) => ("credit", *amount),
        Resolution::Returned => ("returned", Usd::ZERO),
    };
    let paid = credit.map_or(Usd::ZERO, |credit| credit.debt_paid);
    let before = if *repeated { " before" } else { "" };
    let done = match resolution {
        Resolution::Credit(amount) if paid > Usd::ZERO => {
            format!("{amount} USD were credited{before} to account {account}, of which {paid} USD paid what it owed")
        }
        Resolution::Credit(amount) => format!("{amount} USD were credited{before} to account {account}"),
        Resolution::Returned => format!("was closed{before} as returned: nothing is credited"),
    };
    output.last_result(
        &format!("payment {payment} of order {order}: {done}"),
        &json!({
            "payment": payment, "order_id": order.0, "account": account.0, "resolution": word, "credited_usd": amount,
            "debt_paid_usd": paid, "transfer": credit.map(|credit| credit.transfer), "repeated": repeated,
            "available_usd": available,
        }),
        &done,
    );
}

/// Money that went back, as it was booked.
pub(super) struct ReversalReport<'a> {
    pub(super) payment: i64,
    pub(super) order: i64,
    pub(super) account: i64,
    pub(super) kind: &'static str,
    pub(super) reversal: i64,
    pub(super) amount: Usd,
    pub(super) taken: Usd,
    pub(super) debt: Usd,
    /// The credit of the payment, and the part of it that has gone back by now.
    pub(super) credited: Usd,
    pub(super) reversed: Usd,
    pub(super) repeated: bool,
    /// The key under which it was booked.
    pub(super) key: &'a str,
}

pub(super) async fn reverse(settings: &Settings, reverse: TypedReversal<'_>, output: CommandOutput) -> CommandResult {
    let key = booking_key(reverse.idempotency_key.as_ref());
    let booked = reversed(settings, &reverse, &key).await;
    let (books, booked) = booked.map_err(|source| reversal_failed(&key, source))?;
    let PaymentReversal { payment, order, credited, reversed, reversal } = booked;
    let report = ReversalReport {
        payment,
        order: order.0,
        account: reversal.account.0,
        kind: reversal.kind.as_str(),
        reversal: reversal.id,
        amount: reversal.amount,
        taken: reversal.taken,
        debt: reversal.debt,
        credited,
        reversed,
        repeated: reversal.repeated,
        key: &key,
    };
    let owed = books.debt(reversal.account).await.ok();
    report_reversal(&report, available(&books, reversal.account).await, owed, output);
    Ok(ExitCode::SUCCESS)
}

/// The error of a reversal, by which the same can be asked for again.
pub(super) fn reversal_failed(key: &str, source: CommandError) -> CommandError {
    ReversalFailed { key: key.to_owned(), source }.into()
}

async fn reversed(
    settings: &Settings,
    reverse: &TypedReversal<'_>,
    key: &str,
) -> Result<(LedgerStore, PaymentReversal), CommandError> {
    let (store, clock) = open(settings).await?;
    let (topups, books) = rooms(store, clock);
    let TypedReversal { of, by, amount, reason, .. } = *reverse;
    let ask = PaymentReversalRequest { of, by, amount, idem: key, actor: ACTOR.into(), reason };
    Ok((books, topups.reverse(ask).await?))
}

pub(super) fn report_reversal(
    report: &ReversalReport<'_>,
    available: Option<Usd>,
    owed: Option<Usd>,
    output: CommandOutput,
) {
    let ReversalReport { payment, order, account, kind, reversal, amount, taken, debt, .. } = report;
    let ReversalReport { credited, reversed, repeated, key, .. } = report;
    let done = if *repeated { "had been booked before, with the same key" } else { "booked" };
    let owes = match *debt {
        Usd::ZERO => String::new(),
        debt => format!(", {debt} USD were not available and are owed: the next credits pay them"),
    };
    output.last_result(
        &format!(
            "{kind} of {amount} USD {done}: {taken} USD taken from account {account}{owes}; {reversed} of the {credited} USD of \
             payment {payment} have gone back"
        ),
        &json!({
            "payment": payment, "order_id": order, "account": account, "kind": kind, "reversed_usd": amount,
            "taken_usd": taken, "debt_usd": debt, "reversal": reversal, "repeated": repeated, "idempotency_key": key,
            "payment_credited_usd": credited, "payment_reversed_usd": reversed, "available_usd": available,
            "owed_usd": owed,
        }),
        &format!("{kind} of {amount} USD {done} under the idempotency key {key}"),
    );
}

async fn available(books: &LedgerStore, account: AccountId) -> Option<Usd> {
    books.balance(account).await.ok().map(|balance| balance.available())
}
