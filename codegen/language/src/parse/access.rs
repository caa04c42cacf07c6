//! The accesses that serde uses to go through what is inside a value.

use serde::de::{self, IntoDeserializer, Visitor, value::SeqDeserializer};

use super::{
    Place, Unreadable,
    decode::Reader,
    tree::{Kind, Node, Pair},
};

/// A place, then the value at it: what `Located` and `Entry` read.
pub(super) struct Placed<'t, 's> {
    pub(super) place: Option<Place>,
    pub(super) value: Option<Reader<'t, 's>>,
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

/// The items of a list, broken ones left out.
pub(super) struct Items<'t, 's>(pub(super) std::slice::Iter<'t, Node<'s>>);

impl<'de> de::SeqAccess<'de> for Items<'de, '_> {
    type Error = Unreadable;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unreadable> {
        let sound = self.0.find(|item| !matches!(item.kind, Kind::Broken));
        sound.map(|node| seed.deserialize(Reader { node, key: node.place })).transpose()
    }
}

/// The pairs of a mapping, broken ones left out.
pub(super) struct Pairs<'t, 's> {
    pub(super) rest: std::slice::Iter<'t, Pair<'s>>,
    pub(super) value: Option<Reader<'t, 's>>,
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
pub(super) struct Choice<'t, 's>(pub(super) Reader<'t, 's>);

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
