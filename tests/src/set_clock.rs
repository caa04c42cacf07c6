//! The time of day of processes, as a test sets it: between them and the C library stands `set_clock/clock.c`. What measures how
//! long something takes goes on as it is.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::preload;

/// A time of day that stands still until it is set anew.
#[derive(Debug)]
pub struct SetClock {
    file: File,
    folder: TempDir,
}

impl SetClock {
    /// A clock at that unix time in milliseconds.
    ///
    /// # Panics
    /// When there is no room for a file, or no C compiler.
    #[must_use]
    pub fn at(unix_ms: i64) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = File::create(folder.path().join("time")).expect("a file of ours");
        let clock = Self { file, folder };
        clock.set(unix_ms);
        clock
    }

    /// Sets the clock of all processes that have it, at once.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn set(&self, unix_ms: i64) {
        self.file.write_all_at(&[unix_ms.to_ne_bytes(); 2].concat(), 0).expect("a file of ours");
    }

    /// The environment of a process that has this clock.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, String); 2] {
        let shown = |path: &Path| path.display().to_string();
        [("LD_PRELOAD", shown(library())), ("CLOCK_MS", shown(&self.folder.path().join("time")))]
    }
}

fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| preload::built("tollgate_clock.so", "/src/set_clock/clock.c"))
}
