//! The readers of values, by the kind of their field. The derive picks a kind from the tokens of the field's type.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::refusal::{at, mismatch};
use super::suggest::shown;
use super::text_or_list::TextOrList;
use super::{Map, Number};
use tollgate_base::{MoneyError, Usd};

/// A way to read one value. Implemented by words without values: [`Plain`], [`Int`], [`Amount`], [`List`], [`TextOr`], [`Entries`], [`Nullable`].
pub trait Reads {
    /// The type that is read.
    type Value;

    /// Reads it.
    ///
    /// # Errors
    /// When there is another kind of value, or one out of range.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error>;
}

/// A value that `T` reads for itself.
pub struct Plain<T>(PhantomData<T>);

/// A whole number; a fraction, an exponent and a number out of `T`'s range are refused.
pub struct Int<T>(PhantomData<T>);

/// An amount of money: a plain decimal number, read exactly.
pub struct Amount;

/// A list of at most `MAX` items.
pub struct List<R, const MAX: usize = { usize::MAX }>(PhantomData<R>);

/// A text, or a list of at most `MAX` items.
pub struct TextOr<R, const MAX: usize = { usize::MAX }>(PhantomData<R>);

/// An object with free names, each at most once.
pub struct Entries<R, const MAX: usize = { usize::MAX }>(PhantomData<R>);

/// A value or null.
pub struct Nullable<R>(PhantomData<R>);

impl<T: DeserializeOwned> Reads for Plain<T> {
    type Value = T;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// An integer type that a whole number can be read into.
pub trait IntegerTarget: TryFrom<i128> {
    /// The range in words.
    fn range() -> String;
}

macro_rules! whole {
    ($($int:ty)*) => {$(
        impl IntegerTarget for $int {
            fn range() -> String {
                format!("a whole number from {} to {}", Self::MIN, Self::MAX)
            }
        }
    )*};
}
whole!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<T: IntegerTarget> Reads for Int<T> {
    type Value = T;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_i64(Self(PhantomData))
    }
}

impl<T: IntegerTarget> Visitor<'_> for Int<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        T::try_from(i128::from(value)).map_err(|_| E::custom(mismatch(T::range(), value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        T::try_from(i128::from(value)).map_err(|_| E::custom(mismatch(T::range(), value)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        Err(E::custom(mismatch(T::range(), format_args!("{value:?}"))))
    }
}

impl Reads for Amount {
    type Value = Usd;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Usd, D::Error> {
        let number = Number::deserialize(deserializer)?;
        let plain = "a plain decimal with at most 9 places";
        number.get().parse().map_err(|_: MoneyError| D::Error::custom(mismatch(plain, shown(number.get()))))
    }
}

/// Lets serde hand a value to a kind.
pub(super) struct ReaderSeed<R>(pub(super) PhantomData<R>);

impl<'de, R: Reads> DeserializeSeed<'de> for ReaderSeed<R> {
    type Value = R::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<R::Value, D::Error> {
        R::read(deserializer)
    }
}

impl<R: Reads, const MAX: usize> Reads for List<R, MAX> {
    type Value = Vec<R::Value>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(Self(PhantomData))
    }
}

impl<'de, R: Reads, const MAX: usize> Visitor<'de> for List<R, MAX> {
    type Value = Vec<R::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let item = seq.next_element_seed(ReaderSeed::<R>(PhantomData));
            let Some(item) = item.map_err(|error| at(&format!("[{}]", items.len()), &error))? else {
                return Ok(items);
            };
            if items.len() == MAX {
                return Err(too_many(MAX));
            }
            items.push(item);
        }
    }
}

impl<R: Reads, const MAX: usize> Reads for TextOr<R, MAX> {
    type Value = TextOrList<R::Value>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(Self(PhantomData))
    }
}

impl<'de, R: Reads, const MAX: usize> Visitor<'de> for TextOr<R, MAX> {
    type Value = TextOrList<R::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(TextOrList::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        List::<R, MAX>(PhantomData).visit_seq(seq).map(TextOrList::List)
    }
}

impl<R: Reads, const MAX: usize> Reads for Entries<R, MAX> {
    type Value = Map<R::Value>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(Self(PhantomData))
    }
}

impl<'de, R: Reads, const MAX: usize> Visitor<'de> for Entries<R, MAX> {
    type Value = Map<R::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value_seed(ReaderSeed::<R>(PhantomData)).map_err(|error| at(&name, &error))?;
            if entries.len() == MAX {
                return Err(too_many(MAX));
            }
            if entries.contains_key(&name) {
                return Err(at(&name, &A::Error::custom(mismatch("the name once", "it twice"))));
            }
            entries.insert(name, value);
        }
        Ok(entries)
    }
}

impl<R: Reads> Reads for Nullable<R> {
    type Value = Option<R::Value>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(Self(PhantomData))
    }
}

impl<'de, R: Reads> Visitor<'de> for Nullable<R> {
    type Value = Option<R::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        R::read(deserializer).map(Some)
    }
}

#[cold]
fn too_many<E: Error>(max: usize) -> E {
    E::custom(mismatch(format_args!("at most {max} items"), "more"))
}
