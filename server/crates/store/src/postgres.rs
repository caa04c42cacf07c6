//! Connections to a PostgreSQL server, and the time limits of each kind.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, PgPool, Row};
use tokio::time::timeout;

use super::config::ServerAddress;
use super::query::begin_and;
use super::time_limit::{PATIENCE, in_time, no_answer};
use super::{StoreError, StoreTransaction};
use tollgate_base::AccountId;

/// The longest wait for one of a pool's connections, of a read or of a write off the path of a request.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// The longest time for a connection of a pool to say that it is still there. Several of them may be dead at once, after
/// something between us and the server forgot them, and whoever waits for one finds them out one after the other.
const PING_PATIENCE: Duration = Duration::from_millis(500);
/// Connections of a server that is up: reads off the path of a request; control writes; the heartbeat; stored responses; the
/// writer.
const READERS_MAX: u32 = 4;
pub(super) const DESK_MAX: u32 = 2;
const APART_MAX: u32 = 1;
const RESPONSES_MAX: u32 = 1;
const WRITERS: u32 = 1;
/// The most connections that one server opens.
pub const CONNECTIONS_MAX: u32 = READERS_MAX + DESK_MAX + APART_MAX + RESPONSES_MAX + WRITERS;
/// A connection that has said nothing for so long may have been cut on its way, by something between us and the server.
const IDLE_TIMEOUT: Duration = Duration::from_secs(240);
/// Statements end by themselves long before anybody waits for them in vain. Times are written as the server shows them, which is
/// what a new connection is asked for.
const STATEMENT_TIMEOUT: &str = "3500ms";
/// A lock that is not to be had for so long belongs to somebody who hangs.
const LOCK_TIMEOUT: &str = "2s";
/// The time after which the server ends a transaction whose client went silent.
const IDLE_IN_TRANSACTION_TIMEOUT: &str = "10s";
/// The time after which the server ends a transaction of the ledger's writer that went silent. Between its statements nothing
/// is waited for. It cannot go on before it knows what became of a batch that it lost sight of, and accounts are locked so
/// long.
const WRITER_IDLE_IN_TRANSACTION_TIMEOUT: &str = "2s";
/// A batch asks for tens of rows, each by its number, over a connection that keeps its plans for days. What the server would
/// guess from how large tables were when it first planned is a read of whole tables that grow; so it is told.
const BY_NUMBER: [(&str, &str); 6] = [
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("plan_cache_mode", "force_generic_plan"),
    // A plan that has to read a whole table all the same counts as so dear that it would be compiled.
    ("jit", "off"),
];
/// The begin of a write, whatever is usual on the server. Each statement sees what was there when it began, and so what was
/// written before a lock was got.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// The name of the lock that control writes take, one after the other, and of the one that upgrades take. Those that are about
/// one account share the first, and have a lock each among these.
const DESK_LOCK: i64 = 0x746f_6c6c_6465_736b;
const ACCOUNT_LOCKS: i32 = 0x746f_6c6c;
const UPGRADE_LOCK: i64 = 0x746f_6c6c_7374_6570;

/// The server as the ledger's writer finds it.
#[derive(Debug, Clone)]
pub struct WriterServer(pub(super) Arc<PostgresServer>);

impl WriterServer {
    /// A connection of its own.
    ///
    /// # Errors
    /// When the server cannot be reached, or does not let us in.
    pub async fn connect(&self) -> Result<PgConnection, StoreError> {
        self.0.connect_as(ConnectionPurpose::Write).await
    }
}

/// A server, and the schema that is ours.
#[derive(Debug, Clone)]
pub(super) struct PostgresServer {
    pub(super) address: ServerAddress,
    pub(super) schema: &'static str,
    /// The setting that was found at opening. It stays so on every connection, whatever is set for the role or the database
    /// later.
    synchronous_commit: Option<String>,
}

/// The purpose of a connection, which decides its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConnectionPurpose {
    /// The ledger's batches.
    Write,
    /// Writes off the path of a request.
    Desk,
    /// Writes that a power cut may take.
    Responses,
    Read,
}

/// A setting of a connection: its name and its value, as the server shows it.
type ConnectionSetting = (&'static str, String);

impl PostgresServer {
    /// The settings that a connection is asked to have when it is made.
    fn settings(&self, purpose: ConnectionPurpose) -> Vec<ConnectionSetting> {
        let idle = match purpose {
            ConnectionPurpose::Write => WRITER_IDLE_IN_TRANSACTION_TIMEOUT,
            ConnectionPurpose::Desk | ConnectionPurpose::Responses | ConnectionPurpose::Read => {
                IDLE_IN_TRANSACTION_TIMEOUT
            }
        };
        let mut settings = vec![
            ("search_path", self.schema.to_owned()),
            ("default_transaction_isolation", "read committed".to_owned()),
            ("statement_timeout", STATEMENT_TIMEOUT.to_owned()),
            ("lock_timeout", LOCK_TIMEOUT.to_owned()),
            ("idle_in_transaction_session_timeout", idle.to_owned()),
        ];
        // Of those that write it is left to the database, where somebody may have set it to stop all writes.
        if purpose == ConnectionPurpose::Read {
            settings.push(("default_transaction_read_only", "on".to_owned()));
        }
        let found = self.synchronous_commit.clone();
        let synchronous_commit = if purpose == ConnectionPurpose::Responses { Some("off".to_owned()) } else { found };
        settings.extend(synchronous_commit.map(|value| ("synchronous_commit", value)));
        if purpose == ConnectionPurpose::Write {
            settings.extend(BY_NUMBER.map(|(name, value)| (name, value.to_owned())));
        }
        settings
    }

    fn options(&self, purpose: ConnectionPurpose) -> PgConnectOptions {
        let options = self.address.0.clone().application_name("tollgate").disable_statement_logging();
        options.options(self.settings(purpose))
    }

    /// A connection of no pool.
    pub(super) async fn connect(&self) -> Result<PgConnection, StoreError> {
        self.connect_as(ConnectionPurpose::Desk).await
    }

    /// A connection of no pool, made in time or not at all, for whoever only looks.
    pub(super) async fn connect_in_time(&self) -> Result<PgConnection, StoreError> {
        timeout(PATIENCE, self.connect()).await.unwrap_or(Err(StoreError::Silent))
    }

    async fn connect_as(&self, purpose: ConnectionPurpose) -> Result<PgConnection, StoreError> {
        let mut connection = self.options(purpose).connect().await.map_err(|source| self.failed(source))?;
        let checked = check_settings(&mut connection, self.schema, &self.settings(purpose)).await;
        checked.map_err(|error| match error {
            ConnectionSettingsError::Unread(source) => self.failed(source),
            ConnectionSettingsError::Dropped(settings) => {
                StoreError::SettingsDropped { server: self.address.to_string(), settings }
            }
            ConnectionSettingsError::SchemaForbidden => {
                StoreError::SchemaForbidden { server: self.address.to_string(), schema: self.schema }
            }
        })?;
        Ok(connection)
    }

    /// Writes off the path of a request.
    pub(super) fn control_pool(&self) -> PgPool {
        self.pool(DESK_MAX, ConnectionPurpose::Desk)
    }

    /// Connections for writes that do not wait for the control writer: one at a time.
    pub(super) fn reserved_pool(&self) -> PgPool {
        self.pool(APART_MAX, ConnectionPurpose::Desk)
    }

    /// One connection for stored responses.
    pub(super) fn response_pool(&self) -> PgPool {
        self.pool(RESPONSES_MAX, ConnectionPurpose::Responses)
    }

    /// Connections that refuse to write.
    pub(super) fn readers(&self) -> PgPool {
        self.pool(READERS_MAX, ConnectionPurpose::Read)
    }

    fn pool(&self, connections_max: u32, purpose: ConnectionPurpose) -> PgPool {
        let (schema, settings) = (self.schema, Arc::new(self.settings(purpose)));
        let pool = PgPoolOptions::new()
            .max_connections(connections_max)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(IDLE_TIMEOUT)
            // In the place of the driver's own, which waits without end.
            .test_before_acquire(false)
            .after_connect(move |connection, _| {
                let settings = settings.clone();
                Box::pin(async move {
                    let checked = check_settings(connection, schema, &settings).await;
                    checked.map_err(|error| match error {
                        ConnectionSettingsError::Unread(source) => source,
                        unfit => sqlx::Error::Configuration(Box::new(unfit)),
                    })
                })
            })
            .before_acquire(|connection, _| Box::pin(async { still_there(connection).await.map(|()| true) }))
            .after_release(|connection, _| Box::pin(leave_nothing_open(connection)));
        pool.connect_lazy_with(self.options(purpose))
    }

    /// A server of which nothing is known yet.
    pub(super) const fn unprepared(address: ServerAddress, schema: &'static str) -> Self {
        Self { address, schema, synchronous_commit: None }
    }

    /// Asks for the schema, and makes it where it is absent.
    ///
    /// A server that answers before a commit is on its disk is no place for a ledger: `synchronous_commit = off` is refused, and so is an
    /// encoding other than UTF-8.
    /// That `fsync` and `full_page_writes` are on is left to whoever runs the server.
    pub(super) async fn prepare(address: ServerAddress, schema: &'static str) -> Result<Self, StoreError> {
        let mut server = Self::unprepared(address, schema);
        let mut connection = server.connect().await?;
        let asked = "SELECT current_setting('synchronous_commit'), EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1), \
            current_setting('server_encoding')";
        let row = sqlx::query(asked).bind(schema).fetch_one(&mut connection).await;
        let answer = |row: sqlx::postgres::PgRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
        let (found, is_there, encoding): (String, bool, String) =
            row.and_then(answer).map_err(|source| server.failed(source))?;
        if found == "off" {
            return Err(StoreError::Forgetful { server: server.address.to_string() });
        }
        if encoding != "UTF8" {
            return Err(StoreError::Encoding { server: server.address.to_string(), encoding });
        }
        server.synchronous_commit = Some(found);
        if !is_there {
            let lock = format!("BEGIN; SELECT pg_advisory_xact_lock({UPGRADE_LOCK}); ");
            let make = format!("{lock} CREATE SCHEMA IF NOT EXISTS {schema}; COMMIT");
            let made = sqlx::raw_sql(AssertSqlSafe(make)).execute(&mut connection).await;
            made.map_err(|source| StoreError::Migrate { step: "schema", source: source.into() })?;
        }
        // What is not said goodbye to is cut.
        drop(connection.close().await);
        Ok(server)
    }

    fn failed(&self, source: sqlx::Error) -> StoreError {
        let server = self.address.to_string();
        // The driver tells a certificate that is not good, and a file of certificates that is not there, as errors of the socket.
        let is_of_tls = match &source {
            sqlx::Error::Tls(_) => true,
            sqlx::Error::Io(error) => matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::NotFound),
            _ => false,
        };
        match is_of_tls && self.address.is_verified() {
            true => StoreError::Unverified { server, source: source.into() },
            false => StoreError::Connect { server, source: source.into() },
        }
    }
}

/// The settings that a connection was asked for and does not have. Also a row without a name where the schema is there and may not
/// be used, which takes it out of the path. `current_schema()` says no more, and may be older than the rest of the statement: beside
/// another server that makes the schema, it would tell of a path without it.
const SETTINGS_DROPPED: &str = "SELECT name FROM unnest($1::text[], $2::text[]) AS asked (name, value) \
        WHERE current_setting(name) IS DISTINCT FROM value \
    UNION ALL SELECT NULL FROM pg_namespace WHERE nspname = $3 AND NOT has_schema_privilege(oid, 'USAGE')";

/// The reason that a connection is of no use.
#[derive(Debug, thiserror::Error)]
enum ConnectionSettingsError {
    #[error("a new connection does not have the settings that it was asked for: {0}")]
    Dropped(String),
    #[error("the role may not use the schema")]
    SchemaForbidden,
    #[error("the settings of a new connection could not be read")]
    Unread(#[source] sqlx::Error),
}

/// Refuses a connection whose settings were dropped on the way. PgBouncer does so in silence, where it is told to ignore the
/// startup parameter `options`: tables would lie in another schema, and nothing would end in time.
async fn check_settings(
    connection: &mut PgConnection,
    schema: &str,
    settings: &[ConnectionSetting],
) -> Result<(), ConnectionSettingsError> {
    let (names, values): (Vec<&str>, Vec<&str>) = settings.iter().map(|(name, value)| (*name, value.as_str())).unzip();
    let asked = sqlx::query_scalar::<_, Option<String>>(SETTINGS_DROPPED).bind(names).bind(values).bind(schema);
    // Prepared for once: what stays prepared would be of the connection's every later session, where a pooler is between.
    let dropped =
        in_time(asked.persistent(false).fetch_all(connection)).await.map_err(ConnectionSettingsError::Unread)?;
    let named: Vec<&str> = dropped.iter().flatten().map(String::as_str).collect();
    match (dropped.is_empty(), named.is_empty()) {
        (true, _) => Ok(()),
        (false, true) => Err(ConnectionSettingsError::SchemaForbidden),
        (false, false) => Err(ConnectionSettingsError::Dropped(named.join(", "))),
    }
}

async fn still_there(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    timeout(PING_PATIENCE, connection.ping()).await.unwrap_or_else(|_| Err(no_answer()))
}

/// Ends the transaction that a connection came back in. The driver does so for those that it knows of, which one that was
/// dropped while it began is not: it would keep its locks, and be of no use to whoever gets the connection next. An error
/// closes the connection, which ends the transaction as well.
async fn leave_nothing_open(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    // The BEGIN keeps the server from complaining, each time, of a ROLLBACK where nothing is open.
    in_time(sqlx::raw_sql("BEGIN; ROLLBACK").execute(connection)).await.map(|_| true)
}

/// Begins a control write. One at a time in the whole ledger, as on a file: what such a write has read is still so when it
/// writes. The ledger's own batches do not wait for it, nor it for them, but for the accounts that both touch.
pub(super) async fn begin(desk: &PgPool) -> Result<StoreTransaction, sqlx::Error> {
    let lock = format!("SELECT pg_advisory_xact_lock({DESK_LOCK})");
    in_time(begin_and(desk, BEGIN, AssertSqlSafe(lock))).await
}

/// Begins a control write that is about one account. One at a time for each account, and none beside a write that is about the
/// whole ledger.
pub(super) async fn begin_of(desk: &PgPool, AccountId(account): AccountId) -> Result<StoreTransaction, sqlx::Error> {
    // Two accounts of the same hash wait for each other, which changes nothing but how long they take.
    let lock = format!(
        "SELECT pg_advisory_xact_lock_shared({DESK_LOCK}); \
         SELECT pg_advisory_xact_lock({ACCOUNT_LOCKS}, hashint8({account}))"
    );
    in_time(begin_and(desk, BEGIN, AssertSqlSafe(lock))).await
}

/// Begins a write that needs no order among control writes.
pub(super) async fn begin_unordered(pool: &PgPool) -> Result<StoreTransaction, sqlx::Error> {
    in_time(pool.begin_with(BEGIN)).await.map(StoreTransaction::Postgres)
}

/// Begins an upgrade, one at a time, which may take as long as it needs.
pub(super) async fn begin_upgrade(desk: &PgPool) -> Result<StoreTransaction, sqlx::Error> {
    let lock = format!(
        "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'; SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"
    );
    begin_and(desk, BEGIN, AssertSqlSafe(lock)).await
}
