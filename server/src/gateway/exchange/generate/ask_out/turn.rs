//! One content on its way out.

use super::super::super::json::ArrayWriter;
use super::super::super::{Extra, Role};
use super::part::Part;

/// A content, before it is written.
#[derive(Debug)]
pub struct Content<'a> {
    /// True if the model speaks.
    pub model: bool,
    /// The content, in order.
    pub parts: Vec<Part<'a>>,
    /// Members of the client's own, where the client speaks this format.
    pub extra: &'a [Extra],
}

impl Content<'_> {
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
pub const fn is_model(role: Role) -> bool {
    match role {
        Role::Model => true,
        Role::User | Role::System | Role::Developer => false,
    }
}
