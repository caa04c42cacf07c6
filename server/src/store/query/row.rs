//! A row of either database.

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Postgres, Sqlite, Type};

/// A row, read by position.
#[derive(Debug)]
pub struct Row(Inner);

#[derive(Debug)]
enum Inner {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A type that can be read from both.
pub trait Readable<'r>: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres> {}

impl<'r, T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>> Readable<'r> for T {}

impl Row {
    /// The value of a column, counted from 0.
    ///
    /// # Errors
    /// When it is not there, or is of another kind.
    pub fn try_get<'r, T: Readable<'r>>(&'r self, index: usize) -> Result<T, sqlx::Error> {
        match &self.0 {
            Inner::Sqlite(row) => sqlx::Row::try_get(row, index),
            Inner::Postgres(row) => sqlx::Row::try_get(row, index),
        }
    }
}

impl From<SqliteRow> for Row {
    fn from(row: SqliteRow) -> Self {
        Self(Inner::Sqlite(row))
    }
}

impl From<PgRow> for Row {
    fn from(row: PgRow) -> Self {
        Self(Inner::Postgres(row))
    }
}
