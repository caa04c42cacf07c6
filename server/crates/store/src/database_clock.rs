//! The clock of a machine beside that of the database.
//!
//! Keys of requests, budgets and orders end by the clocks of the servers that share a ledger: one that is a day ahead ends them for
//! all. What nobody may be late for goes by the database's clock.

use sqlx::{Connection, Row};

use super::postgres;
use super::time_limit::in_time;
use super::{StoreConfig, StoreError};
use tollgate_base::Clock;

const DATABASE_NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/// The most milliseconds that the clock of a server may differ from the database's.
const DIFFERENCE_MAX_MS: u64 = 60_000;

/// Compares a clock with the database's; a ledger in a file has no other clock. Writes nothing.
///
/// # Errors
/// [`StoreError::ClockDiffers`] where they are more than a minute apart, and another where the database cannot be asked.
pub async fn check_clock(config: &StoreConfig, clock: &Clock) -> Result<(), StoreError> {
    let StoreConfig::Postgres { address, schema, .. } = config else { return Ok(()) };
    let mut connection = postgres::PostgresServer::unprepared((**address).clone(), schema).connect_in_time().await?;
    let asked_ms = clock.now_ms();
    let row =
        in_time(sqlx::query(DATABASE_NOW).fetch_one(&mut connection)).await.map_err(StoreError::read("the time"))?;
    let answered_ms = clock.now_ms();
    drop(connection.close().await);
    let database_ms: i64 = row.try_get(0).map_err(StoreError::read("the time"))?;
    // It was asked at some moment between the two.
    let differs_ms = answered_ms.min(database_ms.max(asked_ms)).saturating_sub(database_ms);
    if differs_ms.unsigned_abs() > DIFFERENCE_MAX_MS {
        return Err(StoreError::ClockDiffers { seconds: differs_ms / 1_000 });
    }
    Ok(())
}
