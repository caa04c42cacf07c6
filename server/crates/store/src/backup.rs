//! A copy of the ledger's file as it is at one moment, while a server may go on writing.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::{DatabaseError, StoreConfig, StoreError, WriterFile, responses, sqlite};

/// One statement, which reads one snapshot and leaves out what is only there to be written over.
const COPY: &str = "VACUUM INTO ?1";

/// The reason that there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupFailed {
    /// There is something of that name, or it cannot be made.
    #[error("failed to create {path}, which must not be there yet")]
    Create {
        /// The copy.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The ledger's own file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The copy could not be written.
    #[error("failed to copy the ledger to {path}")]
    Copy {
        /// The copy.
        path: PathBuf,
        /// The cause.
        source: DatabaseError,
    },
    /// The copy is there, but may not be after a power cut.
    #[error("failed to make sure that {path} stays")]
    Sync {
        /// The copy.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A database server has its own tools, which read all of it at one moment as well.
    #[error("the ledger is in a database; its own tool copies it: {command}")]
    OnServer {
        /// The command that makes the copy.
        command: String,
    },
}

/// Copies the ledger to `path`, and the stored responses beside it, on the disk when this returns; nothing is made or changed
/// beside them, and nothing is left of a copy that failed. Blocks the thread for as long as the disk takes.
///
/// # Errors
/// When there is something at `path`, or the copy cannot be made there.
pub fn back_up(ledger: &StoreConfig, path: &Path) -> Result<(), BackupFailed> {
    let file = match ledger {
        StoreConfig::Sqlite { path } => path,
        StoreConfig::Postgres { address, schema, .. } => {
            return Err(BackupFailed::OnServer { command: address.dump_command(schema, path) });
        }
    };
    copy(file, path)?;
    // They are beside the file itself, whatever link leads to it.
    let copied = sqlite::real_path(file).map_err(BackupFailed::from).and_then(|file| {
        let responses = responses::path(&file);
        if responses.exists() { copy(&responses, &responses::path(path)) } else { Ok(()) }
    });
    // Nothing stays of a copy that failed.
    copied.inspect_err(|_| drop(std::fs::remove_file(path)))
}

/// Gives a copy another name in the same file system, on the disk when this returns. Stored responses go first: where the ledger is,
/// all of it is.
///
/// # Errors
/// When there is something of that name, or it cannot be renamed.
pub fn move_backup(copy: &Path, path: &Path) -> io::Result<()> {
    let responses = responses::path(copy);
    if responses.exists() {
        move_to(&responses, &responses::path(path))?;
    }
    move_to(copy, path)?;
    File::open(folder_of(path))?.sync_all()
}

/// Gives a file a name that nothing has.
fn move_to(file: &Path, path: &Path) -> io::Result<()> {
    // Renaming would put it in the place of another.
    match std::fs::hard_link(file, path) {
        Ok(()) => std::fs::remove_file(file),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without links.
        Err(_) if !path.exists() => std::fs::rename(file, path),
        Err(error) => Err(error),
    }
}

/// Removes a copy, and the stored responses beside it.
///
/// # Errors
/// When it is not there, or cannot be removed.
pub fn remove_backup(copy: &Path) -> io::Result<()> {
    let responses = responses::path(copy);
    if responses.exists() {
        std::fs::remove_file(responses)?;
    }
    std::fs::remove_file(copy)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn copy(file: &Path, path: &Path) -> Result<(), BackupFailed> {
    let at = || path.to_owned();
    // Taken before it is written, so that nothing is overwritten; the money of others is nobody else's to read.
    let copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let copy = copy.map_err(|source| BackupFailed::Create { path: at(), source })?;
    let copied = fill(&WriterFile(file.into()), path).and_then(|()| {
        let synced = copy.sync_all().and_then(|()| File::open(folder_of(path))?.sync_all());
        synced.map_err(|source| BackupFailed::Sync { path: at(), source })
    });
    copied.inspect_err(|_| drop(std::fs::remove_file(path)))
}

fn fill(file: &WriterFile, path: &Path) -> Result<(), BackupFailed> {
    let failed = |source: rusqlite::Error| BackupFailed::Copy { path: path.to_owned(), source: source.into() };
    // As it stands on the command line, which is text; the name of a file is bytes.
    let name = path.to_str().ok_or_else(|| failed(rusqlite::Error::InvalidPath(path.to_owned())))?;
    file.connect()?.execute(COPY, [name]).map(drop).map_err(failed)
}
