//! Reading: members are taken from an object by name, and those that nobody took are left at the end.
//!
//! Values stay text until they are read; each level is scanned once. Of a name that stands twice the last value
//! counts. A member that is null counts as absent for everything but [`JsonObject::raw`] and [`JsonObject::rest`].

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::{LocatedValue, MalformedRequest, UnknownMember};

/// The most characters of a wrong value that are shown.
const FOUND_CHARS: usize = 40;

/// A JSON value and its place.
#[derive(Debug, Clone)]
pub struct JsonValue<'a> {
    /// The place: `messages[0].content`.
    pub at: String,
    /// The value as it stands.
    pub raw: &'a RawValue,
}

/// An object whose members are taken one by one.
#[derive(Debug)]
pub struct JsonObject<'a> {
    at: String,
    members: Vec<(Cow<'a, str>, &'a RawValue)>,
}

/// The elements of a list.
pub type JsonList<'a> = Vec<JsonValue<'a>>;

impl<'a> JsonValue<'a> {
    /// A whole document; its members' places are their names.
    ///
    /// # Errors
    /// When it is no JSON.
    pub fn document(json: &'a [u8]) -> Result<Self, MalformedRequest> {
        let raw = serde_json::from_slice(json).map_err(|_| MalformedRequest {
            at: "body".into(),
            expected: "JSON".into(),
            found: short(&String::from_utf8_lossy(json)),
        })?;
        Ok(Self { at: String::new(), raw })
    }

    /// The value as an object.
    ///
    /// # Errors
    /// When it is something else.
    pub fn object(&self) -> Result<JsonObject<'a>, MalformedRequest> {
        let ObjectMembers(members) = self.parse("an object")?;
        Ok(JsonObject { at: self.at.clone(), members })
    }

    /// The value as a list; the elements' places are `at[0]` and so on.
    ///
    /// # Errors
    /// When it is something else.
    pub fn list(&self) -> Result<JsonList<'a>, MalformedRequest> {
        let elements: Vec<&'a RawValue> = self.parse("a list")?;
        let place = |(index, raw)| JsonValue { at: format!("{}[{index}]", self.at), raw };
        Ok(elements.into_iter().enumerate().map(place).collect())
    }

    /// The value as a text, escapes resolved.
    ///
    /// # Errors
    /// When it is something else.
    pub fn text(&self) -> Result<String, MalformedRequest> {
        self.parse("a text")
    }

    /// The value as a whole number from 0. A number like `4.0` is one too: some providers send it.
    ///
    /// # Errors
    /// When it is something else, or larger than 2^53.
    pub fn whole(&self) -> Result<u64, MalformedRequest> {
        const MOST: f64 = 9_007_199_254_740_992.0;
        let expected = "a whole number, 0 or more";
        if let Ok(number) = self.parse::<u64>(expected) {
            return Ok(number);
        }
        let number: f64 = self.parse(expected)?;
        let fits = number.fract() == 0.0 && (0.0..=MOST).contains(&number);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked: whole, and from 0 to 2^53"
        )]
        fits.then_some(number as u64).ok_or_else(|| self.wrong(expected))
    }

    /// The value as a switch.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(&self) -> Result<bool, MalformedRequest> {
        self.parse("true or false")
    }

    /// The value as a number in its own spelling.
    ///
    /// # Errors
    /// When it is something else.
    pub fn number(&self) -> Result<Box<RawValue>, MalformedRequest> {
        self.parse::<serde_json::Number>("a number").map(|_| self.raw.to_owned())
    }

    /// True if its JSON starts with `first`: `{` of an object, `[` of a list, `"` of a text.
    #[must_use]
    pub fn starts_with(&self, first: char) -> bool {
        self.raw.get().starts_with(first)
    }

    /// True if it is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.raw.get() == "null"
    }

    /// The error that this is not the expected value.
    #[must_use]
    pub fn wrong(&self, expected: &str) -> MalformedRequest {
        let at = if self.at.is_empty() { "body".to_owned() } else { self.at.clone() };
        MalformedRequest { at, expected: expected.to_owned(), found: short(self.raw.get()) }
    }

    fn parse<T: Deserialize<'a>>(&self, expected: &str) -> Result<T, MalformedRequest> {
        serde_json::from_str(self.raw.get()).map_err(|_| self.wrong(expected))
    }
}

impl<'a> JsonObject<'a> {
    /// The object's own place.
    #[must_use]
    pub fn at(&self) -> &str {
        &self.at
    }

    /// The place of a member.
    #[must_use]
    pub fn place(&self, name: &str) -> String {
        if self.at.is_empty() { name.to_owned() } else { format!("{}.{name}", self.at) }
    }

    /// True if it has a member of that name, null or not.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(member, _)| member == name)
    }

    /// Takes a member as it stands, null included.
    pub fn raw(&mut self, name: &str) -> Option<&'a RawValue> {
        let mut found = None;
        self.members.retain(|(member, raw)| {
            let is_it = member == name;
            if is_it {
                found = Some(*raw);
            }
            !is_it
        });
        found
    }

    /// Takes a member by the first of `names` that it goes by. Formats with two spellings name both.
    pub fn value(&mut self, names: &[&str]) -> Option<JsonValue<'a>> {
        let mut found = None;
        for name in names {
            let Some(raw) = self.raw(name) else { continue };
            if found.is_none() && raw.get() != "null" {
                found = Some(JsonValue { at: self.place(name), raw });
            }
        }
        found
    }

    /// Takes a member that must be there.
    ///
    /// # Errors
    /// When it is absent or null.
    pub fn required(&mut self, names: &[&str]) -> Result<JsonValue<'a>, MalformedRequest> {
        self.value(names).ok_or_else(|| self.missing(names[0]))
    }

    /// The error that a member is missing.
    #[must_use]
    pub fn missing(&self, name: &str) -> MalformedRequest {
        MalformedRequest { at: self.place(name), expected: "present".into(), found: "nothing".into() }
    }

    /// Takes a member that is a text.
    ///
    /// # Errors
    /// When it is something else.
    pub fn text(&mut self, names: &[&str]) -> Result<Option<String>, MalformedRequest> {
        self.value(names).map(|value| value.text()).transpose()
    }

    /// Takes a member that is a whole number.
    ///
    /// # Errors
    /// When it is something else.
    pub fn whole(&mut self, names: &[&str]) -> Result<Option<u64>, MalformedRequest> {
        self.value(names).map(|value| value.whole()).transpose()
    }

    /// Takes a member that is a switch.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(&mut self, names: &[&str]) -> Result<Option<bool>, MalformedRequest> {
        self.value(names).map(|value| value.flag()).transpose()
    }

    /// Takes a member that is a list; an absent one is empty.
    ///
    /// # Errors
    /// When it is something else.
    pub fn list(&mut self, names: &[&str]) -> Result<JsonList<'a>, MalformedRequest> {
        self.value(names).map_or_else(|| Ok(JsonList::new()), |value| value.list())
    }

    /// Takes a member that is an object.
    ///
    /// # Errors
    /// When it is something else.
    pub fn object(&mut self, names: &[&str]) -> Result<Option<JsonObject<'a>>, MalformedRequest> {
        self.value(names).map(|value| value.object()).transpose()
    }

    /// Takes a member by `read`, together with its place.
    ///
    /// # Errors
    /// When `read` finds fault with it.
    pub fn at_with<T>(
        &mut self,
        names: &[&str],
        read: impl FnOnce(&JsonValue<'a>) -> Result<T, MalformedRequest>,
    ) -> Result<Option<LocatedValue<T>>, MalformedRequest> {
        self.value(names).map(|value| Ok(LocatedValue { at: value.at.clone(), value: read(&value)? })).transpose()
    }

    /// The members that nobody took, in order; nulls too, so that they can be written again.
    #[must_use]
    pub fn rest(self) -> Vec<UnknownMember> {
        let Self { at, members } = self;
        let place = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
        members
            .into_iter()
            .map(|(name, value)| UnknownMember { at: place(&name), name: name.into_owned(), value: value.to_owned() })
            .collect()
    }
}

/// The members of an object, in order.
struct ObjectMembers<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for ObjectMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = ObjectMembers<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ObjectMembers<'de>, A::Error> {
        let mut members = Vec::with_capacity(8);
        while let Some(name) = map.next_key::<MemberName<'de>>()? {
            members.push((name.0, map.next_value::<&'de RawValue>()?));
        }
        Ok(ObjectMembers(members))
    }
}

/// A name, borrowed unless it is spelt with escapes.
#[derive(Deserialize)]
struct MemberName<'a>(#[serde(borrow)] Cow<'a, str>);

fn short(text: &str) -> String {
    match text.char_indices().nth(FOUND_CHARS) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_took_is_told_in_order() {
        let document =
            JsonValue::document(br#"{"z":1.0,"a":null,"t":"\u00e9","n":[{"x":3}],"\u0062":12345678901234567890}"#);
        let mut object = document.expect("JSON").object().expect("an object");
        assert_eq!(object.text(&["t"]), Ok(Some("é".to_owned())));
        assert_eq!(object.text(&["a"]), Ok(None));
        let n = object.list(&["n"]).expect("a list");
        let mut first = n[0].object().expect("an object");
        assert_eq!(first.text(&["x"]).expect_err("a number").at, "n[0].x");
        let rest: Vec<_> = object.rest().into_iter().map(|extra| (extra.at, extra.value.get().to_owned())).collect();
        assert_eq!(rest, [("z".to_owned(), "1.0".to_owned()), ("b".to_owned(), "12345678901234567890".to_owned())]);
    }

    #[test]
    fn of_two_spellings_the_first_that_stands_counts() {
        let document = JsonValue::document(br#"{"max_tokens":null,"maxTokens":4.0}"#).expect("JSON");
        let mut object = document.object().expect("an object");
        assert_eq!(object.whole(&["max_tokens", "maxTokens"]), Ok(Some(4)));
        assert!(object.rest().is_empty());
    }
}
