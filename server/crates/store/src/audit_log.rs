//! The log of changes: who did what, from where, and why. A line is written in the transaction of the act that it tells of, and is
//! never changed.

use tollgate_base::Actor;

use super::{DatabaseRow, ReadPool, StoreError, StoreTransaction, query};

const INSERT: &str = "INSERT INTO audit_log (at, actor, action, subject, detail, address, reason, value_before, value_after) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// The newest first, from before a number on.
macro_rules! lines {
    ($of:literal) => {
        concat!(
            "SELECT id, at, actor, action, subject, detail, address, reason, value_before, value_after FROM audit_log WHERE ",
            $of,
            " AND id < $1 AND at >= $2 AND at < $3 AND ($4 = '' OR actor = $4) AND ($5 = '' OR action = $5) ORDER BY id DESC LIMIT $7"
        )
    };
}

const LIST: &str = lines!("$6 = ''");
/// By an index of its own.
const OF_SUBJECT: &str = lines!("subject = $6");

/// One line of the log of changes.
#[derive(Debug)]
pub struct AuditEntry<'a> {
    at_ms: i64,
    actor: Actor<'a>,
    action: &'static str,
    subject: &'a str,
    detail: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

impl<'a> AuditEntry<'a> {
    /// A line about an act, `key.revoke`, and the person or thing that it was done to. `at_ms` is unix time in milliseconds.
    #[must_use]
    pub fn new(at_ms: i64, actor: impl Into<Actor<'a>>, action: &'static str, subject: &'a str) -> Self {
        Self { at_ms, actor: actor.into(), action, subject, detail: "", before: None, after: None }
    }

    /// The same with the rest in words, never a secret.
    #[must_use]
    pub const fn detail(self, detail: &'a str) -> Self {
        Self { detail, ..self }
    }

    /// The same with the state before, where there was one, and after, never a secret.
    #[must_use]
    pub const fn change(self, before: Option<&'a str>, after: &'a str) -> Self {
        Self { before, after: Some(after), ..self }
    }
}

/// A line of the log of changes, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedChange {
    /// Its number: later lines have higher ones.
    pub id: i64,
    /// Unix time in milliseconds.
    pub at_ms: i64,
    /// The one who made the change.
    pub actor: String,
    /// The act: `key.revoke`.
    pub action: String,
    /// The person or thing that it was done to.
    pub subject: String,
    /// The rest in words; may be empty.
    pub detail: String,
    /// The address that it was asked for from.
    pub address: Option<String>,
    /// The reason that was given; may be empty.
    pub reason: String,
    /// The state before, where something was changed.
    pub before: Option<String>,
    /// The state after, where something was changed.
    pub after: Option<String>,
}

/// The lines that a list shows. Empty texts leave all through.
#[derive(Debug, Clone, Copy)]
pub struct ChangeFilter<'a> {
    /// The number of the line that the list goes on after; lines before it are older.
    pub before: i64,
    /// The least time, in unix milliseconds.
    pub since_ms: i64,
    /// The time from which none is shown, in unix milliseconds.
    pub until_ms: i64,
    /// The one who made the change.
    pub actor: &'a str,
    /// The act.
    pub action: &'a str,
    /// The person or thing that it was done to.
    pub subject: &'a str,
    /// The most lines.
    pub limit: i64,
}

/// Appends a line to the log of changes.
///
/// # Errors
/// When the statement fails; the caller's transaction is then not to be committed.
pub async fn record(transaction: &mut StoreTransaction, entry: &AuditEntry<'_>) -> Result<(), StoreError> {
    let AuditEntry { at_ms, actor, action, subject, detail, before, after } = *entry;
    let address = actor.address.map(|address| address.to_string());
    let line = query(INSERT)
        .bind(at_ms)
        .bind(actor.name)
        .bind(action)
        .bind(subject)
        .bind(detail)
        .bind(address.as_deref())
        .bind(actor.reason)
        .bind(before)
        .bind(after);
    line.execute(transaction).await.map(drop).map_err(StoreError::write("the log of changes"))
}

/// Lines of the log of changes, the newest first.
///
/// # Errors
/// When the store fails.
pub async fn changes(readers: &ReadPool, filter: &ChangeFilter<'_>) -> Result<Vec<LoggedChange>, StoreError> {
    let ChangeFilter { before, since_ms, until_ms, actor, action, subject, limit } = *filter;
    let list = query(if subject.is_empty() { LIST } else { OF_SUBJECT })
        .bind(before)
        .bind(since_ms)
        .bind(until_ms)
        .bind(actor)
        .bind(action)
        .bind(subject)
        .bind(limit);
    let rows = list.fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| logged(row).map_err(reading)).collect()
}

fn logged(row: &DatabaseRow) -> Result<LoggedChange, sqlx::Error> {
    Ok(LoggedChange {
        id: row.try_get(0)?,
        at_ms: row.try_get(1)?,
        actor: row.try_get(2)?,
        action: row.try_get(3)?,
        subject: row.try_get(4)?,
        detail: row.try_get(5)?,
        address: row.try_get(6)?,
        reason: row.try_get::<Option<String>>(7)?.unwrap_or_default(),
        before: row.try_get(8)?,
        after: row.try_get(9)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "the log of changes", source: source.into() }
}
