//! An image request between the body formats: each of them has its reader and writer in a file of its own.

mod form_body;
mod messages_body;
mod prompt_body;
mod task_body;

use std::borrow::Cow;

use serde_json::{Map, Value};

pub(super) use messages_body::wrong;
pub(super) use prompt_body::wants_bytes;

/// The wanted images, in the terms of no body format.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ImagePrompt {
    /// The prompt.
    pub(super) prompt: String,
    /// The negative prompt, where the client gave one apart.
    pub(super) negative: Option<String>,
    /// URLs of the images to edit, or the images themselves as `data:` URLs.
    pub(super) images: Vec<String>,
    /// The most images.
    pub(super) count: u64,
    /// Width and height, separated by `x`.
    pub(super) size: Option<String>,
    /// Parameters of a body of messages that have the same names in a body for a task.
    pub(super) parameters: Map<String, Value>,
    /// Places that no other body format has a member for.
    pub(super) dropped: Vec<String>,
}

impl ImagePrompt {
    /// Prompt and negative prompt as one text, for a body with one member for both.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match &self.negative {
            Some(negative) => Cow::Owned(format!("{}\n\nDo not show: {negative}", self.prompt)),
            None => Cow::Borrowed(&self.prompt),
        }
    }

    /// Places that format O's body has no member for; it has none of the parameters either.
    pub(super) fn dropped_for_prompt(&self) -> Vec<String> {
        let parameters = self.parameters.keys().map(|name| format!("parameters.{name}"));
        self.dropped.iter().cloned().chain(parameters).collect()
    }

    /// The size as bodies with parameters write it, with `*`.
    fn size_with_star(&self) -> Option<String> {
        self.size.as_ref().map(|size| size.replace('x', "*"))
    }
}

/// The places of the members in `rest` that are not null and not `known`.
fn unread(place: &str, rest: &Map<String, Value>, known: impl Fn(&str, &Value) -> bool) -> Vec<String> {
    let unread = rest.iter().filter(|(name, value)| !value.is_null() && !known(name, value));
    unread.map(|(name, _)| format!("{place}{name}")).collect()
}
