//! What stands among entries and is none: several that are wrong in one way, because one line is gone, are one complaint; a
//! misspelt key is one of its own.

use std::borrow::Cow;

use super::shape::{SchemaShape, SchemaShapes, ShapeId};
use super::structure::{StructureWalk, listed};
use crate::diagnostics::codes::structure;
use crate::diagnostics::{Diagnostic, closest};
use crate::map::HashMap;
use crate::parse::{YamlKind, YamlMapping, YamlPair};

/// From this many further ones on, entries of a wrong kind are one complaint.
const STRANGERS_MIN: usize = 2;

impl<'a> StructureWalk<'a> {
    /// Complains once where keys of an entry stand in the place of names: the line with the name is missing. One complaint for all
    /// of them, rather than one for each that no entry can be.
    pub(super) fn nameless(&mut self, mapping: &mut YamlMapping<'_>, entry: ShapeId) {
        let Some(inner) = self.entry_keys(entry) else { return };
        let is_key = |pair: &YamlPair<'_>| inner.contains_key(pair.key.text.as_ref());
        let misfits = |pair: &YamlPair<'_>| is_key(pair) && !self.shapes.accepts(entry, &pair.value.kind);
        if mapping.pairs.iter().filter(|pair| is_key(pair)).count() < 2 || !mapping.pairs.iter().any(misfits) {
            return;
        }
        let (lost, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut mapping.pairs).into_iter().partition(|pair| is_key(pair));
        mapping.pairs = kept;
        for pair in &lost {
            self.damage.lose_name(&pair.key.text);
            self.damage.lose(&pair.value);
        }
        let message =
            format!("a name is missing: {} belong to an entry", listed(lost.iter().map(|pair| pair.key.text.as_ref())));
        self.diagnostics.push(
            Diagnostic::error(structure::NAME_MISSING, lost[0].key.place, message)
                .label("the name of the entry stands above its keys, one step to the left"),
        );
    }

    /// Several entries that are of another kind altogether are one complaint: they belong elsewhere.
    pub(super) fn strangers(&mut self, mapping: &mut YamlMapping<'_>, keys: &HashMap<String, ShapeId>, entry: ShapeId) {
        let is_strange = |pair: &YamlPair<'_>| {
            !keys.contains_key(pair.key.text.as_ref())
                && !matches!(pair.value.kind, YamlKind::Broken | YamlKind::Null)
                && !self.shapes.accepts(entry, &pair.value.kind)
        };
        let strange: Vec<usize> = (0..mapping.pairs.len()).filter(|at| is_strange(&mapping.pairs[*at])).collect();
        let Some((first, others)) = strange.split_first().filter(|(_, others)| others.len() >= STRANGERS_MIN) else {
            return;
        };
        let found = mapping.pairs[*first].value.kind.name();
        let message = format!("expected {}, found {found}, {} times", self.shapes.name(entry), strange.len());
        let mut complaint = Diagnostic::error(structure::WRONG_KIND, mapping.pairs[*first].value.place, message)
            .label(format!("this is {found}"))
            .note("is the line missing that begins the section of these entries?");
        for at in others.iter().take(STRANGERS_MIN) {
            complaint = complaint.and(mapping.pairs[*at].value.place, "and this");
        }
        self.diagnostics.push(complaint);
        for at in strange {
            let pair = &mut mapping.pairs[at];
            self.damage.lose(&pair.value);
            pair.value.kind = YamlKind::Broken;
        }
    }

    /// A key of a mapping of entries that is misspelt stands where names stand; its value, which no entry has, gives it away.
    pub(super) fn misspelt(&mut self, mapping: &mut YamlMapping<'_>, keys: &HashMap<String, ShapeId>, entry: ShapeId) {
        let mut free: Vec<&str> = keys.keys().map(String::as_str).filter(|key| mapping.get(key).is_none()).collect();
        free.sort_unstable();
        for pair in &mut mapping.pairs {
            if keys.contains_key(pair.key.text.as_ref()) || self.shapes.accepts(entry, &pair.value.kind) {
                continue;
            }
            let meant = closest(&pair.key.text, free.iter().copied());
            let Some(meant) = meant.filter(|key| self.shapes.accepts(keys[*key], &pair.value.kind)) else { continue };
            let message = format!("unknown key `{}`", pair.key.text);
            let complaint = Diagnostic::error(structure::UNKNOWN_KEY, pair.key.place, message);
            self.diagnostics.push(complaint.suggest(Some(meant)));
            free.retain(|key| *key != meant);
            pair.key.text = Cow::Owned(meant.to_owned());
        }
    }

    /// The keys of an entry, where entries are mappings.
    fn entry_keys(&self, entry: ShapeId) -> Option<&'a HashMap<String, ShapeId>> {
        let shapes: &'a SchemaShapes = self.shapes;
        let mapping = |shape: &'a SchemaShape| match shape {
            SchemaShape::Mapping { keys, .. } if !keys.is_empty() => Some(keys),
            _ => None,
        };
        match shapes.get(entry) {
            SchemaShape::Choice(choices) => choices.iter().find_map(|choice| mapping(shapes.get(*choice))),
            shape => mapping(shape),
        }
    }
}
