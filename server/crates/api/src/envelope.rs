//! The shapes of error bodies: templates of the spec as constant pieces.

/// The body of errors in one family of operations.
#[derive(Debug)]
pub struct Envelope {
    /// Its name in the spec.
    pub name: &'static str,
    /// The column of kinds, names and statuses that it uses: `a`, `o`, `g` or `account`.
    pub style: &'static str,
    /// The error body.
    pub body: &'static [Piece],
}

/// A piece of an envelope.
#[derive(Debug, Clone, Copy)]
pub enum Piece {
    /// JSON text as it stands.
    Json(&'static str),
    /// A JSON value.
    Value(Slot, Absent),
    /// A value inside a JSON string that the pieces around it open and close.
    Within(Slot),
    /// The text before, a JSON value, the text after; all left out when the value is absent.
    Member(&'static str, Slot, &'static str),
}

/// The value that takes the place of a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The sentence for people.
    Say,
    /// The kind, as the envelope's style names it.
    Kind,
    /// The code, as the envelope's style names it.
    Code,
    /// The part of the request at fault.
    Param,
    /// The HTTP status as text.
    Http,
    /// The HTTP status as a number.
    HttpInt,
    /// The id of the request.
    RequestId,
    /// The act by which the caller can mend it.
    Remedy,
    /// The code's values as an object.
    With,
    /// The data that the handler attached, else the code's values as an object.
    Data,
}

/// The text that is written for an absent value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// `null`.
    Null,
    /// `""`.
    Empty,
}
