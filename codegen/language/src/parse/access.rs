//! The accesses that serde uses to go through what is inside a value.

use serde::de::value::SeqDeserializer;
use serde::de::{self, IntoDeserializer, Visitor};

use super::SourceSpan;
use super::decode_error::DecodeError;
use super::node_deserializer::NodeDeserializer;
use super::tree::{YamlKind, YamlNode, YamlPair};

/// A place, then the value at it: what `SpannedValue` and `SpecEntry` read.
pub(super) struct PlaceAccess<'t, 's> {
    pub(super) place: Option<SourceSpan>,
    pub(super) value: Option<NodeDeserializer<'t, 's>>,
}

impl<'de> de::SeqAccess<'de> for PlaceAccess<'de, '_> {
    type Error = DecodeError;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        if let Some(SourceSpan { file, start, end, line, column }) = self.place.take() {
            let numbers = [file.0, start, end, line, column];
            return seed.deserialize(SeqDeserializer::new(numbers.into_iter())).map(Some);
        }
        self.value.take().map(|value| seed.deserialize(value)).transpose()
    }
}

/// The items of a list, broken ones left out.
pub(super) struct ListAccess<'t, 's>(pub(super) std::slice::Iter<'t, YamlNode<'s>>);

impl<'de> de::SeqAccess<'de> for ListAccess<'de, '_> {
    type Error = DecodeError;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let sound = self.0.find(|item| !matches!(item.kind, YamlKind::Broken));
        sound.map(|node| seed.deserialize(NodeDeserializer { node, key: node.place })).transpose()
    }
}

/// The pairs of a mapping, broken ones left out.
pub(super) struct MappingAccess<'t, 's> {
    pub(super) rest: std::slice::Iter<'t, YamlPair<'s>>,
    pub(super) value: Option<NodeDeserializer<'t, 's>>,
}

impl<'de> de::MapAccess<'de> for MappingAccess<'de, '_> {
    type Error = DecodeError;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let sound = self.rest.find(|pair| !matches!(pair.value.kind, YamlKind::Broken));
        let Some(pair) = sound else { return Ok(None) };
        self.value = Some(NodeDeserializer { node: &pair.value, key: pair.key.place });
        seed.deserialize(pair.key.text.as_ref().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(DecodeError("a value without a key".to_owned())),
        }
    }
}

/// A choice between shapes, made by the kind of the node.
pub(super) struct ChoiceAccess<'t, 's>(pub(super) NodeDeserializer<'t, 's>);

impl<'de, 's> de::EnumAccess<'de> for ChoiceAccess<'de, 's> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: de::DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), DecodeError> {
        let name = match self.0.node.kind {
            YamlKind::Null => "$null",
            YamlKind::Bool(_) => "$bool",
            YamlKind::Number(_) => "$number",
            YamlKind::Word(_) | YamlKind::Switch(_) => "$word",
            YamlKind::List(_) => "$list",
            YamlKind::Mapping(_) => "$mapping",
            YamlKind::Broken => return self.0.unexpected("a value"),
        };
        let variant = seed.deserialize(IntoDeserializer::<DecodeError>::into_deserializer(name))?;
        Ok((variant, self))
    }
}

impl<'de> de::VariantAccess<'de> for ChoiceAccess<'de, '_> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: de::DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DecodeError> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, DecodeError> {
        self.0.unexpected("one value")
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, DecodeError> {
        self.0.unexpected("one value")
    }
}
