//! One pass over a JSON object that finds the texts of some of its members, by the parser: for what [`fast_scan`](super::fast_scan)
//! does not take.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The most names that can be looked for: more than any operation asks for.
pub(super) const NAMES_MAX: usize = 16;

/// The members that were found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FoundMembers<'b> {
    /// The text of each name's value, in the order of the names.
    pub raw: [Option<&'b str>; NAMES_MAX],
    /// The first name that stands there twice.
    pub twice: Option<usize>,
    /// The first name that stands there in other letters: some servers read them as the same.
    pub alike: Option<usize>,
}

impl<'b> FoundMembers<'b> {
    /// Takes note of a key that is none of the names.
    pub fn pass(&mut self, key: &str, names: &[&str]) {
        if self.alike.is_none() {
            self.alike = names.iter().position(|name| alike(name, key));
        }
    }

    /// Takes note of a member.
    pub(super) fn add(&mut self, index: usize, raw: &'b str) {
        if self.raw[index].replace(raw).is_some() {
            self.twice.get_or_insert(index);
        }
    }
}

/// True if `key` is `name` but for capitals and the two letters beyond ASCII whose small or capital form is in it.
fn alike(name: &str, key: &str) -> bool {
    if key.len() == name.len() {
        return key.eq_ignore_ascii_case(name);
    }
    let plain = |letter: char| match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        letter => letter.to_ascii_lowercase(),
    };
    // Each of the two is two or three bytes long.
    (name.len()..=name.len() * 3).contains(&key.len()) && key.chars().map(plain).eq(name.chars().map(plain))
}

/// Finds the members called `names` at the top of `text`. All of the text is checked to be one JSON object.
pub(super) fn members<'b>(text: &'b str, names: &'static [&'static str]) -> serde_json::Result<FoundMembers<'b>> {
    let mut found = FoundMembers::default();
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_map(MemberScan { names, found: &mut found })?;
    json.end()?;
    Ok(found)
}

struct MemberScan<'s, 'b> {
    names: &'static [&'static str],
    found: &'s mut FoundMembers<'b>,
}

impl<'b> Visitor<'b> for MemberScan<'_, 'b> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(NameIndexSeed { names: self.names, found: self.found })? {
            let Some(index) = key else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let raw: &'b RawValue = map.next_value()?;
            self.found.add(index, raw.get());
        }
        Ok(())
    }
}

/// Finds the index of a key among the names, however it is escaped.
struct NameIndexSeed<'s, 'b> {
    names: &'static [&'static str],
    found: &'s mut FoundMembers<'b>,
}

impl<'de> DeserializeSeed<'de> for NameIndexSeed<'_, '_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameIndexSeed<'_, '_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Option<usize>, E> {
        let index = self.names.iter().position(|name| *name == key);
        if index.is_none() {
            self.found.pass(key, self.names);
        }
        Ok(index)
    }
}
