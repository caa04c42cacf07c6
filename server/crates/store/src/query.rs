//! A statement that runs on either database, written once.
//!
//! Beside sqlx's own `Any`, which has no arrays, tells no constraint's name and takes no pragmas: here each arm is the
//! real driver, and what can be bound and read is what both have.

mod row;
mod target;
mod transaction;

use std::borrow::Cow;

use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Postgres, SqlSafeStr, Sqlite};

use super::time_limit::in_time;
pub use row::DatabaseRow;
pub use target::{ReadPool, StatementTarget};
pub use transaction::StoreTransaction;
pub(super) use transaction::begin_and;

/// The text of a statement, with `$1`, `$2` and so on. Most are valid on both databases; where one is not, both texts
/// stand side by side.
#[derive(Debug, Clone, Copy)]
pub struct SqlText {
    sqlite: &'static str,
    postgres: &'static str,
}

impl SqlText {
    /// A text for each.
    #[must_use]
    pub const fn of(sqlite: &'static str, postgres: &'static str) -> Self {
        Self { sqlite, postgres }
    }

    /// One text for both.
    #[must_use]
    pub const fn same(both: &'static str) -> Self {
        Self { sqlite: both, postgres: both }
    }

    /// The text for where it is to run.
    pub(super) fn on(self, target: &StatementTarget<'_>) -> &'static str {
        match target {
            StatementTarget::Sqlite(_) | StatementTarget::SqlitePool(_) => self.sqlite,
            StatementTarget::Postgres(_) | StatementTarget::PostgresPool(_) => self.postgres,
        }
    }
}

impl From<&'static str> for SqlText {
    fn from(both: &'static str) -> Self {
        Self::same(both)
    }
}

/// The value of a parameter. PostgreSQL wants to know of what kind a NULL is.
#[derive(Debug, Clone, Copy)]
pub enum BoundValue<'q> {
    /// A number, or NULL.
    Number(Option<i64>),
    /// A text, or NULL.
    Text(Option<&'q str>),
    /// Bytes.
    Bytes(&'q [u8]),
}

impl From<i64> for BoundValue<'_> {
    fn from(number: i64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<Option<i64>> for BoundValue<'_> {
    fn from(number: Option<i64>) -> Self {
        Self::Number(number)
    }
}

impl<'q> From<&'q str> for BoundValue<'q> {
    fn from(text: &'q str) -> Self {
        Self::Text(Some(text))
    }
}

impl<'q> From<Option<&'q str>> for BoundValue<'q> {
    fn from(text: Option<&'q str>) -> Self {
        Self::Text(text)
    }
}

impl<'q> From<&'q String> for BoundValue<'q> {
    fn from(text: &'q String) -> Self {
        Self::Text(Some(text))
    }
}

impl<'q> From<&'q [u8]> for BoundValue<'q> {
    fn from(bytes: &'q [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

/// A statement and the values of its parameters.
#[derive(Debug, Clone)]
#[must_use = "it runs when it is fetched or executed"]
pub struct BoundStatement<'q> {
    sql: SqlText,
    bound: Vec<BoundValue<'q>>,
}

/// A statement without parameters yet.
pub fn query<'q>(sql: impl Into<SqlText>) -> BoundStatement<'q> {
    BoundStatement { sql: sql.into(), bound: Vec::new() }
}

/// Runs a text of many statements, without parameters.
pub(super) async fn run_script(target: StatementTarget<'_>, text: impl SqlSafeStr) -> Result<(), sqlx::Error> {
    let script = sqlx::raw_sql(text);
    match target {
        StatementTarget::Sqlite(connection) => script.execute(connection).await.map(drop),
        StatementTarget::SqlitePool(pool) => script.execute(pool).await.map(drop),
        StatementTarget::Postgres(connection) => script.execute(connection).await.map(drop),
        StatementTarget::PostgresPool(pool) => script.execute(pool).await.map(drop),
    }
}

/// A text as PostgreSQL takes it: without the one character that an SQLite file takes and it does not. Whoever looks for a
/// text that has it finds none on either, and what is written down has a sign in its place.
#[must_use]
pub fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text.into() }
}

/// The driver's own statement. The two drivers share no trait that could bind for both.
macro_rules! native {
    ($query:expr, $text:ident, $as_stored:expr) => {
        $query.bound.into_iter().fold(sqlx::query($query.sql.$text), |query, bound| match bound {
            BoundValue::Number(number) => query.bind(number),
            BoundValue::Text(text) => query.bind(text.map($as_stored)),
            BoundValue::Bytes(bytes) => query.bind(bytes),
        })
    };
}

/// Runs the driver's own statement wherever it is to run. The futures of a network are boxed: they are large, and would be a
/// part of all that may come to ask. What runs on a pool, by itself, is not waited for without end; what runs in a transaction
/// may take as long as that one lets it.
macro_rules! run {
    ($query:expr, $target:expr, $method:ident) => {
        match $target {
            StatementTarget::Sqlite(connection) => $query.for_sqlite().$method(connection).await.map(Into::into),
            StatementTarget::SqlitePool(pool) => $query.for_sqlite().$method(pool).await.map(Into::into),
            StatementTarget::Postgres(connection) => {
                Box::pin($query.for_postgres().$method(connection)).await.map(Into::into)
            }
            StatementTarget::PostgresPool(pool) => {
                Box::pin(in_time($query.for_postgres().$method(pool))).await.map(Into::into)
            }
        }
    };
}

impl<'q> BoundStatement<'q> {
    /// Binds the value of the next parameter.
    pub fn bind(mut self, value: impl Into<BoundValue<'q>>) -> Self {
        self.bound.push(value.into());
        self
    }

    /// Runs it, and answers how many rows it changed.
    ///
    /// # Errors
    /// What the database says.
    pub async fn execute<'t>(self, target: impl Into<StatementTarget<'t>>) -> Result<u64, sqlx::Error> {
        let (target, sql) = self.for_target(target);
        let done: Result<ChangedRows, _> = run!(self, target, execute);
        done.map(|changed| changed.0).inspect(|changed| ran(sql, *changed))
    }

    /// The one row that it finds.
    ///
    /// # Errors
    /// What the database says, or that there is none.
    pub async fn fetch_one<'t>(self, target: impl Into<StatementTarget<'t>>) -> Result<DatabaseRow, sqlx::Error> {
        let (target, sql) = self.for_target(target);
        let found: Result<DatabaseRow, _> = run!(self, target, fetch_one);
        found.inspect(|_| ran(sql, 1))
    }

    /// The row that it finds, if there is one.
    ///
    /// # Errors
    /// What the database says.
    pub async fn fetch_optional<'t>(
        self,
        target: impl Into<StatementTarget<'t>>,
    ) -> Result<Option<DatabaseRow>, sqlx::Error> {
        let (target, sql) = self.for_target(target);
        let found: Result<OptionalRow, _> = run!(self, target, fetch_optional);
        found.map(|found| found.0).inspect(|row| ran(sql, row.is_some().into()))
    }

    /// All rows that it finds.
    ///
    /// # Errors
    /// What the database says.
    pub async fn fetch_all<'t>(self, target: impl Into<StatementTarget<'t>>) -> Result<Vec<DatabaseRow>, sqlx::Error> {
        let (target, sql) = self.for_target(target);
        let found: Result<FoundRows, _> = run!(self, target, fetch_all);
        found.map(|found| found.0).inspect(|rows| ran(sql, u64::try_from(rows.len()).unwrap_or(u64::MAX)))
    }

    fn for_target<'t>(&self, target: impl Into<StatementTarget<'t>>) -> (StatementTarget<'t>, &'static str) {
        let target = target.into();
        let sql = self.sql.on(&target);
        (target, sql)
    }

    fn for_sqlite(self) -> sqlx::query::Query<'q, Sqlite, SqliteArguments> {
        native!(self, sqlite, Cow::Borrowed)
    }

    fn for_postgres(self) -> sqlx::query::Query<'q, Postgres, PgArguments> {
        native!(self, postgres, storable)
    }
}

/// Logs, at the level `trace`, which statement was run and how many rows it found or changed; never its parameters.
/// Who must not learn whether a row of another's is there is told after the same statements, which is how that is tested.
fn ran(statement: &'static str, rows: u64) {
    tracing::trace!(statement, rows, "a statement was run");
}

/// The answers of the two drivers, as one: `run!` converts into these.
struct ChangedRows(u64);
struct OptionalRow(Option<DatabaseRow>);
struct FoundRows(Vec<DatabaseRow>);

impl From<sqlx::sqlite::SqliteQueryResult> for ChangedRows {
    fn from(done: sqlx::sqlite::SqliteQueryResult) -> Self {
        Self(done.rows_affected())
    }
}

impl From<sqlx::postgres::PgQueryResult> for ChangedRows {
    fn from(done: sqlx::postgres::PgQueryResult) -> Self {
        Self(done.rows_affected())
    }
}

impl<R: Into<DatabaseRow>> From<Option<R>> for OptionalRow {
    fn from(row: Option<R>) -> Self {
        Self(row.map(Into::into))
    }
}

impl<R: Into<DatabaseRow>> From<Vec<R>> for FoundRows {
    fn from(rows: Vec<R>) -> Self {
        Self(rows.into_iter().map(Into::into).collect())
    }
}
