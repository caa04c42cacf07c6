//! What is asked of a painter, in the words of neither body: readers and writers of each stand in a file of their own.

mod form;
mod messages;
mod prompt;
mod task;

use std::borrow::Cow;

use serde_json::{Map, Value};

pub(super) use messages::wrong;
pub(super) use prompt::wants_bytes;

/// What is wanted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Brief {
    /// The one text.
    pub(super) prompt: String,
    /// What is not to be seen, where it is told apart.
    pub(super) negative: Option<String>,
    /// Addresses of the pictures that are to be changed, or the pictures themselves as `data:`.
    pub(super) images: Vec<String>,
    /// How many pictures at the most.
    pub(super) count: u64,
    /// Width and height, parted by `x`.
    pub(super) size: Option<String>,
    /// Parameters of a body of messages that stand under the same names where a task is asked for.
    pub(super) parameters: Map<String, Value>,
    /// Places that no other body has a word for.
    pub(super) dropped: Vec<String>,
}

impl Brief {
    /// All in one text, for a body that has a single place for it.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match &self.negative {
            Some(negative) => Cow::Owned(format!("{}\n\nDo not show: {negative}", self.prompt)),
            None => Cow::Borrowed(&self.prompt),
        }
    }

    /// Places that a body of one prompt has no word for: it has no parameters of this kind either.
    pub(super) fn dropped_for_prompt(&self) -> Vec<String> {
        let parameters = self.parameters.keys().map(|name| format!("parameters.{name}"));
        self.dropped.iter().cloned().chain(parameters).collect()
    }

    /// The size as bodies with parameters write it.
    fn size_with_star(&self) -> Option<String> {
        self.size.as_ref().map(|size| size.replace('x', "*"))
    }
}

/// The places of those of the members `rest` that say something and are not `known`.
fn unread(place: &str, rest: &Map<String, Value>, known: impl Fn(&str, &Value) -> bool) -> Vec<String> {
    let unread = rest.iter().filter(|(name, value)| !value.is_null() && !known(name, value));
    unread.map(|(name, _)| format!("{place}{name}")).collect()
}
