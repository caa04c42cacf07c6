//! Errors of the database itself.

use std::io;
use std::path::PathBuf;

use super::LedgerMode;

/// The store could not be opened, locked, migrated or written to. Each variant says what was being done.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder of the database could not be created.
    #[error("failed to create the data folder {path}")]
    CreateFolder {
        /// The folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The database file could not be created.
    #[error("failed to create the database file {path}")]
    CreateFile {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The real name of the database file could not be found.
    #[error("failed to find the real path of {path}")]
    Resolve {
        /// The file as it was named.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another server has the file.
    #[error("another server is using {path}: one SQLite file serves one server (its lock is {lock})")]
    AlreadyServed {
        /// The database.
        path: PathBuf,
        /// The lock file that the other server holds.
        lock: PathBuf,
    },
    /// Another server has the folder.
    #[error("another server is using {folder}: each server of a ledger has a data_dir of its own (its lock is {lock})")]
    FolderTaken {
        /// The folder.
        folder: PathBuf,
        /// The lock file that the other server holds.
        lock: PathBuf,
    },
    /// A server was about to start on a ledger whose lock it does not have.
    #[error("the lock that was taken is not the one of {place}")]
    NotLocked {
        /// The database.
        place: String,
    },
    /// The clock of this machine is not that of the database.
    #[error(
        "the clock of this machine is {} seconds {} that of the database: keys of requests, budgets and orders end at the wrong \
         time for everybody. Set both clocks, by NTP for example",
        seconds.unsigned_abs(),
        if *seconds > 0 { "ahead of" } else { "behind" }
    )]
    ClockDiffers {
        /// The seconds that it is ahead; below zero where it is behind.
        seconds: i64,
    },
    /// The database did not answer in time.
    #[error("the database did not answer in time")]
    Silent,
    /// The database server could not be reached, or did not let us in.
    #[error("failed to connect to {server}")]
    Connect {
        /// The address of the server.
        server: String,
        /// The cause.
        source: DatabaseError,
    },
    /// The database server did not show by TLS that it is the one that was meant.
    #[error(
        "failed to connect to {server} by TLS, as its sslmode asks: the server has to have it (ssl = on), and a certificate for the \
         host in the address, from an authority that this machine trusts or that sslrootcert=FILE in the address names"
    )]
    Unverified {
        /// The address of the server.
        server: String,
        /// The cause.
        source: DatabaseError,
    },
    /// The connections do not have the settings that they were asked for.
    #[error(
        "{server} drops the settings of a connection ({settings}): something on the way, such as PgBouncer with \
         ignore_startup_parameters = options, does not pass them on, and tables would lie in another schema. Name PostgreSQL \
         itself in [database], or a pooler that pools sessions and passes startup parameters on"
    )]
    SettingsDropped {
        /// The address of the server.
        server: String,
        /// The names of those that are missing.
        settings: String,
    },
    /// The role may not use the schema of the ledger.
    #[error(
        "{server} does not let the role use the schema {schema}: GRANT USAGE, CREATE ON SCHEMA {schema} TO the role, or make it the owner"
    )]
    SchemaForbidden {
        /// The address of the server.
        server: String,
        /// The schema.
        schema: &'static str,
    },
    /// The database server says that something is written before it is.
    #[error(
        "{server} has synchronous_commit = off, so that it may lose what it reports as written: set it to on for the role, the \
         database or the server"
    )]
    Forgetful {
        /// The address of the server.
        server: String,
    },
    /// The database keeps texts in an encoding that does not know every letter.
    #[error(
        "the database at {server} has the encoding {encoding}, in which not every name can be written: make one with UTF8, \
         `createdb --encoding=UTF8 --template=template0`"
    )]
    Encoding {
        /// The address of the server.
        server: String,
        /// Its name there.
        encoding: String,
    },
    /// The ledger is of the other mode.
    #[error(
        "{place} is a ledger of mode \"{found}\", and this configuration has mode = \"{asked}\": write mode = \"{found}\", or name \
         another place for the ledger (data_dir, or [database] where it is on a server). No ledger changes its mode: payments \
         that were for trying out would count as money"
    )]
    OtherMode {
        /// The place of the ledger.
        place: String,
        /// Its mode.
        found: LedgerMode,
        /// The mode that it was to be opened in.
        asked: LedgerMode,
    },
    /// The lock file could not be opened or locked.
    #[error("failed to lock {lock}")]
    Lock {
        /// The lock file.
        lock: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The database could not be opened.
    #[error("failed to open the database {path}")]
    Open {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: DatabaseError,
    },
    /// The thread that writes could not be started.
    #[error("failed to start the ledger's thread")]
    Thread {
        /// The cause.
        source: io::Error,
    },
    /// A write transaction could not be begun.
    #[error("failed to begin a write transaction")]
    Begin {
        /// The cause.
        source: DatabaseError,
    },
    /// A statement of a write transaction failed.
    #[error("failed to write {what}")]
    Write {
        /// A name for what was being written.
        what: &'static str,
        /// The cause.
        source: DatabaseError,
    },
    /// A write transaction was not committed, or it is not known whether it was.
    #[error("failed to commit {what}")]
    Commit {
        /// A name for what was being written.
        what: &'static str,
        /// The cause.
        source: DatabaseError,
    },
    /// A read failed.
    #[error("failed to read {what}")]
    Read {
        /// A name for what was being read.
        what: &'static str,
        /// The cause.
        source: DatabaseError,
    },
    /// A value was read that is not one of those written there.
    #[error("found {found:?} where the database has {what}")]
    Unreadable {
        /// A name for the value that should be there.
        what: &'static str,
        /// The value that is there.
        found: String,
    },
    /// A step of the schema could not be applied.
    #[error("failed to apply the schema step {step}")]
    Migrate {
        /// The step.
        step: &'static str,
        /// The cause.
        source: DatabaseError,
    },
    /// A step of the schema was applied with another text than this program has.
    #[error("the schema step {step} of this database differs from the one in this program")]
    StepChanged {
        /// The step.
        step: &'static str,
    },
    /// The database is to be upgraded, and is not as the earlier program left it.
    #[error(
        "the tables or rules of this database were altered by hand, so it is not upgraded: undo the change or restore a \
         backup, then start again (the program that served it before still opens it, and its `tollgate audit` says when \
         the schema is whole)"
    )]
    Altered,
    /// The database was made before the first release, with other tables.
    #[error(
        "this ledger was made by a build from before the first release, and there is no upgrade from it: keep the file or the \
         schema if you need to look something up with that build, and start with a new one"
    )]
    Unreleased,
    /// Servers of an earlier program are up that a step of the schema would break.
    #[error(
        "the schema step {step} changes what {servers} running servers of an earlier version rely on: stop all servers of this \
         database, then start this version"
    )]
    OthersUp {
        /// The step.
        step: &'static str,
        /// The number of those servers.
        servers: i64,
    },
    /// The database has schema steps that this program does not know.
    #[error("this database was written by a newer program: unknown schema step {step}")]
    Newer {
        /// The step.
        step: String,
    },
}

/// An error of the database, from either of the two drivers.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// Asked from a task.
    #[error(transparent)]
    Pool(#[from] sqlx::Error),
    /// Asked on the ledger's own thread.
    #[error(transparent)]
    Thread(#[from] rusqlite::Error),
}

impl StoreError {
    /// The value of a text that a row has.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where the text is not one of those that `parse` knows, as of a later version.
    pub fn parsed<T>(text: &str, what: &'static str, parse: fn(&str) -> Option<T>) -> Result<T, Self> {
        parse(text).ok_or_else(|| Self::Unreadable { what, found: text.to_owned() })
    }

    /// An adapter for `map_err` on a read.
    pub fn read(what: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| Self::Read { what, source: source.into() }
    }

    /// An adapter for `map_err` on a statement of a write transaction.
    pub fn write(what: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| Self::Write { what, source: source.into() }
    }

    /// An adapter for `map_err` on a commit.
    pub fn commit(what: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| Self::Commit { what, source: source.into() }
    }
}
