//! Whether every value is of the shape that the language has in its place.
//!
//! Walks a tree beside the schema, says everything that is wrong, and takes it out of the tree, so that what is left
//! can be read. The branch of a choice is picked by the kind of the value alone.

use std::collections::HashMap;

use super::{
    damage::Damage,
    shape::{Shape, ShapeId, Shapes, one_of},
};
use crate::{
    diagnostics::{Diagnostic, closest, codes::structure},
    model::Number,
    parse::{Kind, Mapping, Node, Place},
};

/// The check of one file.
pub(super) struct Walk<'a> {
    pub(super) shapes: &'a Shapes,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    pub(super) damage: &'a mut Damage,
}

impl<'a> Walk<'a> {
    /// Checks a value and all it contains; `place` is what to point at where something is missing from it.
    pub(super) fn value(&mut self, node: &mut Node<'_>, id: ShapeId, place: Place) {
        let shapes: &'a Shapes = self.shapes;
        match (shapes.get(id), &mut node.kind) {
            (_, Kind::Broken) | (Shape::Any, _) | (Shape::Null, Kind::Null) | (Shape::Bool, Kind::Bool(_)) => {}
            (Shape::Choice(choices), kind) => match choices.iter().find(|choice| fits(shapes.get(**choice), kind)) {
                Some(choice) => self.value(node, *choice, place),
                None => self.wrong_kind(node, id),
            },
            (Shape::Number { whole, min, max }, Kind::Number(text)) => {
                let number = Number::new(text.as_ref());
                if *whole && number.whole().is_none() {
                    self.wrong_kind(node, id);
                } else if let Some(bound) = broken_bound(&number, min.as_ref(), max.as_ref()) {
                    let message = format!("`{}` is out of range", number.text());
                    let complaint = Diagnostic::error(structure::OUT_OF_RANGE, node.place, message).label(bound);
                    self.take_out(node, complaint);
                }
            }
            (Shape::Word { words }, Kind::Word(word)) => {
                if !words.is_empty() && !words.iter().any(|one| one == word) {
                    let complaint =
                        Diagnostic::error(structure::UNKNOWN_WORD, node.place, format!("unknown word `{word}`"))
                            .label(format!("one of {}", one_of(words)))
                            .suggest(closest(word, words.iter().map(String::as_str)));
                    self.take_out(node, complaint);
                }
            }
            (Shape::List { item, min, max }, Kind::List(items)) => {
                for one in &mut *items {
                    let place = one.place;
                    self.value(one, *item, place);
                }
                let count = items.len();
                if count < *min || count > *max {
                    self.wrong_length(node, *min, *max);
                }
            }
            (Shape::Mapping { keys, required, others }, Kind::Mapping(mapping)) => {
                for pair in &mut mapping.pairs {
                    if let Some(shape) = keys.get(pair.key.text.as_ref()).copied().or(*others) {
                        self.value(&mut pair.value, shape, pair.key.place);
                    }
                }
                let meant = if others.is_none() { self.unknown_keys(mapping, keys) } else { Vec::new() };
                if !mapping.unfinished {
                    self.missing_keys(mapping, required, &meant, place);
                }
            }
            _ => self.wrong_kind(node, id),
        }
    }

    /// Complains about the keys that a mapping cannot have and takes them out; gives the keys they were meant for.
    fn unknown_keys<'k>(&mut self, mapping: &mut Mapping<'_>, keys: &'k HashMap<String, ShapeId>) -> Vec<&'k str> {
        if mapping.pairs.iter().all(|pair| keys.contains_key(pair.key.text.as_ref())) {
            return Vec::new();
        }
        let mut free: Vec<&str> = keys.keys().map(String::as_str).filter(|key| mapping.get(key).is_none()).collect();
        free.sort_unstable();
        let mut meant = Vec::new();
        let (known, unknown) =
            std::mem::take(&mut mapping.pairs).into_iter().partition(|pair| keys.contains_key(pair.key.text.as_ref()));
        mapping.pairs = known;
        for pair in unknown {
            self.damage.lose(&pair.value);
            let suggestion = closest(&pair.key.text, free.iter().copied());
            if let Some(key) = suggestion {
                meant.push(key);
                self.damage.mean(key);
            }
            let mut complaint =
                Diagnostic::error(structure::UNKNOWN_KEY, pair.key.place, format!("unknown key `{}`", pair.key.text));
            if suggestion.is_none() {
                complaint = complaint.note(format!("the keys here are {}", listed(keys.keys().map(String::as_str))));
            }
            self.diagnostics.push(complaint.suggest(suggestion));
        }
        meant
    }

    /// Complains about the keys that a mapping must have, except those that a misspelt one was meant for.
    fn missing_keys(&mut self, mapping: &Mapping<'_>, required: &[String], meant: &[&str], place: Place) {
        let missing = required.iter().map(String::as_str).filter(|key| mapping.get(key).is_none());
        let missing: Vec<&str> = missing.filter(|key| !meant.contains(key)).collect();
        if !missing.is_empty() {
            let plural = if missing.len() == 1 { "" } else { "s" };
            let message = format!("missing key{plural} {}", listed(missing));
            self.diagnostics.push(Diagnostic::error(structure::MISSING_KEY, place, message).label("not complete"));
        }
    }

    fn wrong_kind(&mut self, node: &mut Node<'_>, id: ShapeId) {
        let shapes: &'a Shapes = self.shapes;
        let accepts = |shape: fn(&Shape) -> bool| match shapes.get(id) {
            Shape::Choice(choices) => choices.iter().any(|choice| shape(shapes.get(*choice))),
            other => shape(other),
        };
        let wants_word = accepts(|shape| matches!(shape, Shape::Word { .. }));
        let quoted = match &node.kind {
            Kind::Number(text) if wants_word => Some(format!("\"{text}\"")),
            Kind::Bool(value) if wants_word => Some(format!("\"{value}\"")),
            Kind::Null if wants_word && node.place.end > node.place.start => Some("\"null\"".to_owned()),
            _ => None,
        };
        let found = node.kind.name();
        let message = format!("expected {}, found {found}", shapes.name(id));
        let complaint = if let Some(quoted) = quoted {
            Diagnostic::error(structure::NOT_A_WORD, node.place, message)
                .label("put it in quotes")
                .suggest(Some(quoted))
        } else {
            let wants_list = accepts(|shape| matches!(shape, Shape::List { .. }));
            let suggestion = match &node.kind {
                Kind::Word(word) if wants_list => Some(format!("[{word}]")),
                Kind::Word(word) if accepts(|shape| matches!(shape, Shape::Bool)) => {
                    closest(word, ["true", "false"]).map(str::to_owned)
                }
                Kind::Word(word) if accepts(|shape| matches!(shape, Shape::Number { .. })) => {
                    Number::new(word.as_ref()).nanos().map(|_| word.to_string())
                }
                _ => None,
            };
            Diagnostic::error(structure::WRONG_KIND, node.place, message)
                .label(format!("this is {found}"))
                .suggest(suggestion)
        };
        self.take_out(node, complaint);
    }

    fn wrong_length(&mut self, node: &mut Node<'_>, min: usize, max: usize) {
        let wanted = match (min, max) {
            (min, usize::MAX) => format!("at least {min}"),
            (min, max) if min == max => format!("exactly {min}"),
            (min, max) => format!("{min} to {max}"),
        };
        let message = format!("this list has {wanted} items");
        let complaint = Diagnostic::error(structure::WRONG_LENGTH, node.place, message);
        self.take_out(node, complaint);
    }

    fn take_out(&mut self, node: &mut Node<'_>, complaint: Diagnostic) {
        self.damage.lose(node);
        self.diagnostics.push(complaint);
        node.kind = Kind::Broken;
    }
}

/// Whether a value is of the kind of a shape, whatever is inside.
const fn fits(shape: &Shape, kind: &Kind<'_>) -> bool {
    matches!(
        (shape, kind),
        (Shape::Any, _)
            | (Shape::Null, Kind::Null)
            | (Shape::Bool, Kind::Bool(_))
            | (Shape::Number { .. }, Kind::Number(_))
            | (Shape::Word { .. }, Kind::Word(_))
            | (Shape::List { .. }, Kind::List(_))
            | (Shape::Mapping { .. }, Kind::Mapping(_))
    )
}

/// The bound that a number breaks, in words.
fn broken_bound(number: &Number, min: Option<&Number>, max: Option<&Number>) -> Option<String> {
    let below = min.filter(|min| number.compare(min) == Some(std::cmp::Ordering::Less));
    let above = max.filter(|max| number.compare(max) == Some(std::cmp::Ordering::Greater));
    below.map(|min| format!("at least {}", min.text())).or_else(|| above.map(|max| format!("at most {}", max.text())))
}

/// Names as a sentence lists them, in alphabetical order.
fn listed<'k>(names: impl IntoIterator<Item = &'k str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.sort_unstable();
    names.join(", ")
}
