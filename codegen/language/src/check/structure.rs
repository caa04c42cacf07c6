//! The structural check: every value is of the shape that the language has in its place.
//!
//! Walks a tree beside the schema, reports everything that is wrong, and takes it out of the tree, so that what is left can be
//! read. The branch of a choice is picked by the kind of the value alone.

use std::borrow::Cow;

use super::coerce::{CoercedValue, coerce};
use super::lost::LostParts;
use super::shape::{SchemaShape, SchemaShapes, ShapeId, fits, one_of};
use crate::diagnostics::codes::{structure, types};
use crate::diagnostics::{Diagnostic, closest};
use crate::map::HashMap;
use crate::model::WrittenNumber;
use crate::parse::{SourceSpan, YamlKind, YamlMapping, YamlNode, switch, switched_on};

/// The check of one file.
pub(super) struct StructureWalk<'a> {
    pub(super) shapes: &'a SchemaShapes,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    pub(super) damage: &'a mut LostParts,
}

impl<'a> StructureWalk<'a> {
    /// Checks a value and all it contains; `place` is what to point at where something is missing from it.
    pub(super) fn value(&mut self, node: &mut YamlNode<'_>, id: ShapeId, place: SourceSpan) {
        let shapes: &'a SchemaShapes = self.shapes;
        self.settle(node, id);
        match (shapes.get(id), &mut node.kind) {
            (SchemaShape::Any, kind) => self.anything(kind, id),
            (_, YamlKind::Broken) | (SchemaShape::Null, YamlKind::Null) | (SchemaShape::Bool, YamlKind::Bool(_)) => {}
            (SchemaShape::Choice(choices), kind) => {
                match choices.iter().find(|choice| fits(shapes.get(**choice), kind)) {
                    Some(choice) => self.value(node, *choice, place),
                    None => self.wrong_kind(node, id),
                }
            }
            (SchemaShape::Number { whole, min, max }, YamlKind::Number(text)) => {
                let number = WrittenNumber::new(text.as_ref());
                match broken_bound(&number, min.as_ref(), max.as_ref()) {
                    _ if *whole && number.whole().is_none() => self.wrong_kind(node, id),
                    Some(bound) => self.out_of_range(node, &number, bound),
                    None => {}
                }
            }
            (SchemaShape::Word { words }, YamlKind::Word(word)) => {
                if !words.is_empty() && !words.iter().any(|one| one == word) {
                    self.unknown_word(node, words);
                }
            }
            (SchemaShape::List { item, min, max }, YamlKind::List(items)) => {
                for one in &mut *items {
                    let place = one.place;
                    self.value(one, *item, place);
                }
                let count = items.len();
                if count < *min || count > *max {
                    self.wrong_length(node, *min, *max);
                }
            }
            (SchemaShape::Mapping { keys, required, others }, YamlKind::Mapping(mapping)) => {
                let meant = self.pairs(mapping, keys, *others);
                if !mapping.unfinished {
                    self.missing_keys(mapping, required, &meant, place);
                }
            }
            (_, YamlKind::Null) if node.place.start == node.place.end => {
                // There is nothing to point at but the key.
                let message = format!("expected {}, found nothing", shapes.name(id));
                self.take_out(node, Diagnostic::error(structure::WRONG_KIND, place, message).label("holds nothing"));
            }
            _ => self.wrong_kind(node, id),
        }
    }

    /// A boolean of YAML 1.1 becomes what is wanted in its place, with a complaint.
    fn settle(&mut self, node: &mut YamlNode<'_>, id: ShapeId) {
        let YamlKind::Switch(word) = &mut node.kind else { return };
        let wants_bool =
            self.shapes.accepts(id, &YamlKind::Bool(true)) && !matches!(self.shapes.get(id), SchemaShape::Any);
        self.diagnostics.push(switch(word, node.place, wants_bool));
        let word = std::mem::take(word);
        node.kind = if wants_bool { YamlKind::Bool(switched_on(&word)) } else { YamlKind::Word(word) };
    }

    fn out_of_range(&mut self, node: &mut YamlNode<'_>, number: &WrittenNumber, bound: String) {
        let message = format!("`{}` is out of range", number.text());
        let complaint = Diagnostic::error(structure::OUT_OF_RANGE, node.place, message).label(bound);
        self.take_out(node, complaint);
    }

    fn unknown_word(&mut self, node: &mut YamlNode<'_>, words: &[String]) {
        let YamlKind::Word(word) = &mut node.kind else { return };
        let meant = closest(word, words.iter().map(String::as_str));
        let message = format!("unknown word `{word}`");
        let complaint = Diagnostic::error(structure::UNKNOWN_WORD, node.place, message)
            .label(format!("one of {}", one_of(words)))
            .suggest(meant);
        match meant {
            // Read as it was probably meant, so that nothing follows from it.
            Some(meant) => {
                *word = Cow::Owned(meant.to_owned());
                self.diagnostics.push(complaint);
            }
            None => self.take_out(node, complaint),
        }
    }

    /// The keys and values of a mapping; gives the keys that were meant by others and are still not there.
    fn pairs<'k>(
        &mut self,
        mapping: &mut YamlMapping<'_>,
        keys: &'k HashMap<String, ShapeId>,
        others: Option<ShapeId>,
    ) -> Vec<&'k str> {
        for pair in &mapping.dropped {
            self.damage.lose_name(&pair.key.text);
            self.damage.lose(&pair.value);
        }
        let meant = if let Some(entry) = others {
            self.misspelt(mapping, keys, entry);
            self.nameless(mapping, entry);
            self.strangers(mapping, keys, entry);
            Vec::new()
        } else {
            self.move_misplaced(mapping, keys);
            self.unknown_keys(mapping, keys)
        };
        for pair in &mut mapping.pairs {
            if pair.key.text == "default" && keys.contains_key("default") && matches!(pair.value.kind, YamlKind::Null) {
                let place =
                    if pair.value.place.start == pair.value.place.end { pair.key.place } else { pair.value.place };
                let message = "null is no default: what is absent is null, or stands for nothing";
                let complaint = Diagnostic::error(types::DEFAULT_DOES_NOT_FIT, place, message);
                self.diagnostics.push(complaint.label("leave it out"));
            }
            if let Some(shape) = keys.get(pair.key.text.as_ref()).copied().or(others) {
                self.value(&mut pair.value, shape, pair.key.place);
            }
            if matches!(pair.value.kind, YamlKind::Broken) {
                self.damage.lose_name(&pair.key.text);
            }
        }
        meant
    }

    /// Checks the values inside a place that takes anything.
    fn anything(&mut self, kind: &mut YamlKind<'_>, id: ShapeId) {
        let inner: Vec<&mut YamlNode<'_>> = match kind {
            YamlKind::List(items) => items.iter_mut().collect(),
            YamlKind::Mapping(mapping) => mapping.pairs.iter_mut().map(|pair| &mut pair.value).collect(),
            _ => return,
        };
        for node in inner {
            let place = node.place;
            self.value(node, id, place);
        }
    }

    /// Complains about the keys that a mapping cannot have. One that was probably meant for another is read as that
    /// one, all others are taken out; gives the keys that were meant and are still not there.
    fn unknown_keys<'k>(&mut self, mapping: &mut YamlMapping<'_>, keys: &'k HashMap<String, ShapeId>) -> Vec<&'k str> {
        if mapping.pairs.iter().all(|pair| keys.contains_key(pair.key.text.as_ref())) {
            return Vec::new();
        }
        let mut free: Vec<&str> = keys.keys().map(String::as_str).filter(|key| mapping.get(key).is_none()).collect();
        free.sort_unstable();
        let mut meant = Vec::new();
        for mut pair in std::mem::take(&mut mapping.pairs) {
            if keys.contains_key(pair.key.text.as_ref()) {
                mapping.pairs.push(pair);
                continue;
            }
            let suggestion = closest(&pair.key.text, free.iter().copied());
            let mut complaint =
                Diagnostic::error(structure::UNKNOWN_KEY, pair.key.place, format!("unknown key `{}`", pair.key.text));
            if suggestion.is_none() {
                complaint = complaint.note(format!("the keys here are {}", listed(keys.keys().map(String::as_str))));
            }
            self.diagnostics.push(complaint.suggest(suggestion));
            match suggestion {
                Some(key) if self.shapes.accepts(keys[key], &pair.value.kind) => {
                    free.retain(|one| *one != key);
                    pair.key.text = Cow::Owned(key.to_owned());
                    mapping.pairs.push(pair);
                }
                _ => {
                    self.damage.lose(&pair.value);
                    self.damage.lose_name(&pair.key.text);
                    suggestion.iter().for_each(|key| self.damage.lose_name(key));
                    meant.extend(suggestion);
                }
            }
        }
        meant
    }

    /// Complains about the keys that a mapping must have, except those that a misspelt one was meant for.
    fn missing_keys(&mut self, mapping: &YamlMapping<'_>, required: &[String], meant: &[&str], place: SourceSpan) {
        let missing = required.iter().map(String::as_str).filter(|key| mapping.get(key).is_none());
        let missing: Vec<&str> = missing.filter(|key| !meant.contains(key)).collect();
        missing.iter().for_each(|key| self.damage.miss(key));
        if !missing.is_empty() {
            let plural = if missing.len() == 1 { "" } else { "s" };
            let message = format!("missing key{plural} {}", listed(missing));
            self.diagnostics.push(Diagnostic::error(structure::MISSING_KEY, place, message).label("not complete"));
        }
    }

    /// Complains about a value of another kind than its place wants. Where it can be told what was meant, it is read as that.
    fn wrong_kind(&mut self, node: &mut YamlNode<'_>, id: ShapeId) {
        let found = if matches!(node.kind, YamlKind::Null) { "null" } else { node.kind.name() };
        let message = format!("expected {}, found {found}", self.shapes.name(id));
        let place = node.place;
        let Some(CoercedValue { text, kind }) = coerce(self.shapes, node, id) else {
            let complaint = Diagnostic::error(structure::WRONG_KIND, place, message).label(format!("this is {found}"));
            return self.take_out(node, complaint);
        };
        let complaint = match kind {
            YamlKind::Word(_) => Diagnostic::error(structure::NOT_A_WORD, place, message).label("put it in quotes"),
            _ => Diagnostic::error(structure::WRONG_KIND, place, message).label(format!("this is {found}")),
        };
        self.diagnostics.push(complaint.suggest(Some(text)));
        node.kind = kind;
        self.value(node, id, place);
    }

    fn wrong_length(&mut self, node: &mut YamlNode<'_>, min: usize, max: usize) {
        let wanted = match (min, max) {
            (min, usize::MAX) => format!("at least {min}"),
            (min, max) if min == max => format!("exactly {min}"),
            (min, max) => format!("{min} to {max}"),
        };
        let message = format!("this list has {wanted} items");
        let complaint = Diagnostic::error(structure::WRONG_LENGTH, node.place, message);
        self.take_out(node, complaint);
    }

    fn take_out(&mut self, node: &mut YamlNode<'_>, complaint: Diagnostic) {
        self.damage.lose(node);
        self.diagnostics.push(complaint);
        node.kind = YamlKind::Broken;
    }
}

/// The bound that a number breaks, in words.
fn broken_bound(number: &WrittenNumber, min: Option<&WrittenNumber>, max: Option<&WrittenNumber>) -> Option<String> {
    let below = min.filter(|min| number.compare(min) == Some(std::cmp::Ordering::Less));
    let above = max.filter(|max| number.compare(max) == Some(std::cmp::Ordering::Greater));
    below.map(|min| format!("at least {}", min.text())).or_else(|| above.map(|max| format!("at most {}", max.text())))
}

/// Names as a sentence lists them, in alphabetical order.
pub(super) fn listed<'k>(names: impl IntoIterator<Item = &'k str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.sort_unstable();
    names.join(", ")
}
