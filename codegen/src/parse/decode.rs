//! Reads a typed value from the tree.
//!
//! Private newtype names carry places through serde ([`LOCATED`], [`ENTRY`]); an enum whose variants begin with `$` is
//! a choice by the kind of the node. What was complained about is left out, so a value is read without it where it
//! can be.

use std::fmt;

use serde::{
    Deserialize,
    de::{self, IntoDeserializer, Visitor, value::SeqDeserializer},
};

use super::{
    Place,
    place::{ENTRY, LOCATED},
    tree::{Kind, Mapping, Node, Pair},
};
use crate::model::Number;

/// Reads a value; `key` is the place of the name it stands under.
///
/// # Errors
/// When something in it that it cannot do without is missing or broken.
pub fn decode<'t, T: Deserialize<'t>>(node: &'t Node<'_>, key: Place) -> Result<T, Unreadable> {
    T::deserialize(Reader { node, key })
}

/// Why a value could not be read. The structural check has said so already, with its place.
#[derive(Debug)]
pub struct Unreadable(String);

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

#[derive(Clone, Copy)]
struct Reader<'t, 's> {
    node: &'t Node<'s>,
    key: Place,
}

impl Reader<'_, '_> {
    fn unexpected<T>(&self, wanted: &str) -> Result<T, Unreadable> {
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

/// A place, then the value at it: what `Located` and `Entry` read.
struct Placed<'t, 's> {
    place: Option<Place>,
    value: Option<Reader<'t, 's>>,
}

impl<'de> de::SeqAccess<'de> for Placed<'de, '_> {
    type Error = Unreadable;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unreadable> {
        if let Some(Place { file, start, end, line, column }) = self.place.take() {
            let numbers = [file.0, start, end, line, column];
            return seed.deserialize(SeqDeserializer::new(numbers.into_iter())).map(Some);
        }
        self.value.take().map(|value| seed.deserialize(value)).transpose()
    }
}

struct Items<'t, 's>(std::slice::Iter<'t, Node<'s>>);

impl<'de> de::SeqAccess<'de> for Items<'de, '_> {
    type Error = Unreadable;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unreadable> {
        let sound = self.0.find(|item| !matches!(item.kind, Kind::Broken));
        sound.map(|node| seed.deserialize(Reader { node, key: node.place })).transpose()
    }
}

struct Pairs<'t, 's> {
    rest: std::slice::Iter<'t, Pair<'s>>,
    value: Option<Reader<'t, 's>>,
}

impl<'de> de::MapAccess<'de> for Pairs<'de, '_> {
    type Error = Unreadable;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unreadable> {
        let sound = self.rest.find(|pair| !matches!(pair.value.kind, Kind::Broken));
        let Some(pair) = sound else { return Ok(None) };
        self.value = Some(Reader { node: &pair.value, key: pair.key.place });
        seed.deserialize(pair.key.text.as_ref().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unreadable> {
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(Unreadable("a value without a key".to_owned())),
        }
    }
}

/// A choice between shapes, made by the kind of the node.
struct Choice<'t, 's>(Reader<'t, 's>);

impl<'de, 's> de::EnumAccess<'de> for Choice<'de, 's> {
    type Error = Unreadable;
    type Variant = Self;

    fn variant_seed<V: de::DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Unreadable> {
        let name = match self.0.node.kind {
            Kind::Null => "$null",
            Kind::Bool(_) => "$bool",
            Kind::Number(_) => "$number",
            Kind::Word(_) | Kind::Switch(_) => "$word",
            Kind::List(_) => "$list",
            Kind::Mapping(_) => "$mapping",
            Kind::Broken => return self.0.unexpected("a value"),
        };
        let variant = seed.deserialize(IntoDeserializer::<Unreadable>::into_deserializer(name))?;
        Ok((variant, self))
    }
}

impl<'de> de::VariantAccess<'de> for Choice<'de, '_> {
    type Error = Unreadable;

    fn unit_variant(self) -> Result<(), Unreadable> {
        Ok(())
    }

    fn newtype_variant_seed<T: de::DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Unreadable> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Unreadable> {
        self.0.unexpected("one value")
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Unreadable> {
        self.0.unexpected("one value")
    }
}
