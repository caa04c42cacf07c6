//! A row of either database.

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Postgres, Sqlite, Type};

/// A row, read by position.
#[derive(Debug)]
pub struct DatabaseRow(DriverRow);

#[derive(Debug)]
enum DriverRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A type that can be read from both.
pub trait ReadableColumn<'r>: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres> {}

impl<'r, T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>> ReadableColumn<'r> for T {}

impl DatabaseRow {
    /// The value of a column, counted from 0.
    ///
    /// # Errors
    /// When it is not there, or is of another kind.
    pub fn try_get<'r, T: ReadableColumn<'r>>(&'r self, index: usize) -> Result<T, sqlx::Error> {
        match &self.0 {
            DriverRow::Sqlite(row) => sqlx::Row::try_get(row, index),
            DriverRow::Postgres(row) => sqlx::Row::try_get(row, index),
        }
    }
}

impl From<SqliteRow> for DatabaseRow {
    fn from(row: SqliteRow) -> Self {
        Self(DriverRow::Sqlite(row))
    }
}

impl From<PgRow> for DatabaseRow {
    fn from(row: PgRow) -> Self {
        Self(DriverRow::Postgres(row))
    }
}
