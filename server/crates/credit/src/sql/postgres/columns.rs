//! Columns of rows, each an array that a statement binds.

use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;

/// A statement that binds them.
pub(super) type InsertQuery<'q> = Query<'q, Postgres, PgArguments>;

/// One column of all rows.
pub(super) fn column<'r, R, T>(rows: &'r [R], of: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// One column of counts of all rows. A count that a column is too small for is refused before the database could.
pub(super) fn counts<'r, R>(rows: &'r [R], of: impl Fn(&'r R) -> u64) -> sqlx::Result<Vec<i64>> {
    rows.iter().map(|row| fits(of(row))).collect()
}

pub(super) fn maybe_counts<'r, R>(rows: &'r [R], of: impl Fn(&'r R) -> Option<u64>) -> sqlx::Result<Vec<Option<i64>>> {
    rows.iter().map(|row| of(row).map(fits).transpose()).collect()
}

fn fits(count: u64) -> sqlx::Result<i64> {
    i64::try_from(count).map_err(|error| sqlx::Error::Encode(error.into()))
}
