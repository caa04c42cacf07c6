//! Lists and mappings that are not closed yet.

use std::borrow::Cow;

use super::{
    SourceSpan,
    tree::{YamlKey, YamlMapping, YamlNode},
};
use crate::map::HashMap;

/// Pairs from which on the keys of a mapping are looked up by hash.
const HASHED_FROM: usize = 16;

/// A list or mapping that is not closed yet.
pub(super) enum OpenCollection<'s> {
    List { start: SourceSpan, items: Vec<YamlNode<'s>> },
    Mapping(OpenMapping<'s>),
}

/// A mapping that is not closed yet.
pub(super) struct OpenMapping<'s> {
    pub(super) start: SourceSpan,
    pub(super) mapping: YamlMapping<'s>,
    /// The place of each key, filled once there are many.
    index: HashMap<Cow<'s, str>, SourceSpan>,
    pub(super) key: Option<PendingKey<'s>>,
    /// The complaint about the first key that was there before.
    pub(super) again: Option<usize>,
}

impl<'s> OpenMapping<'s> {
    pub(super) fn new(start: SourceSpan) -> Self {
        Self { start, mapping: YamlMapping::default(), index: HashMap::default(), key: None, again: None }
    }

    /// The place of a key that is there already.
    pub(super) fn find(&mut self, text: &str) -> Option<SourceSpan> {
        let pairs = &self.mapping.pairs;
        if pairs.len() < HASHED_FROM {
            return pairs.iter().find(|pair| pair.key.text == text).map(|pair| pair.key.place);
        }
        if self.index.len() < pairs.len() {
            let known = pairs[self.index.len()..].iter();
            self.index.extend(known.map(|pair| (pair.key.text.clone(), pair.key.place)));
        }
        self.index.get(text).copied()
    }
}

/// A key that waits for its value.
pub(super) enum PendingKey<'s> {
    Keep(YamlKey<'s>),
    /// A second one: its value is read only for what it mentions.
    Again(YamlKey<'s>),
    /// No word at all.
    Drop,
}
