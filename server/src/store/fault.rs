//! What a database error means for the one who has to decide what to do next.

/// A coarse reading of an [`sqlx::Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A rule of the schema refused the statement: CHECK, UNIQUE, foreign key or trigger. Nothing is wrong with the file.
    Refused,
    /// Another process holds the write lock, or the machine is short of room: it may work later.
    Passing,
    /// A write or a sync did not reach the disk, or the file is damaged: what was committed may be gone.
    Disk,
    /// The connection is gone, so its last answer is unknown.
    Lost,
}

impl Fault {
    /// Reads an error. An error that is not known is taken as [`Fault::Lost`]: never assume.
    #[must_use]
    pub fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => error.code().map_or(Self::Lost, |code| Self::of_code(&code)),
            sqlx::Error::Io(_) => Self::Disk,
            sqlx::Error::PoolTimedOut => Self::Passing,
            _ => Self::Lost,
        }
    }

    /// Whether a UNIQUE rule on `column` (`table.column`) refused the statement.
    #[must_use]
    pub fn is_unique(error: &sqlx::Error, column: &str) -> bool {
        let sqlx::Error::Database(error) = error else { return false };
        error.is_unique_violation() && error.message().contains(column)
    }

    /// Reads an SQLite result code, whose low byte is the primary one.
    fn of_code(code: &str) -> Self {
        match code.parse::<u32>().map(|code| code & 0xff) {
            // SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH
            Ok(18..=20) => Self::Refused,
            // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_FULL, SQLITE_CANTOPEN
            Ok(5 | 6 | 7 | 9 | 13 | 14) => Self::Passing,
            // SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_READONLY, SQLITE_NOTADB
            Ok(10 | 11 | 8 | 26) => Self::Disk,
            _ => Self::Lost,
        }
    }
}
