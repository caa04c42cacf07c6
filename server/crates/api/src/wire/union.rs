//! Unions told apart by a member: `{"type": "text", ...}`.
//!
//! Mostly the discriminator comes first and the rest is read as it streams by. Where it comes later, the members before
//! it are kept as text and given to the kind that they turn out to belong to; nothing goes through `Value`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};

use super::members::{MemberKey, MemberKeySeed};
use super::object::write_open;
use super::refusal::{at, mismatch, missing};
use super::suggest::{known_name, one_of, shown};
use super::{Json, Members, Rest, Tag};

/// The most levels, which is serde_json's own limit; that does not look into a text that is kept.
const DEPTH_MAX: usize = 128;

/// The kind of a union that an object is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The declared kind with this index.
    Known(usize),
    /// None of the declared ones.
    Other(String),
}

/// A set of shapes told apart by a member. The derive implements it.
pub trait Union: Sized {
    /// The name of the member that tells the kinds apart.
    const BY: &'static str;
    /// Its values, in the declared order.
    const KINDS: &'static [&'static str];

    /// Reads the members of one kind.
    ///
    /// # Errors
    /// When the kind is not declared (in a closed union) or its members are not what they should be.
    fn read_kind<'de, A: MapAccess<'de>>(kind: Kind, members: &mut Members<'de, A>) -> Result<Self, A::Error>;

    /// Writes the members of this kind, the discriminator among them.
    ///
    /// # Errors
    /// When the output refuses.
    fn write_kind<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// An object of a kind that an open union does not know, kept whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    /// The value of the discriminator.
    pub kind: String,
    /// All other members.
    pub members: Rest,
}

impl Unknown {
    /// Keeps all members.
    ///
    /// # Errors
    /// When the text breaks off.
    pub fn read_members<'de, A: MapAccess<'de>>(kind: String, members: &mut Members<'de, A>) -> Result<Self, A::Error> {
        read_none(members, true)?;
        Ok(Self { kind, members: members.take_rest() })
    }

    /// Writes the discriminator called `name` and all other members, in the order they stood in.
    ///
    /// # Errors
    /// When the output refuses.
    pub fn write_members<M: SerializeMap>(&self, map: &mut M, name: &'static str) -> Result<(), M::Error> {
        write_open(map, &self.members, &[], Some(Tag { name, kind: &self.kind }), |_, _| Ok(()))
    }
}

/// Reads an object of which no member is known.
///
/// # Errors
/// When it has a member and is not `open`.
pub fn read_none<'de, A: MapAccess<'de>>(members: &mut Members<'de, A>, open: bool) -> Result<(), A::Error> {
    members.next(&[], open).map(|none| debug_assert!(none.is_none(), "no member is known"))
}

/// The complaint that a closed union has no such kind.
#[cold]
pub fn unknown_kind<U: Union, E: Error>(kind: &str) -> E {
    let expected = one_of(U::KINDS, kind);
    at(U::BY, &E::custom(mismatch(expected, format_args!("`{}`", shown(kind)))))
}

/// `Deserialize` of a [`Union`].
///
/// # Errors
/// When there is no object, no discriminator, or the kind's members are not what they should be.
pub fn read_union<'de, U: Union, D: Deserializer<'de>>(deserializer: D) -> Result<U, D::Error> {
    deserializer.deserialize_map(UnionVisitor(PhantomData))
}

/// `Serialize` of a [`Union`].
///
/// # Errors
/// When the output refuses.
pub fn write_union<U: Union, S: Serializer>(value: &U, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    value.write_kind(&mut map)?;
    map.end()
}

struct UnionVisitor<U>(PhantomData<U>);

impl<'de, U: Union> Visitor<'de> for UnionVisitor<U> {
    type Value = U;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<U, A::Error> {
        let mut before = Vec::new();
        loop {
            let seed = MemberKeySeed { names: &[], guess: 0, tag_name: Some(U::BY) };
            match map.next_key_seed(seed)? {
                Some(MemberKey::Other(name)) => {
                    let value: Json = map.next_value().map_err(|error| at(&name, &error))?;
                    if depth(value.get()) > DEPTH_MAX {
                        return Err(at(&name, &A::Error::custom(mismatch("at most 128 levels", "more"))));
                    }
                    before.push((name, value));
                }
                Some(MemberKey::Tag | MemberKey::Known(_)) => break,
                None => return Err(missing(U::BY)),
            }
        }
        let kind = map.next_value_seed(TaggedKindSeed(U::KINDS)).map_err(|error| at(U::BY, &error))?;
        let text = match kind {
            Kind::Known(index) => U::KINDS[index],
            Kind::Other(_) => "",
        };
        U::read_kind(kind, &mut Members::of_union(map, before, U::BY, text))
    }
}

struct TaggedKindSeed(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for TaggedKindSeed {
    type Value = Kind;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for TaggedKindSeed {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, kind: &str) -> Result<Kind, E> {
        Ok(known_name(self.0, kind, 0).map_or_else(|| Kind::Other(kind.to_owned()), Kind::Known))
    }
}

/// The number of lists and objects inside one another at the deepest place of a valid JSON text.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn depth_counts_brackets_outside_texts() {
        for (json, expected) in [("1", 0), ("[]", 1), (r#"{"a":[{}]}"#, 3), (r#"["[[[","\"[[",[]]"#, 2)] {
            assert_eq!(depth(json), expected, "{json}");
        }
    }
}
