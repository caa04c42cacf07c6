//! Members of the client's own, put back where they stood: their names tell.

use crate::UnknownMember;
use crate::json::ObjectWriter;

/// The members that stood in the object itself and not in one of `scopes` beneath it.
pub fn beside<'e>(extras: &'e [UnknownMember], scopes: &'e [&str]) -> impl Iterator<Item = &'e UnknownMember> {
    extras.iter().filter(|extra| !scopes.iter().any(|scope| extra.name.starts_with(scope)))
}

/// Writes those that stood in the object called `scope` (with its dot), save deeper ones.
pub fn beneath(extras: &[UnknownMember], scope: &str, object: &mut ObjectWriter<'_>) {
    for extra in extras {
        if let Some(name) = extra.name.strip_prefix(scope).filter(|name| !name.contains('.')) {
            object.member(name, &extra.value);
        }
    }
}
