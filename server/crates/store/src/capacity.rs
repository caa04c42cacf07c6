//! The number of servers that a database has connections for.

use std::fmt;

use sqlx::{Connection, Row};

use super::postgres::{self, CONNECTIONS_MAX};
use super::time_limit::in_time;
use super::{StoreConfig, StoreError};

/// The least of the limits of the whole server, of the role and of the database. Those that are kept for superusers are left
/// out. What is absent bounds nothing.
const TAKES: &str = "SELECT least( \
    current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint \
        - coalesce(current_setting('reserved_connections', true), '0')::bigint, \
    (SELECT nullif(rolconnlimit, -1)::bigint FROM pg_roles WHERE rolname = current_user), \
    (SELECT nullif(datconnlimit, -1)::bigint FROM pg_database WHERE datname = current_database()))";

/// The connections that a database takes, beside those that a server of ours opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionCapacity {
    /// The most that one server opens.
    pub per_server: i64,
    /// The most that the database takes from all of them.
    pub takes: i64,
}

impl ConnectionCapacity {
    /// The number of servers that can have all the connections that they may open.
    #[must_use]
    pub fn servers(self) -> i64 {
        self.takes.max(0) / self.per_server
    }
}

impl fmt::Display for ConnectionCapacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (per_server, takes, servers) = (self.per_server, self.takes, self.servers());
        write!(
            f,
            "a server opens at most {per_server} connections, and the database takes {takes} (the least of max_connections and of \
             the limits of role and database): enough for {servers} server{}",
            if servers == 1 { "" } else { "s" }
        )
    }
}

/// Asks a database how many connections it takes; nothing where the ledger is a file. Writes nothing.
///
/// # Errors
/// When it cannot be asked.
pub async fn capacity(config: &StoreConfig) -> Result<Option<ConnectionCapacity>, StoreError> {
    let StoreConfig::Postgres { address, schema, .. } = config else { return Ok(None) };
    let mut connection = postgres::PostgresServer::unprepared((**address).clone(), schema).connect_in_time().await?;
    let reading = || StoreError::read("how many connections the database takes");
    let row = in_time(sqlx::query(TAKES).fetch_one(&mut connection)).await.map_err(reading())?;
    let takes = row.try_get(0).map_err(reading())?;
    drop(connection.close().await);
    Ok(Some(ConnectionCapacity { per_server: i64::from(CONNECTIONS_MAX), takes }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{On, temporary_on};
    use crate::{WriterPlace, query};
    use tollgate_base::Clock;

    #[tokio::test]
    async fn a_server_opens_no_more_connections_than_it_says() {
        let (clock, _hand) = Clock::manual(1);
        let (_folder, config, store) = temporary_on(On::Server, &clock).await;
        let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
        let mut counting = server.connect().await.unwrap();
        let read = || query("SELECT pg_sleep(0.05) IS NOT NULL").fetch_one(store.readers());
        let write = async || store.begin_unordered().await.unwrap().rollback().await;
        let apart = async || store.begin_reserved().await.unwrap().rollback().await;
        let (reads, writes, aparts) = tokio::join!(
            futures_util::future::join_all((0..20).map(|_| read())),
            futures_util::future::join_all((0..20).map(|_| write())),
            futures_util::future::join_all((0..5).map(|_| apart())),
        );
        assert!(reads.iter().all(Result::is_ok) && writes.iter().chain(&aparts).all(Result::is_ok));
        let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tollgate'";
        let count: i64 = sqlx::query_scalar(count).fetch_one(&mut counting).await.unwrap();
        assert!(count > 5 && count <= i64::from(CONNECTIONS_MAX), "{count}");
        let found = capacity(&config).await.unwrap().expect("a server");
        assert!(found.takes > 100 && found.servers() == found.takes / i64::from(CONNECTIONS_MAX), "{found}");
        let limit = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 19', current_database()); END $$";
        sqlx::raw_sql(limit).execute(&mut counting).await.unwrap();
        let found = capacity(&config).await.unwrap().expect("a server");
        assert_eq!((found.takes, found.servers()), (19, 2), "{found}");
        let told = found.to_string();
        assert!(
            told.contains("at most 9 connections") && told.contains("takes 19") && told.contains("2 servers"),
            "{told}"
        );
    }
}
