//! [`Members`]: an object being read, member by member, on behalf of a shape.

use std::fmt;
use std::marker::PhantomData;
use std::vec;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::Json;
use super::kinds::{Plain, ReaderSeed, Reads};
use super::refusal::{at, mismatch, missing, without_place};
use super::rest::{MemberSlot, Rest};
use super::suggest::{known_field, known_name, shown};

/// The members of one object. Yields the known ones by index; keeps or refuses the others.
pub struct Members<'de, A: MapAccess<'de>> {
    live: A,
    /// The members that a union read on its way to the discriminator. These come before `tag`, and that before `live`.
    before: vec::IntoIter<(Box<str>, Json)>,
    /// The discriminator that a union has read.
    tag: Option<&'static str>,
    /// Its name: in a union's object it is no unknown member, even where the shape is closed.
    tag_name: Option<&'static str>,
    tag_seen: bool,
    pending: PendingValue,
    rest: Rest,
    guess: usize,
    de: PhantomData<&'de ()>,
}

/// The source of the last key's value.
enum PendingValue {
    Live,
    Kept(Json),
    Tag(&'static str),
}

impl<'de, A: MapAccess<'de>> Members<'de, A> {
    /// The members of an object that stands for itself.
    pub fn new(live: A) -> Self {
        Self {
            live,
            before: Vec::new().into_iter(),
            tag: None,
            tag_name: None,
            tag_seen: false,
            pending: PendingValue::Live,
            rest: Rest::default(),
            guess: 0,
            de: PhantomData,
        }
    }

    /// The members of a union's object, whose discriminator `name` was read after the members in `before`.
    pub(super) fn of_union(live: A, before: Vec<(Box<str>, Json)>, name: &'static str, kind: &'static str) -> Self {
        Self { before: before.into_iter(), tag: Some(kind), tag_name: Some(name), ..Self::new(live) }
    }

    /// The index in `names` of the next known member, whose value must be read next; `None` at the end.
    ///
    /// # Errors
    /// A known member that stands twice, or an unknown one where the shape is not `open`.
    pub fn next(&mut self, names: &[&'static str], open: bool) -> Result<Option<usize>, A::Error> {
        loop {
            match self.next_key(names)? {
                None => return Ok(None),
                Some(MemberKey::Known(index)) => {
                    self.note(index, names, open)?;
                    return Ok(Some(index));
                }
                Some(MemberKey::Tag) => self.skip_tag(open)?,
                Some(MemberKey::Other(name)) if open => {
                    let value = self.value::<Plain<Json>>(&name)?;
                    self.rest.fix_order();
                    self.rest.order.push(MemberSlot::Unknown(name, value));
                }
                Some(MemberKey::Other(name)) => {
                    let expected = known_field(names, &name);
                    return Err(at(&name, &A::Error::custom(mismatch(expected, format_args!("`{}`", shown(&name))))));
                }
            }
        }
    }

    /// Reads the value of the member `name`.
    ///
    /// # Errors
    /// The value's complaint, under `name`.
    pub fn value<R: Reads>(&mut self, name: &str) -> Result<R::Value, A::Error> {
        let value = match std::mem::replace(&mut self.pending, PendingValue::Live) {
            PendingValue::Live => self.live.next_value_seed(ReaderSeed::<R>(PhantomData)),
            PendingValue::Kept(json) => {
                let mut text = serde_json::Deserializer::from_str(json.get());
                R::read(&mut text).map_err(|error| A::Error::custom(without_place(&error)))
            }
            PendingValue::Tag(kind) => R::read(serde::de::value::StrDeserializer::new(kind)),
        };
        value.map_err(|error| at(name, &error))
    }

    /// Reads the value of the member `name` and checks it.
    ///
    /// # Errors
    /// The value's complaint or the check's, under `name`.
    pub fn value_where<R: Reads>(
        &mut self,
        name: &str,
        check: impl FnOnce(&R::Value) -> Result<(), String>,
    ) -> Result<R::Value, A::Error> {
        let value = self.value::<R>(name)?;
        check(&value).map_err(|complaint| at(name, &A::Error::custom(complaint)))?;
        Ok(value)
    }

    /// The members that the shape did not know, and the order. Call it when [`next`](Self::next) has answered `None`.
    pub fn take_rest(&mut self) -> Rest {
        std::mem::take(&mut self.rest)
    }

    fn next_key(&mut self, names: &[&'static str]) -> Result<Option<MemberKey>, A::Error> {
        let seed = MemberKeySeed { names, guess: self.guess, tag_name: self.tag_name };
        if let Some((name, value)) = self.before.next() {
            self.pending = PendingValue::Kept(value);
            return Ok(Some(seed.key(&name)));
        }
        if let (Some(kind), Some(name)) = (self.tag.take(), self.tag_name) {
            self.pending = PendingValue::Tag(kind);
            return Ok(Some(seed.key(name)));
        }
        self.pending = PendingValue::Live;
        self.live.next_key_seed(seed)
    }

    fn note(&mut self, index: usize, names: &[&'static str], open: bool) -> Result<(), A::Error> {
        let bit = 1_u128 << index;
        if self.rest.seen & bit != 0 {
            return Err(twice(names[index]));
        }
        // Only an open shape is written in the order it was read in, and only an unusual order must be kept for that.
        if open && (!self.rest.order.is_empty() || self.rest.seen > bit) {
            self.rest.fix_order();
            self.rest.order.push(MemberSlot::Known(u8::try_from(index).expect("a shape has at most 128 fields")));
        }
        self.rest.seen |= bit;
        self.guess = index + 1;
        Ok(())
    }

    fn skip_tag(&mut self, open: bool) -> Result<(), A::Error> {
        let name = self.tag_name.unwrap_or_default();
        if self.tag_seen {
            return Err(twice(name));
        }
        self.tag_seen = true;
        self.value::<Plain<IgnoredAny>>(name)?;
        self.rest.fix_order();
        // As the first member it is where it is written anyway.
        if open && !self.rest.order.is_empty() {
            self.rest.order.push(MemberSlot::Tag);
        }
        Ok(())
    }
}

/// A required value.
///
/// # Errors
/// When the member `name` was absent.
pub fn required<T, E: Error>(value: Option<T>, name: &str) -> Result<T, E> {
    value.ok_or_else(|| missing(name))
}

/// The value, or what its absence means: the JSON text `default`.
///
/// # Errors
/// When the default is no such value, which the generator has ruled out.
pub fn or_default<R: Reads, E: Error>(value: Option<R::Value>, name: &str, default: &str) -> Result<R::Value, E> {
    match value {
        Some(value) => Ok(value),
        None => read_default::<R>(default).map_err(|error| at(name, &E::custom(error))),
    }
}

/// True if the value is what its absence means.
pub fn is_default<R: Reads<Value: PartialEq>>(value: &R::Value, default: &str) -> bool {
    read_default::<R>(default).is_ok_and(|default| default == *value)
}

fn read_default<R: Reads>(default: &str) -> Result<R::Value, serde_json::Error> {
    R::read(&mut serde_json::Deserializer::from_str(default))
}

/// The check of a constant: the text that is read must be `literal`.
///
/// # Errors
/// The text of the complaint.
pub fn is_literal(value: &str, literal: &str) -> Result<(), String> {
    if value == literal {
        Ok(())
    } else {
        Err(mismatch(format_args!("\"{literal}\""), format_args!("\"{}\"", shown(value))))
    }
}

#[cold]
fn twice<E: Error>(name: &str) -> E {
    at(name, &E::custom(mismatch("the field once", "it twice")))
}

/// A key, looked up before anything is allocated for it.
pub(super) enum MemberKey {
    Known(usize),
    Tag,
    Other(Box<str>),
}

pub(super) struct MemberKeySeed<'n> {
    pub(super) names: &'n [&'static str],
    pub(super) guess: usize,
    pub(super) tag_name: Option<&'static str>,
}

impl MemberKeySeed<'_> {
    fn key(&self, name: &str) -> MemberKey {
        match known_name(self.names, name, self.guess) {
            Some(index) => MemberKey::Known(index),
            None if self.tag_name == Some(name) => MemberKey::Tag,
            None => MemberKey::Other(name.into()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for MemberKeySeed<'_> {
    type Value = MemberKey;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<MemberKey, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for MemberKeySeed<'_> {
    type Value = MemberKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<MemberKey, E> {
        Ok(self.key(name))
    }
}
