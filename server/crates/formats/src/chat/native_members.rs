//! Members that only this format knows, on their way from one object to the same object elsewhere.
//!
//! What stood deeper than the object that keeps it has dots in its name: `function.x` of a call is `x` of its
//! `function`.

use serde_json::value::RawValue;

use super::super::json::{JsonObject, ObjectWriter};
use super::super::{DropReport, UnknownMember};

/// Members to be written again, each with its name in the object that is being written.
#[derive(Debug, Default)]
pub struct NativeMembers<'e>(Vec<(&'e str, &'e RawValue)>);

impl<'e> NativeMembers<'e> {
    /// All of `extras` where the client speaks this format; of another, none, and they are noted as left out.
    pub fn of(extras: &'e [UnknownMember], carry: &mut DropReport) -> Self {
        if !carry.same_format() {
            carry.drop_extras(extras);
            return Self::default();
        }
        Self(extras.iter().map(|extra| (extra.name.as_str(), &*extra.value)).collect())
    }

    /// Takes out those that belong into the member `name`.
    pub fn inside(&mut self, name: &str) -> Self {
        let below = |member: &'e str| member.strip_prefix(name)?.strip_prefix('.');
        let inside = self.0.iter().filter_map(|(member, raw)| Some((below(member)?, *raw))).collect();
        self.0.retain(|(member, _)| below(member).is_none());
        Self(inside)
    }

    /// Takes out the member `name`.
    pub fn take(&mut self, name: &str) -> Option<&'e RawValue> {
        let found = self.0.iter().find(|(member, _)| *member == name).map(|(_, raw)| *raw);
        self.0.retain(|(member, _)| *member != name);
        found
    }

    /// True if there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes them.
    pub fn write(&self, object: &mut ObjectWriter<'_>) {
        for (name, raw) in &self.0 {
            object.member(name, raw);
        }
    }
}

/// The members of an object that were not read, named below `name`, to be kept by the object around it.
pub fn rest_of(name: &str, object: JsonObject<'_>) -> Vec<UnknownMember> {
    let mut rest = object.rest();
    for extra in &mut rest {
        extra.name = format!("{name}.{}", extra.name);
    }
    rest
}
