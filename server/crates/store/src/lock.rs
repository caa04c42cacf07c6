//! One server per file, or per folder where the ledger is on a server. The commands of the binary do not take this lock: they
//! work beside a running server.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::{StoreConfig, StoreError, sqlite};

/// The name in the ledger of the one server of a file.
const ONLY: &str = "local";
/// The lock of a folder, which holds the name of the server that it is the folder of.
const NODE_FILE: &str = "node.lock";
/// Bytes of a server's name, which nobody gives: it has to be another one for each folder.
const NAME_BYTES: usize = 12;

/// Proof that this process is the one server of a file, or the one that has a name. The lock is released when this is
/// dropped, or with the process.
#[derive(Debug)]
pub struct ServeLock {
    path: PathBuf,
    node: String,
    /// Held, not read: the operating system unlocks them when they are closed.
    _files: Vec<File>,
}

impl ServeLock {
    /// Takes the lock at once or not at all.
    ///
    /// Of a file it is `<file>.lock`, beside the file itself, so that whoever comes to the file by another name, through a
    /// link or another folder, finds the same lock. The file is created where it is absent: what is not there has no one name.
    /// The file itself is locked too, for those who come to it by a name that is as real: a hard link, or a mount of it alone.
    /// On a database server it is the lock of our folder.
    ///
    /// # Errors
    /// [`StoreError::AlreadyServed`] or [`StoreError::FolderTaken`] when another server has it.
    pub fn take(config: &StoreConfig) -> Result<Self, StoreError> {
        match config {
            StoreConfig::Sqlite { path: given } => {
                sqlite::create_file(given)?;
                let path = sqlite::real_path(given)?;
                let lock = lock_path(&path);
                let taken = || StoreError::AlreadyServed { path: given.clone(), lock: lock.clone() };
                let file = locked(&lock)?.ok_or_else(taken)?;
                // Whoever fails here has no connection to the file yet: closing it drops the locks of SQLite in this process,
                // which are of another kind and do not meet this one.
                let itself = locked(&path)?.ok_or_else(taken)?;
                Ok(Self { path, node: ONLY.to_owned(), _files: vec![itself, file] })
            }
            StoreConfig::Postgres { folder, .. } => {
                let path = folder.join(NODE_FILE);
                sqlite::create_folder(&path)?;
                let taken = || StoreError::FolderTaken { folder: folder.clone(), lock: path.clone() };
                let mut file = locked(&path)?.ok_or_else(taken)?;
                let node = name(&mut file).map_err(|source| StoreError::Lock { lock: path.clone(), source })?;
                Ok(Self { path, node, _files: vec![file] })
            }
        }
    }

    /// The database file that this process serves, by its one real name; or the lock of its folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of this server in the ledger, at each start the same.
    #[must_use]
    pub fn node(&self) -> &str {
        &self.node
    }

    pub(super) fn is_of_a_node(&self) -> bool {
        self.path.ends_with(NODE_FILE)
    }
}

/// Opens a lock file and locks it. `None` where somebody else has.
fn locked(lock: &Path) -> Result<Option<File>, StoreError> {
    let failed = |source| StoreError::Lock { lock: lock.to_owned(), source };
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).mode(0o600).open(lock).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// The name in a locked file, drawn where there is none yet.
fn name(file: &mut File) -> io::Result<String> {
    let mut name = String::new();
    file.read_to_string(&mut name)?;
    if name.trim().is_empty() {
        let mut bytes = [0; NAME_BYTES];
        getrandom::fill(&mut bytes).expect("the operating system has randomness");
        name = data_encoding::HEXLOWER.encode(&bytes);
        file.write_all(name.as_bytes())?;
        file.sync_all()?;
    }
    Ok(name.trim().to_owned())
}

fn lock_path(database: &Path) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(".lock");
    path.into()
}
