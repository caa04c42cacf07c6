//! Lists and mappings that are not closed yet.

use std::borrow::Cow;

use super::{
    Place,
    tree::{Key, Mapping, Node},
};
use crate::map::HashMap;

/// Pairs from which on the keys of a mapping are looked up by hash.
const HASHED_FROM: usize = 16;

/// A list or mapping that is not closed yet.
pub(super) enum Frame<'s> {
    List { start: Place, items: Vec<Node<'s>> },
    Mapping(Open<'s>),
}

/// A mapping that is not closed yet.
pub(super) struct Open<'s> {
    pub(super) start: Place,
    pub(super) mapping: Mapping<'s>,
    /// The place of each key, filled once there are many.
    index: HashMap<Cow<'s, str>, Place>,
    pub(super) key: Option<Slot<'s>>,
    /// The complaint about the first key that was there before.
    pub(super) again: Option<usize>,
}

impl<'s> Open<'s> {
    pub(super) fn new(start: Place) -> Self {
        Self { start, mapping: Mapping::default(), index: HashMap::default(), key: None, again: None }
    }

    /// The place of a key that is there already.
    pub(super) fn find(&mut self, text: &str) -> Option<Place> {
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
pub(super) enum Slot<'s> {
    Keep(Key<'s>),
    /// A second one: its value is read only for what it mentions.
    Again(Key<'s>),
    /// No word at all.
    Drop,
}
