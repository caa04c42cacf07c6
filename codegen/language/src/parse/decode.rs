//! Reads a typed value from the tree.
//!
//! Private newtype names carry places through serde ([`LOCATED`], [`ENTRY`]); an enum whose variants begin with `$` is
//! a choice by the kind of the node. What was complained about is left out, so a value is read without it where it
//! can be.

use std::fmt;

use serde::{
    Deserialize,
    de::{self, IntoDeserializer, Visitor},
};

use super::{
    Place,
    access::{Choice, Items, Pairs, Placed},
    place::{ENTRY, LOCATED},
    tree::{Kind, Mapping, Node},
};
use crate::model::Number;

/// Reads a value; `key` is the place of the name it stands under.
///
/// # Errors
/// When something in it that it cannot do without is missing or broken.
pub fn decode<'t, T: Deserialize<'t>>(node: &'t Node<'_>, key: Place) -> Result<T, Unreadable> {
    T::deserialize(Reader { node, key })
}

/// The error of a value that could not be read. The structural check has reported it already, with its place.
#[derive(Debug)]
pub struct Unreadable(pub(super) String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

impl de::Error for Unreadable {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// One value, as serde asks for it.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t, 's> {
    pub(super) node: &'t Node<'s>,
    pub(super) key: Place,
}

impl Reader<'_, '_> {
    /// The complaint that something else is here than was wanted.
    pub(super) fn unexpected<T>(&self, wanted: &str) -> Result<T, Unreadable> {
        Err(Unreadable(format!("expected {wanted}, found {}", self.node.kind.name())))
    }

    /// The whole number it is.
    fn whole<T: TryFrom<i128>>(&self) -> Result<T, Unreadable> {
        let Kind::Number(text) = &self.node.kind else { return self.unexpected("a number") };
        let whole = Number::new(text.as_ref()).whole().and_then(|whole| T::try_from(whole).ok());
        whole.ok_or_else(|| Unreadable(format!("`{text}` is out of range")))
    }
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $number:ty),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
            visitor.$visit(self.whole::<$number>()?)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for Reader<'de, '_> {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match &self.node.kind {
            Kind::Null | Kind::Broken => visitor.visit_unit(),
            Kind::Bool(value) => visitor.visit_bool(*value),
            Kind::Number(text) | Kind::Word(text) | Kind::Switch(text) => visitor.visit_str(text),
            Kind::List(_) => self.deserialize_seq(visitor),
            Kind::Mapping(_) => self.deserialize_map(visitor),
        }
    }

    whole_numbers!(
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_i64 visit_i64 i64,
    );

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.node.kind {
            Kind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        let place = match name {
            LOCATED => self.node.place,
            ENTRY => self.key,
            _ => return visitor.visit_newtype_struct(self),
        };
        visitor.visit_seq(Placed { place: Some(place), value: Some(self) })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let Kind::List(items) = &self.node.kind else { return self.unexpected("a list") };
        visitor.visit_seq(Items(items.iter()))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let Kind::Mapping(Mapping { pairs, .. }) = &self.node.kind else { return self.unexpected("a mapping") };
        visitor.visit_map(Pairs { rest: pairs.iter(), value: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        if variants.first().is_some_and(|variant| variant.starts_with('$')) {
            return visitor.visit_enum(Choice(self));
        }
        let Kind::Word(word) = &self.node.kind else { return self.unexpected("a word") };
        visitor.visit_enum(word.as_ref().into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}
