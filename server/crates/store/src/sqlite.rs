//! Connections to a file: one set of pragmas for all, and what each kind adds.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqlitePool};

use super::StoreError;

/// The longest wait of a transaction for another process to give the write lock back. It is less than the five seconds within
/// which a client is told that nothing can be had.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(4);
/// The longest wait of a read for one of the pool's connections.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
const READERS_MAX: u32 = 4;
/// The writer's page cache, in KiB. The pages of a busy ledger should not be read back from the file.
const WRITER_CACHE_KIB: &str = "-65536";
/// Pages in the log before a commit also moves them to the file (16 MiB). A page that many commits touch moves once.
const CHECKPOINT_PAGES: &str = "4096";
/// The statements that the writer keeps prepared: more than it has.
const WRITER_STATEMENTS: usize = 32;
/// The pragmas of the writer's connection, for the reasons that [`options`] gives.
const WRITER_PRAGMAS: [(&str, &str); 7] = [
    ("journal_mode", "WAL"),
    ("synchronous", "FULL"),
    ("foreign_keys", "ON"),
    ("recursive_triggers", "ON"),
    ("temp_store", "MEMORY"),
    ("wal_autocheckpoint", CHECKPOINT_PAGES),
    ("cache_size", WRITER_CACHE_KIB),
];

/// Creates the file and its folder where they are absent, for their owner alone. SQLite gives its `-wal` and `-shm`
/// files the same permissions.
pub(super) fn create_file(path: &Path) -> Result<(), StoreError> {
    create_folder(path)?;
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => sync_folder(path).map_err(|source| StoreError::CreateFile { path: path.to_owned(), source }),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(StoreError::CreateFile { path: path.to_owned(), source }),
    }
}

/// The one name of a file that is there, without links and dots in it.
pub(super) fn real_path(path: &Path) -> Result<PathBuf, StoreError> {
    path.canonicalize().map_err(|source| StoreError::Resolve { path: path.to_owned(), source })
}

/// SQLite syncs the folder for files that it makes, and this one it finds made: without this a power cut could take the
/// name of the file, and all the commits in it.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()?;
    // The folder may be new as well. Who may not read the folder above has not made one in it.
    if let Some(above) = folder.parent().and_then(|above| File::open(above).ok()) {
        above.sync_all()?;
    }
    Ok(())
}

/// Creates the folder of `path` where it is absent. An existing folder keeps its permissions.
pub(super) fn create_folder(path: &Path) -> Result<(), StoreError> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|source| StoreError::CreateFolder { path: folder.to_owned(), source })
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        // A commit is on the disk when it returns. Batches, not a weaker setting, make this cheap.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // Without it, INSERT OR REPLACE deletes rows and no delete trigger sees it.
        .pragma("recursive_triggers", "ON")
        // What a statement may have to undo, and the rows between two of its steps, would go to a file otherwise.
        .pragma("temp_store", "MEMORY")
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging()
}

/// The file as the ledger's writer finds it.
#[derive(Debug, Clone)]
pub struct WriterFile(pub(super) Arc<Path>);

impl WriterFile {
    /// A connection of its own, which says by other means what all others say. It blocks the thread that uses it.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn connect(&self) -> Result<Connection, StoreError> {
        let open = || {
            // One thread uses it, so SQLite need not guard it.
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(&self.0, flags)?;
            connection.busy_timeout(BUSY_TIMEOUT)?;
            connection.set_prepared_statement_cache_capacity(WRITER_STATEMENTS);
            for (pragma, value) in WRITER_PRAGMAS {
                connection.pragma_update(None, pragma, value)?;
            }
            Ok(connection)
        };
        open().map_err(|source: rusqlite::Error| StoreError::Open { path: self.0.to_path_buf(), source: source.into() })
    }
}

/// A connection for tests, with the rules that hold for all.
#[cfg(any(test, feature = "testing"))]
pub(super) async fn attacker(path: &Path) -> sqlx::SqliteConnection {
    options(path).connect().await.expect("the file is there")
}

/// One connection for writes off the path of a request, made when it is first needed.
pub(super) fn control_pool(path: &Path) -> SqlitePool {
    pool(1, BUSY_TIMEOUT).connect_lazy_with(options(path))
}

/// One connection for stored responses, whose commits are synced when the log moves to the file.
pub(super) fn response_pool(path: &Path) -> SqlitePool {
    pool(1, BUSY_TIMEOUT).connect_lazy_with(options(path).synchronous(SqliteSynchronous::Normal))
}

/// Connections that refuse to write.
pub(super) fn readers(path: &Path) -> SqlitePool {
    pool(READERS_MAX, ACQUIRE_TIMEOUT).connect_lazy_with(options(path).pragma("query_only", "ON"))
}

fn pool(connections_max: u32, acquire_timeout: Duration) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections_max)
        .acquire_timeout(acquire_timeout)
        // A connection to a local file does not die of age, and asking it each time costs a hop to its thread.
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}
