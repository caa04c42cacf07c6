//! Rows as JSON arrays: one parameter carries a whole batch there, one value carries what it touches back.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::{AccountId, HoldId, Usd};
use crate::credit::Resolved;
use crate::credit::ledger::{NewHold, NewReceipt};
use crate::credit::rules::{Balance, Loaded, LoadedHold};
use crate::store::StoreError;

/// In the order of the columns that `CARRY_OUT` names.
#[derive(Serialize)]
struct HoldRow<'a>(i64, i64, i64, &'a str, i64, &'a str, i64, i64, i64, &'a str, i64, u8);

/// In the order of the columns that `CARRY_OUT` names.
#[derive(Serialize)]
struct ReceiptRow<'a>(
    i64,
    &'static str,
    i64,
    i64,
    &'static str,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u8>,
    Option<&'a str>,
    Option<&'a str>,
    Option<u64>,
    Option<u64>,
);

pub(super) fn list(numbers: impl Iterator<Item = i64>) -> String {
    text(&numbers.collect::<Vec<_>>())
}

pub(super) fn holds(holds: &[NewHold<'_>]) -> String {
    text(&holds.iter().map(hold).collect::<Vec<_>>())
}

pub(super) fn receipts(receipts: &[NewReceipt<'_>]) -> String {
    text(&receipts.iter().map(receipt).collect::<Vec<_>>())
}

fn hold<'a>(hold: &'a NewHold<'_>) -> HoldRow<'a> {
    let ask = hold.ask;
    let price = &ask.price;
    HoldRow(
        hold.id.0,
        ask.account.0,
        ask.key.0,
        ask.request.as_str(),
        hold.amount.nanos(),
        &ask.model,
        price.prompt.picos(),
        price.cached.picos(),
        price.completion.picos(),
        &price.version,
        ask.expires_at_ms,
        u8::from(ask.stream),
    )
}

fn receipt<'a>(receipt: &'a NewReceipt<'_>) -> ReceiptRow<'a> {
    let ending = receipt.ending;
    let usage = ending.usage.as_ref();
    ReceiptRow(
        receipt.hold.0,
        if usage.is_some() { Resolved::Settled } else { Resolved::Released }.as_str(),
        receipt.charged.nanos(),
        receipt.shortfall.nanos(),
        ending.rule.as_str(),
        usage.map(|usage| usage.prompt),
        usage.map(|usage| usage.cached),
        usage.map(|usage| usage.completion),
        usage.map(|usage| usage.reasoning),
        usage.map(|usage| u8::from(usage.estimated)),
        ending.delivery.upstream.as_deref(),
        ending.delivery.upstream_model.as_deref(),
        ending.delivery.first_byte_ms,
        ending.delivery.duration_ms,
    )
}

/// Reads what `BEGIN` answers.
pub(super) fn loaded(balances: &str, holds: &str, last_hold: i64) -> Result<Loaded, StoreError> {
    let balances: Vec<(i64, i64, i64)> = parsed(balances, "balances")?;
    let holds: Vec<(i64, i64, i64, u8, i64)> = parsed(holds, "holds")?;
    let balance = |(account, posted, held)| {
        (AccountId(account), Balance { posted: Usd::from_nanos(posted), held: Usd::from_nanos(held) })
    };
    let hold = |(id, account, amount, open, expires_at_ms)| {
        let hold =
            LoadedHold { account: AccountId(account), amount: Usd::from_nanos(amount), open: open == 1, expires_at_ms };
        (HoldId(id), hold)
    };
    Ok(Loaded {
        balances: balances.into_iter().map(balance).collect(),
        holds: holds.into_iter().map(hold).collect(),
        last_hold,
    })
}

fn text(rows: &impl Serialize) -> String {
    serde_json::to_string(rows).expect("numbers and texts are JSON")
}

fn parsed<T: DeserializeOwned>(text: &str, what: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Unreadable { what, found: text.chars().take(80).collect() })
}
