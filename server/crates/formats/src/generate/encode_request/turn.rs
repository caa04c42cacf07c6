//! One content on its way out.

use super::part::OutgoingPart;
use crate::json::ArrayWriter;
use crate::{MessageRole, UnknownMember};

/// A content, before it is written.
#[derive(Debug)]
pub struct OutgoingContent<'a> {
    /// True if the model speaks.
    pub model: bool,
    /// The content, in order.
    pub parts: Vec<OutgoingPart<'a>>,
    /// Members of the client's own, where the client speaks this format.
    pub extra: &'a [UnknownMember],
}

impl OutgoingContent<'_> {
    /// Writes it.
    pub fn write(&self, list: &mut ArrayWriter<'_>) {
        let mut content = list.object();
        content.member("role", if self.model { "model" } else { "user" });
        let mut parts = content.array("parts");
        for part in &self.parts {
            part.write(&mut parts);
        }
        parts.end();
        content.extras(self.extra);
        content.end();
    }
}

/// True if the model speaks. Instructions in the middle come from the user's side, at their place.
pub const fn is_model(role: MessageRole) -> bool {
    match role {
        MessageRole::Model => true,
        MessageRole::User | MessageRole::System | MessageRole::Developer => false,
    }
}
