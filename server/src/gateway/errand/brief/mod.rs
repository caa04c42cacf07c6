//! What is asked of a painter, in the words of neither body: readers and writers of each stand in a file of their own.

mod form;
mod messages;
mod prompt;

pub(super) use messages::wrong;
pub(super) use prompt::wants_bytes;

/// What is wanted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Brief {
    /// The one text.
    pub(super) prompt: String,
    /// Addresses of the pictures that are to be changed, or the pictures themselves as `data:`.
    pub(super) images: Vec<String>,
    /// How many pictures at the most.
    pub(super) count: u64,
    /// Width and height, parted by `x`.
    pub(super) size: Option<String>,
    /// Places that the other body has no word for.
    pub(super) dropped: Vec<String>,
}
