//! A disk that fails as a test tells it to, below a `tollgate` whose ledger is a file: full, broken, slow, or without power.
//!
//! The server is the real one and so are its files; between SQLite and the operating system stands `disk/disk.c`, which keeps
//! beside the ledger what of it would have outlived a power cut.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::preload;

/// What the disk does from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It works.
    None,
    /// No write finds room (ENOSPC).
    Full,
    /// Each write fails (EIO).
    Broken,
    /// Each sync fails (EIO), and nobody knows what is on the disk.
    Unsynced,
    /// Each sync takes 20 ms.
    Slow,
    /// No sync comes back before the trouble is another.
    Hangs,
    /// It says that it synced, and did not.
    Lies,
}

impl Trouble {
    fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Full => "full",
            Self::Broken => "broken",
            Self::Unsynced => "unsynced",
            Self::Slow => "slow",
            Self::Hangs => "hangs",
            Self::Lies => "lies",
        }
    }
}

/// The disk below one ledger.
#[derive(Debug)]
pub struct Disk {
    ledger: PathBuf,
    synced: PathBuf,
    told: PathBuf,
    _folder: TempDir,
}

impl Disk {
    /// Below the ledger at `path`, which nobody has open.
    ///
    /// # Panics
    /// When there is no such file, or no C compiler.
    #[must_use]
    pub fn below(path: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let synced = folder.path().join("synced");
        fs::create_dir(&synced).expect("a folder of ours");
        let ledger = fs::canonicalize(path).expect("a ledger");
        let disk = Self { ledger, synced, told: folder.path().join("told"), _folder: folder };
        disk.is(Trouble::None);
        disk.holds_what_is_there();
        disk
    }

    /// What processes that were not on it have written meanwhile is on it too.
    ///
    /// # Panics
    /// When a file cannot be copied.
    pub fn holds_what_is_there(&self) {
        for path in self.files() {
            let synced = self.synced.join(path.file_name().expect("a file"));
            if path.exists() {
                fs::copy(&path, synced).expect("room for a copy");
            } else {
                drop(fs::remove_file(synced));
            }
        }
    }

    /// Says what it does from now on.
    ///
    /// # Panics
    /// When that cannot be written.
    pub fn is(&self, trouble: Trouble) {
        // At once for whoever reads it: a file that is half written would be no trouble.
        let next = self.told.with_extension("next");
        fs::write(&next, trouble.word()).expect("a file of ours");
        fs::rename(next, &self.told).expect("a file of ours");
    }

    /// What a process needs in its environment to be on it.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, &Path); 4] {
        [
            ("LD_PRELOAD", library()),
            ("DISK_LEDGER", &self.ledger),
            ("DISK_SYNCED", &self.synced),
            ("DISK_TROUBLE", &self.told),
        ]
    }

    /// The power was cut, after the process on it was killed: what was not synced is gone. Whether that was anything.
    ///
    /// # Panics
    /// When a file cannot be written.
    #[must_use]
    pub fn lost_power(&self) -> bool {
        let mut lost = false;
        for path in self.files() {
            let kept = fs::read(self.synced.join(path.file_name().expect("a file"))).ok();
            lost |= kept != fs::read(&path).ok();
            match kept {
                Some(kept) => fs::write(path, kept).expect("room"),
                // Not there where the process had not made it yet.
                None => drop(fs::remove_file(path)),
            }
        }
        // The index of the log lies in memory.
        drop(fs::remove_file(beside(&self.ledger, "-shm")));
        lost
    }

    /// The ledger and its log, which may not be there.
    fn files(&self) -> [PathBuf; 2] {
        [self.ledger.clone(), beside(&self.ledger, "-wal")]
    }
}

fn beside(ledger: &Path, ending: &str) -> PathBuf {
    let mut path = ledger.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Compiled once for each run.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| preload::built("tollgate_disk.so", "/src/disk/disk.c"))
}
