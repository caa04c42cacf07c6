//! The purpose of a request: an answer, or the count of its tokens.

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::messages) enum RequestPurpose {
    /// An answer.
    Answer,
    /// The count of its tokens. Settings of an answer have no place in it.
    Count,
}
