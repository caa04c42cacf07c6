//! The tree: YAML with a place on everything, and nothing of YAML's own rules left.

use std::borrow::Cow;

use super::SourceSpan;

/// One value.
#[derive(Debug, Clone)]
pub struct YamlNode<'s> {
    /// The whole of it.
    pub place: SourceSpan,
    /// The value itself.
    pub kind: YamlKind<'s>,
}

/// A value by its kind.
#[derive(Debug, Clone)]
pub enum YamlKind<'s> {
    /// Nothing, `null` or `~`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// `yes`, `no`, `on`, `off`, `y`, `n`: a boolean to readers of YAML 1.1, a word to readers of 1.2. What it should
    /// be depends on where it stands, so the structural check settles it.
    Switch(Cow<'s, str>),
    /// A plain decimal, as written.
    Number(Cow<'s, str>),
    /// Any other text.
    Word(Cow<'s, str>),
    /// A list.
    List(Vec<YamlNode<'s>>),
    /// A mapping.
    Mapping(YamlMapping<'s>),
    /// Already complained about: nothing more is said of it, and it is not read.
    Broken,
}

/// A mapping, keys in the order they are written, each once.
#[derive(Debug, Clone, Default)]
pub struct YamlMapping<'s> {
    /// Its pairs.
    pub pairs: Vec<YamlPair<'s>>,
    /// Pairs whose key was there before: complained about, and not read.
    pub dropped: Vec<YamlPair<'s>>,
    /// The file stopped being YAML inside it: keys may be missing that were written.
    pub unfinished: bool,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub struct YamlPair<'s> {
    /// The key.
    pub key: YamlKey<'s>,
    /// The value.
    pub value: YamlNode<'s>,
}

/// A key.
#[derive(Debug, Clone)]
pub struct YamlKey<'s> {
    /// Its text.
    pub text: Cow<'s, str>,
    /// Its place.
    pub place: SourceSpan,
}

impl YamlMapping<'_> {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&YamlNode<'_>> {
        self.pairs.iter().find(|pair| pair.key.text == key).map(|pair| &pair.value)
    }
}

impl YamlKind<'_> {
    /// The name of its kind in a sentence.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) | Self::Switch(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Word(_) => "a word",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
            Self::Broken => "something else",
        }
    }
}

impl YamlNode<'_> {
    /// True if the file stopped being YAML inside it.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        match &self.kind {
            YamlKind::List(items) => items.last().is_some_and(YamlNode::is_cut),
            YamlKind::Mapping(mapping) => {
                mapping.unfinished || mapping.pairs.last().is_some_and(|pair| pair.value.is_cut())
            }
            _ => false,
        }
    }

    /// Calls `see` with every text in it: words, numbers and keys.
    pub fn each_text(&self, see: &mut impl FnMut(&str)) {
        match &self.kind {
            YamlKind::Null | YamlKind::Bool(_) | YamlKind::Broken => {}
            YamlKind::Number(text) | YamlKind::Word(text) | YamlKind::Switch(text) => see(text),
            YamlKind::List(items) => items.iter().for_each(|item| item.each_text(see)),
            YamlKind::Mapping(mapping) => {
                for pair in &mapping.pairs {
                    see(&pair.key.text);
                    pair.value.each_text(see);
                }
            }
        }
    }

    /// The value as JSON; what was complained about is null.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match &self.kind {
            YamlKind::Null | YamlKind::Broken => serde_json::Value::Null,
            YamlKind::Bool(value) => (*value).into(),
            YamlKind::Number(text) => serde_json::from_str(text).unwrap_or(serde_json::Value::Null),
            YamlKind::Word(text) | YamlKind::Switch(text) => text.as_ref().into(),
            YamlKind::List(items) => items.iter().map(YamlNode::to_json).collect(),
            YamlKind::Mapping(mapping) => {
                mapping.pairs.iter().map(|pair| (pair.key.text.to_string(), pair.value.to_json())).collect()
            }
        }
    }
}
