//! The runtime of `machine!`: the statement that makes a move, and the answers around it.
//!
//! Imports nothing of ours and knows no database: a [`Cas`] is a text and what to bind; the room that owns the rows runs
//! it, inside the transaction that holds whatever else the move does.

use std::fmt;

/// The compare-and-set statement of one move out of one state, the same text for SQLite and PostgreSQL.
///
/// Bind `$1` the key of the row, `$2` [`to`](Self::to), `$3` [`from`](Self::from), and where
/// [`needs_now`](Self::needs_now) says so `$4` the time. The move is made when the statement changed one row; when it
/// changed none, the row has moved on or a guard did not hold.
#[derive(Debug, PartialEq, Eq)]
pub struct Cas {
    /// The machine's name.
    pub machine: &'static str,
    /// The move's name.
    pub step: &'static str,
    /// The text of the statement.
    pub sql: &'static str,
    /// The state that the row must be in.
    pub from: &'static str,
    /// The state that the row is in afterwards.
    pub to: &'static str,
    /// True when `$4` stands in the text.
    pub needs_now: bool,
}

/// A move that was not made: the row was in another state by then, or a guard did not hold.
#[derive(Debug, PartialEq, Eq)]
pub struct Lost<T> {
    /// The move.
    pub cas: &'static Cas,
    /// The data that travelled with the row.
    pub data: T,
}

impl<T> fmt::Display for Lost<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cas { machine, step, from, .. } = self.cas;
        write!(f, "{machine}: `{step}` was not made: the row is not in `{from}` any more, or a guard did not hold")
    }
}

impl<T: fmt::Debug> std::error::Error for Lost<T> {}

/// A text that names no state or move of a machine. In a stored row it means another version wrote it, or a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The machine's name.
    pub machine: &'static str,
    /// The kind of name that was wanted: "state" or "move".
    pub what: &'static str,
    /// The text.
    pub found: String,
    /// The names there are.
    pub known: &'static [&'static str],
    /// The place where the machine is declared.
    pub spec: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, what, found, known, spec } = self;
        write!(f, "{machine}: `{found}` is no {what}; there are {} (declared at {spec})", known.join(", "))
    }
}

impl std::error::Error for UnknownName {}
