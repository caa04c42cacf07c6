//! Reads a typed value from the tree.
//!
//! Private newtype names carry places through serde ([`LOCATED`], [`ENTRY`]); an enum whose variants begin with `$` is
//! a choice by the kind of the node. What was complained about is left out, so a value is read without it where it
//! can be.

use serde::Deserialize;
use serde::de::{self, IntoDeserializer, Visitor};

use super::SourceSpan;
use super::access::{ChoiceAccess, ListAccess, MappingAccess, PlaceAccess};
use super::decode_error::DecodeError;
use super::node_deserializer::NodeDeserializer;
use super::place::{ENTRY, LOCATED};
use super::tree::{YamlKind, YamlMapping, YamlNode};

/// Reads a value; `key` is the place of the name it stands under.
///
/// # Errors
/// When something in it that it cannot do without is missing or broken.
pub fn decode<'t, T: Deserialize<'t>>(node: &'t YamlNode<'_>, key: SourceSpan) -> Result<T, DecodeError> {
    T::deserialize(NodeDeserializer { node, key })
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $number:ty),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            visitor.$visit(self.whole::<$number>()?)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for NodeDeserializer<'de, '_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.kind {
            YamlKind::Null | YamlKind::Broken => visitor.visit_unit(),
            YamlKind::Bool(value) => visitor.visit_bool(*value),
            YamlKind::Number(text) | YamlKind::Word(text) | YamlKind::Switch(text) => visitor.visit_str(text),
            YamlKind::List(_) => self.deserialize_seq(visitor),
            YamlKind::Mapping(_) => self.deserialize_map(visitor),
        }
    }

    whole_numbers!(
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_i64 visit_i64 i64,
    );

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.kind {
            YamlKind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let place = match name {
            LOCATED => self.node.place,
            ENTRY => self.key,
            _ => return visitor.visit_newtype_struct(self),
        };
        visitor.visit_seq(PlaceAccess { place: Some(place), value: Some(self) })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let YamlKind::List(items) = &self.node.kind else { return self.unexpected("a list") };
        visitor.visit_seq(ListAccess(items.iter()))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let YamlKind::Mapping(YamlMapping { pairs, .. }) = &self.node.kind else { return self.unexpected("a mapping") };
        visitor.visit_map(MappingAccess { rest: pairs.iter(), value: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if variants.first().is_some_and(|variant| variant.starts_with('$')) {
            return visitor.visit_enum(ChoiceAccess(self));
        }
        let YamlKind::Word(word) = &self.node.kind else { return self.unexpected("a word") };
        visitor.visit_enum(word.as_ref().into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}
