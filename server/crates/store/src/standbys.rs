//! Charges that the database would forget when a standby takes the place of its server.
//!
//! A charge is told to a client when its commit has returned. A standby that has not written it by then, and takes over, knows
//! nothing of it: the request was free, and its number is given again.

use std::fmt;

use sqlx::{Connection, Row};

use super::postgres;
use super::time_limit::in_time;
use super::{StoreConfig, StoreError};

const COMMITS: &str = "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names')";
/// The servers that follow this one, by their names, which any role can read. Programs that copy its log and logical
/// replication are left out, as they take over nothing.
const FOLLOWERS: &str = "SELECT coalesce(r.application_name, '') FROM pg_stat_replication r \
    WHERE coalesce(r.application_name, '') NOT IN ('pg_basebackup', 'pg_receivewal') \
        AND NOT EXISTS (SELECT 1 FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical') \
    ORDER BY 1 LIMIT 10";
/// The values of `synchronous_commit` with which a commit returns after a synchronous standby has it on its disk.
const WAITS: [&str; 2] = ["on", "remote_apply"];

/// The reason that charges would be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StandbyRisk {
    /// There are synchronous standbys, and commits do not wait until they have written.
    Unawaited {
        /// `synchronous_commit`, as connections have it.
        synchronous_commit: String,
        /// `synchronous_standby_names`.
        standbys: String,
    },
    /// Standbys follow the server, and none of them is synchronous.
    Asynchronous {
        /// The names that the standbys give themselves, ten at the most.
        names: Vec<String>,
    },
}

impl fmt::Display for StandbyRisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unawaited { synchronous_commit, standbys } => write!(
                f,
                "synchronous_commit = {synchronous_commit} beside synchronous_standby_names = '{standbys}': a standby that takes \
                 over forgets charges that clients were told of. Set synchronous_commit = on for the role, the database or the \
                 server"
            ),
            Self::Asynchronous { names } => write!(
                f,
                "standbys follow the database asynchronously ({}), and one that takes over forgets charges that clients were told \
                 of. Name at least one of them in synchronous_standby_names",
                names.join(", ")
            ),
        }
    }
}

/// Asks a server of the database what a standby of it would forget; nothing where the ledger is a file. Writes nothing.
///
/// # Errors
/// When the server cannot be asked.
pub async fn standby_risk(config: &StoreConfig) -> Result<Option<StandbyRisk>, StoreError> {
    let StoreConfig::Postgres { address, schema, .. } = config else { return Ok(None) };
    let mut connection = postgres::PostgresServer::unprepared((**address).clone(), schema).connect_in_time().await?;
    let reading = || StoreError::read("the standbys of the database");
    let row = in_time(sqlx::query(COMMITS).fetch_one(&mut connection)).await.map_err(reading())?;
    let setting = |index: usize| row.try_get::<String, _>(index).map_err(reading());
    let (synchronous_commit, standbys) = (setting(0)?, setting(1)?);
    let risk = if !standbys.trim().is_empty() {
        let waits = WAITS.contains(&synchronous_commit.as_str());
        (!waits).then_some(StandbyRisk::Unawaited { synchronous_commit, standbys })
    } else {
        let names = in_time(sqlx::query_scalar(FOLLOWERS).fetch_all(&mut connection)).await.map_err(reading())?;
        (!names.is_empty()).then_some(StandbyRisk::Asynchronous { names })
    };
    drop(connection.close().await);
    Ok(risk)
}
