//! [`Object`]: a shape that is written as a JSON object. The derive implements it; serde's traits are one call each.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};

use super::rest::MemberSlot;
use super::{Members, Rest, Tag};

/// A shape whose members can be read from, and written into, an object that is already open: its own or a union's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no shape with members",
    label = "a kind of a union is a struct that derives `Wire`, or a `Box` of one"
)]
pub trait Object: Sized {
    /// The names of the known members on the wire, in the declared order.
    const NAMES: &'static [&'static str];

    /// Reads all members.
    ///
    /// # Errors
    /// When a member is missing, unknown to a closed shape, doubled, or not what it should be.
    fn read_members<'de, A: MapAccess<'de>>(members: &mut Members<'de, A>) -> Result<Self, A::Error>;

    /// Writes all members, and the discriminator of the union that this is a kind of.
    ///
    /// # Errors
    /// When the output refuses.
    fn write_members<M: SerializeMap>(&self, map: &mut M, tag: Option<Tag<'_>>) -> Result<(), M::Error>;
}

impl<T: Object> Object for Box<T> {
    const NAMES: &'static [&'static str] = T::NAMES;

    fn read_members<'de, A: MapAccess<'de>>(members: &mut Members<'de, A>) -> Result<Self, A::Error> {
        T::read_members(members).map(Self::new)
    }

    fn write_members<M: SerializeMap>(&self, map: &mut M, tag: Option<Tag<'_>>) -> Result<(), M::Error> {
        T::write_members(self, map, tag)
    }
}

/// `Deserialize` of an [`Object`].
///
/// # Errors
/// As [`Object::read_members`], and when there is no object.
pub fn read_object<'de, T: Object, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

/// `Serialize` of an [`Object`].
///
/// # Errors
/// When the output refuses.
pub fn write_object<T: Object, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    value.write_members(&mut map, None)?;
    map.end()
}

/// Writes the discriminator before the members of a closed shape, unless the shape has it as a member of its own.
///
/// # Errors
/// When the output refuses.
pub fn write_tag<M: SerializeMap>(map: &mut M, names: &[&str], tag: Option<Tag<'_>>) -> Result<(), M::Error> {
    match tag {
        Some(tag) if !names.contains(&tag.name) => map.serialize_entry(tag.name, tag.kind),
        _ => Ok(()),
    }
}

/// Writes the members of an open shape: those that were read in the order they stood in, then the others as declared.
/// `field` writes the member with an index, or nothing when it is absent.
///
/// # Errors
/// When the output refuses.
pub fn write_open<M: SerializeMap>(
    map: &mut M,
    rest: &Rest,
    names: &[&str],
    tag: Option<Tag<'_>>,
    mut field: impl FnMut(usize, &mut M) -> Result<(), M::Error>,
) -> Result<(), M::Error> {
    let in_place = rest.order.iter().any(|slot| matches!(slot, MemberSlot::Tag));
    if !in_place {
        write_tag(map, names, tag)?;
    }
    let mut written = 0_u128;
    for slot in &rest.order {
        match slot {
            MemberSlot::Known(index) => {
                written |= 1 << index;
                field(usize::from(*index), map)?;
            }
            MemberSlot::Tag => write_tag(map, names, tag)?,
            // A name that the shape knows can only have been set by hand; the field is the one that counts.
            MemberSlot::Unknown(name, _) if names.contains(&&**name) => {}
            MemberSlot::Unknown(name, value) => map.serialize_entry(name, value)?,
        }
    }
    (0..names.len()).filter(|index| written & (1 << index) == 0).try_for_each(|index| field(index, map))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Object> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read_members(&mut Members::new(map))
    }
}
