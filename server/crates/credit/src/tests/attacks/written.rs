//! The short words of attacks, written out: as the same statements on a file and on a server.
//!
//! `COPY {changes}` is hold 1 again; `RELEASE id {changes}` and `SETTLE id {changes}` are receipts of a hold by its terms, the
//! changes but absent; `MOVE kind, debit, credit, amount, idem, order` is a transfer; `FINISH status` ends the video. What SQLite
//! is told of conflicts stands behind the word: `COPY OR IGNORE {}`.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::*;

/// The columns of a hold.
pub(super) const HOLD: [&str; 22] = [
    "id",
    "account_id",
    "key_id",
    "request_id",
    "amount",
    "model",
    "stream",
    "price_id",
    "ratio_ppm",
    "epoch",
    "created_at",
    "expires_at",
    "kept",
    "counted",
    "day_at",
    "week_at",
    "month_at",
    "life_at",
    "tokens",
    "in_flight",
    "pools",
    "tags",
];
/// The columns that a receipt has of its hold, and their names there.
const TERMS: [(&str, &str); 17] = [
    ("hold_id", "id"),
    ("account_id", "account_id"),
    ("key_id", "key_id"),
    ("request_id", "request_id"),
    ("held", "amount"),
    ("model", "model"),
    ("stream", "stream"),
    ("price_id", "price_id"),
    ("ratio_ppm", "ratio_ppm"),
    ("created_at", "created_at"),
    ("expires_at", "expires_at"),
    ("day_at", "day_at"),
    ("week_at", "week_at"),
    ("month_at", "month_at"),
    ("life_at", "life_at"),
    ("pools", "pools"),
    ("tags", "tags"),
];
const COPIED: &str = "{\"id\": 99, \"request_id\": \"r99\", \"amount\": 1}";
const RELEASED: &str = "{\"state\": \"released\", \"cost\": 0, \"shortfall\": 0, \"rule\": \"x\", \"resolved_at\": 1}";
const SETTLED: &str = "{\"state\": \"settled\", \"cost\": 1, \"shortfall\": 0, \"rule\": \"x\", \"resolved_at\": 1, \
    \"prompt\": 5, \"cached\": 2, \"completion\": 5, \"reasoning\": 0, \"estimated\": 0}";

/// The columns of a row, and what each is set to.
pub(super) type NewRow = BTreeMap<String, String>;

/// Puts the accounts in and writes each statement out. One that begins with none of the words is for `rest` to write.
pub(super) fn written(sql: &str, [account, other]: [AccountId; 2], rest: impl Fn(&str) -> String) -> String {
    let sql = named(&named(sql, "A", account), "B", other);
    let statement = |sql: &str| short(sql.trim()).unwrap_or_else(|| rest(sql.trim()));
    sql.split(';').map(statement).collect::<Vec<_>>().join("; ")
}

/// Puts an account in wherever its letter stands for it.
fn named(sql: &str, letter: &str, account: AccountId) -> String {
    ["= {}", " {},", "({},", ": {},", ": {}}"].iter().fold(sql.to_owned(), |sql, place| {
        sql.replace(&place.replace("{}", letter), &place.replace("{}", &account.to_string()))
    })
}

fn short(sql: &str) -> Option<String> {
    let (word, rest) = sql.split_once(' ')?;
    let (insert, rest) = on_conflict(rest);
    match word {
        "COPY" => Some(copy(&insert, rest)),
        "RELEASE" => Some(receipt(&insert, rest, RELEASED)),
        "SETTLE" => Some(receipt(&insert, rest, SETTLED)),
        "MOVE" => rest.split_once(',').map(|(kind, rest)| {
            format!(
                "{insert} INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at) \
                    VALUES ('{kind}', {rest}, 'x', 1)"
            )
        }),
        "FINISH" => Some(format!(
            "UPDATE video_task SET receipt_id = hold_id, status = '{rest}', rev = 1, error_code = 'x', error_message = 'x'"
        )),
        _ => None,
    }
}

/// The start of an INSERT with its way to treat conflicts, and the rest of the statement.
pub(super) fn on_conflict(rest: &str) -> (String, &str) {
    match rest.strip_prefix("OR ").and_then(|rest| rest.split_once(' ')) {
        Some((word, rest)) => (format!("INSERT OR {word}"), rest),
        None => ("INSERT".to_owned(), rest),
    }
}

fn copy(insert: &str, changes: &str) -> String {
    let mut row: NewRow = HOLD.iter().map(|column| ((*column).to_owned(), (*column).to_owned())).collect();
    row.extend(values(COPIED));
    row.extend(values(changes));
    inserted(insert, "holds", &row, "holds WHERE id = 1")
}

fn receipt(insert: &str, rest: &str, ending: &str) -> String {
    let (hold, changes) = rest.split_once(' ').unwrap_or((rest, "{}"));
    let mut row: NewRow = TERMS.iter().map(|(own, of)| ((*own).to_owned(), format!("h.{of}"))).collect();
    row.extend(values(ending));
    row.extend(values(changes));
    inserted(insert, "receipts", &row, &format!("holds h WHERE h.id = {hold}"))
}

fn inserted(insert: &str, table: &str, row: &NewRow, of: &str) -> String {
    let columns: Vec<&str> = row.keys().map(String::as_str).collect();
    let values: Vec<&str> = row.values().map(String::as_str).collect();
    format!("{insert} INTO {table} ({}) SELECT {} FROM {of}", columns.join(", "), values.join(", "))
}

/// The columns that JSON sets, as a statement says them.
pub(super) fn values(changes: &str) -> NewRow {
    let changes: Map<String, Json> = serde_json::from_str(changes).unwrap_or_else(|error| panic!("{changes}: {error}"));
    let value = |value| match value {
        Json::Null => "NULL".to_owned(),
        Json::String(text) => format!("'{text}'"),
        other => other.to_string(),
    };
    changes.into_iter().map(|(column, changed)| (column, value(changed))).collect()
}
