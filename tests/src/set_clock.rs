//! The time of day of processes, as a test sets it: between them and the system stands libfaketime. What measures how long
//! something takes goes on as it is.

use std::fs;

use tempfile::TempDir;
use time::OffsetDateTime;
use time::macros::format_description;

/// A time of day that stands still until it is set anew.
#[derive(Debug)]
pub struct SetClock(TempDir);

impl SetClock {
    /// A clock at that time.
    ///
    /// # Panics
    /// When there is no room for a file.
    #[must_use]
    pub fn at(time: OffsetDateTime) -> Self {
        let clock = Self(tempfile::tempdir().expect("a temporary folder"));
        clock.set(time);
        clock
    }

    /// Sets the clock of all processes that have it, to a second.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn set(&self, time: OffsetDateTime) {
        let shown = time.format(format_description!("[year]-[month]-[day] [hour]:[minute]:[second]\n"));
        // Renamed, so that nobody reads half of it.
        let new = self.0.path().join("new");
        fs::write(&new, shown.expect("a date of four-digit years")).expect("a file of ours");
        fs::rename(new, self.0.path().join("time")).expect("a file of ours");
    }

    /// The environment of a process that has this clock.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, String); 6] {
        [
            // The linker itself puts the folder of this machine's kind in the place of the word.
            ("LD_PRELOAD", "/usr/$LIB/faketime/libfaketimeMT.so.1".to_owned()),
            ("FAKETIME_TIMESTAMP_FILE", self.0.path().join("time").display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
            ("TZ", "UTC".to_owned()),
        ]
    }
}
