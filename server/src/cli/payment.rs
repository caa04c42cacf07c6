//! `tollgate payment …`
//!
//! A booking must not be made again by somebody who was told that it failed. As with a grant, its key is part of the error.

use std::error::Error;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_base::{AccountId, Clock, RequestId, Usd, rfc3339};
use tollgate_credit::LedgerStore;
use tollgate_store::Store;
use tollgate_topup::{
    Config, CreditAmount, PaymentReversal, PaymentReversalRequest, QuarantinedPayment, Resolution, ResolveRequest,
    ResolvedPayment, ReversalParty, Topups,
};

use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult, table};

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
    source: Box<dyn Error + Send + Sync>,
}

/// The rooms as they need to be to look and to book: nothing is paid here.
fn rooms(store: Store, clock: Clock) -> (Topups, LedgerStore) {
    (Topups::new(store.clone(), clock.clone(), Config::default()), LedgerStore::new(store, clock))
}

pub(super) async fn list(settings: &Settings, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let unresolved = rooms(store, clock).0.unresolved().await?;
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
    Ok(ExitCode::SUCCESS)
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
    report_resolution(&books, &resolved, output).await;
    Ok(ExitCode::SUCCESS)
}

async fn report_resolution(books: &LedgerStore, resolved: &ResolvedPayment, output: CommandOutput) {
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
    let available = available(books, *account).await;
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

pub(super) async fn reverse(settings: &Settings, reverse: TypedReversal<'_>, output: CommandOutput) -> CommandResult {
    let key = reverse.idempotency_key.clone().unwrap_or_else(|| RequestId::mint(Clock::system().now_ms()).to_string());
    match reversed(settings, &reverse, &key).await {
        Ok((books, reversal)) => {
            report_reversal(&books, &reversal, &key, output).await;
            Ok(ExitCode::SUCCESS)
        }
        Err(source) => Err(ReversalFailed { key, source }.into()),
    }
}

async fn reversed(
    settings: &Settings,
    reverse: &TypedReversal<'_>,
    key: &str,
) -> Result<(LedgerStore, PaymentReversal), Box<dyn Error + Send + Sync>> {
    let (store, clock) = open(settings).await?;
    let (topups, books) = rooms(store, clock);
    let TypedReversal { of, by, amount, reason, .. } = *reverse;
    let ask = PaymentReversalRequest { of, by, amount, idem: key, actor: ACTOR.into(), reason };
    Ok((books, topups.reverse(ask).await?))
}

async fn report_reversal(books: &LedgerStore, told: &PaymentReversal, key: &str, output: CommandOutput) {
    let PaymentReversal { payment, order, credited, reversed, reversal } = told;
    let (account, kind) = (reversal.account, reversal.kind.as_str());
    let done = if reversal.repeated { "had been booked before, with the same key" } else { "booked" };
    let owed = match reversal.debt {
        Usd::ZERO => String::new(),
        debt => format!(", {debt} USD were not available and are owed: the next credits pay them"),
    };
    let available = available(books, account).await;
    output.last_result(
        &format!(
            "{kind} of {} USD {done}: {} USD taken from account {account}{owed}; {reversed} of the {credited} USD of payment \
             {payment} have gone back",
            reversal.amount, reversal.taken
        ),
        &json!({
            "payment": payment, "order_id": order.0, "account": account.0, "kind": kind, "reversed_usd": reversal.amount,
            "taken_usd": reversal.taken, "debt_usd": reversal.debt, "reversal": reversal.id, "repeated": reversal.repeated,
            "idempotency_key": key, "payment_credited_usd": credited, "payment_reversed_usd": reversed,
            "available_usd": available, "owed_usd": books.debt(account).await.ok(),
        }),
        &format!("{kind} of {} USD {done} under the idempotency key {key}", reversal.amount),
    );
}

async fn available(books: &LedgerStore, account: AccountId) -> Option<Usd> {
    books.balance(account).await.ok().map(|balance| balance.available())
}
