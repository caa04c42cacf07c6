//! Classes of database errors, by what is to be done next.

use sqlx::postgres::PgDatabaseError;

use super::{DatabaseError, StoreError};

/// The class of an [`sqlx::Error`], by what can be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// A rule of the schema refused the statement: CHECK, UNIQUE, foreign key or trigger. Nothing is wrong with the file.
    Refused,
    /// Another process holds the write lock, or the machine is short of room: it may work later.
    Passing,
    /// A write or a sync did not reach the disk, or the file is damaged: what was committed may be gone.
    Disk,
    /// The connection is gone, so its last answer is unknown.
    Lost,
}

impl ErrorClass {
    /// Reads an error. An error that is not known is taken as [`ErrorClass::Lost`]: never assume.
    #[must_use]
    pub fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => {
                error.code().and_then(|code| code.parse().ok()).map_or(Self::Lost, Self::of_code)
            }
            sqlx::Error::Io(_) => Self::Disk,
            sqlx::Error::PoolTimedOut => Self::Passing,
            _ => Self::Lost,
        }
    }

    /// Reads an error of the ledger's own thread.
    #[must_use]
    pub fn of_thread(error: &rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::SqliteFailure(error, _) => Self::of_code(error.extended_code),
            // A number that no column can take: refused before the database could.
            rusqlite::Error::ToSqlConversionFailure(_) => Self::Refused,
            // A statement that must change one row found another number: a rule as well, only told by the program.
            rusqlite::Error::StatementChangedRows(_) => Self::Refused,
            _ => Self::Lost,
        }
    }

    /// Reads an error of a PostgreSQL server, or of the way to it.
    #[must_use]
    pub fn of_server(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => error.code().map_or(Self::Lost, |code| Self::of_state(&code)),
            // A number or text that no column can take: refused before the database could.
            sqlx::Error::Encode(_) => Self::Refused,
            sqlx::Error::PoolTimedOut => Self::Passing,
            // A statement that must change one row found none: a rule as well, only told by the program.
            sqlx::Error::RowNotFound => Self::Refused,
            _ => Self::Lost,
        }
    }

    /// Reads an error of a transaction on either database.
    #[must_use]
    pub fn of_store(error: &StoreError) -> Self {
        let (StoreError::Begin { source }
        | StoreError::Write { source, .. }
        | StoreError::Commit { source, .. }
        | StoreError::Read { source, .. }) = error
        else {
            return Self::Lost;
        };
        match source {
            DatabaseError::Thread(error) => Self::of_thread(error),
            DatabaseError::Pool(error) => {
                let told = error.as_database_error();
                let is_server = told.is_some_and(|told| told.try_downcast_ref::<PgDatabaseError>().is_some());
                if is_server { Self::of_server(error) } else { Self::of(error) }
            }
        }
    }

    /// True if a UNIQUE rule on `column` refused a statement on the ledger's own thread, like [`ErrorClass::is_unique`]. A trigger
    /// that keeps such a rule says the column first.
    #[must_use]
    pub fn is_unique_on_thread(error: &rusqlite::Error, column: &str) -> bool {
        use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_TRIGGER, SQLITE_CONSTRAINT_UNIQUE};
        let rusqlite::Error::SqliteFailure(error, Some(message)) = error else { return false };
        match error.extended_code {
            SQLITE_CONSTRAINT_UNIQUE | SQLITE_CONSTRAINT_PRIMARYKEY => message.contains(column),
            SQLITE_CONSTRAINT_TRIGGER => message.starts_with(column),
            _ => false,
        }
    }

    /// True if a UNIQUE rule on `column` (`table.column`) refused the statement.
    #[must_use]
    pub fn is_unique(error: &sqlx::Error, column: &str) -> bool {
        let sqlx::Error::Database(error) = error else { return false };
        // PostgreSQL tells the rule, which it has named after its column; SQLite tells the column.
        let named = |rule: &str| rule == format!("{}_key", column.replace('.', "_"));
        error.is_unique_violation() && error.constraint().map_or(error.message().contains(column), named)
    }

    /// Reads an SQLite result code, whose low byte is the primary one.
    fn of_code(code: i32) -> Self {
        match code & 0xff {
            // SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH
            18..=20 => Self::Refused,
            // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_FULL, SQLITE_CANTOPEN
            5 | 6 | 7 | 9 | 13 | 14 => Self::Passing,
            // SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_READONLY, SQLITE_NOTADB
            10 | 11 | 8 | 26 => Self::Disk,
            _ => Self::Lost,
        }
    }

    /// Reads an SQLSTATE of PostgreSQL, whose first two letters are its class.
    fn of_state(code: &str) -> Self {
        match (code.get(..2).unwrap_or_default(), code) {
            // Read-only: the server has become a copy of another, and the next connection may lead there.
            (_, "25006") => Self::Lost,
            // Values that no column takes, rules, and the words of a trigger.
            ("22" | "23", _) | (_, "P0001") => Self::Refused,
            // Serialization and deadlock; too little of memory, connections or disk; locks; cancelled by its time.
            ("40" | "53" | "55", _) | (_, "57014") => Self::Passing,
            // A file of the database, or what is in it.
            ("58" | "XX", "58030" | "XX001" | "XX002") => Self::Disk,
            _ => Self::Lost,
        }
    }
}
