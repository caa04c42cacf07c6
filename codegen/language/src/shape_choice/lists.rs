//! Lists that have a second way to be written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{EntryMap, SourceSpan, SpannedText};

/// One word or a list of words.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(untagged)]
pub enum OneOrMore {
    /// One.
    #[serde(rename = "$word")]
    One(SpannedText),
    /// More, or one in brackets.
    #[serde(rename = "$list")]
    More(Vec<SpannedText>),
}

impl OneOrMore {
    /// All of them, as a list.
    #[must_use]
    pub fn all(&self) -> &[SpannedText] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::More(more) => more,
        }
    }
}

/// The states of a machine.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "States")]
#[schemars(untagged)]
pub enum DeclaredStates {
    /// Of a machine with a row of its own.
    #[serde(rename = "$list")]
    Own(Vec<SpannedText>),
    /// Of a view: its name for a state, to the state of the base.
    #[serde(rename = "$mapping")]
    View(EntryMap<SpannedText>),
}

impl DeclaredStates {
    /// The names with their places, in order.
    pub fn names(&self) -> impl Iterator<Item = (&str, SourceSpan)> {
        let (own, view) = match self {
            Self::Own(own) => (Some(own), None),
            Self::View(view) => (None, Some(view)),
        };
        let own = own.into_iter().flatten().map(|state| (state.value.as_str(), state.place));
        let view = view.into_iter().flatten().map(|(state, base)| (state.as_str(), base.place));
        own.chain(view)
    }
}

/// The words of an enum.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(untagged)]
pub enum EnumWords {
    /// Bare.
    #[serde(rename = "$list")]
    Bare(Vec<SpannedText>),
    /// Each with what it means.
    #[serde(rename = "$mapping")]
    Documented(EntryMap<String>),
}

impl EnumWords {
    /// The words in order: word, place, what it means.
    pub fn all(&self) -> impl Iterator<Item = (&str, SourceSpan, Option<&str>)> {
        let (bare, documented) = match self {
            Self::Bare(bare) => (Some(bare), None),
            Self::Documented(documented) => (None, Some(documented)),
        };
        let bare = bare.into_iter().flatten().map(|word| (word.value.as_str(), word.place, None));
        let documented = documented.into_iter().flatten();
        bare.chain(documented.map(|(word, doc)| (word.as_str(), doc.place, Some(doc.value.as_str()))))
    }
}
