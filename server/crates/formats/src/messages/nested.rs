//! Members of inner objects that have no place of their own in the inner language: they are kept one level up, under
//! dotted names, and find their way back by them.

use super::super::UnknownMember;
use super::super::json::{JsonObject, ObjectWriter};

/// The members of the object `within` that were not read, under dotted names.
pub fn kept(object: JsonObject<'_>, within: &str) -> impl Iterator<Item = UnknownMember> {
    object.rest().into_iter().map(move |extra| UnknownMember { name: format!("{within}.{}", extra.name), ..extra })
}

/// True if a member of the object `within` was kept.
pub fn any(extras: &[UnknownMember], within: &str) -> bool {
    extras.iter().any(|extra| name_in(extra, within).is_some())
}

/// Writes what was kept of the object `within` into it.
pub fn write(extras: &[UnknownMember], within: &str, object: &mut ObjectWriter<'_>) {
    for extra in extras {
        if let Some(name) = name_in(extra, within) {
            object.member(name, &extra.value);
        }
    }
}

/// Writes what belongs to the object itself, and to none of those `within` it.
pub fn write_own(extras: &[UnknownMember], within: &[&str], object: &mut ObjectWriter<'_>) {
    object.extras(extras.iter().filter(|extra| within.iter().all(|within| name_in(extra, within).is_none())));
}

fn name_in<'e>(extra: &'e UnknownMember, within: &str) -> Option<&'e str> {
    extra.name.strip_prefix(within)?.strip_prefix('.')
}
