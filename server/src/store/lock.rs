//! One server per file. The commands of the binary do not take this lock: they work beside a running server.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::{StoreConfig, StoreError, connect};

/// Proof that this process is the file's one server. The lock is released when this is dropped, or with the process.
#[derive(Debug)]
pub struct ServeLock {
    path: PathBuf,
    /// Held, not read: the operating system unlocks it when it is closed.
    _file: File,
}

impl ServeLock {
    /// Takes the lock `<file>.lock` at once or not at all. It lies beside the file itself, so that whoever comes to the
    /// file by another name, through a link or another folder, finds the same lock. The file is created where it is
    /// absent: what is not there has no one name.
    ///
    /// # Errors
    /// [`StoreError::AlreadyServed`] names the file when another server has it.
    pub fn take(config: &StoreConfig) -> Result<Self, StoreError> {
        connect::create_file(&config.path)?;
        let path = connect::real_path(&config.path)?;
        let lock = lock_path(&path);
        let failed = |source| StoreError::Lock { lock: lock.clone(), source };
        let file =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&lock).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::AlreadyServed { path: config.path.clone(), lock }),
            Err(TryLockError::Error(source)) => Err(StoreError::Lock { lock, source }),
        }
    }

    /// The database that this process serves, by its one real name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn lock_path(database: &Path) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(".lock");
    path.into()
}
