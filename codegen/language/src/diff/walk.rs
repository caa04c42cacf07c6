//! The walk over two trees side by side: each change once, with all operations that it reaches.

use std::collections::{BTreeMap, BTreeSet};

use super::class::{Class, class_of};
use super::measure::{in_words, measure, resolved, types};
use super::node::{Direction, Happening, Kind, Link, Node, Value};
use super::{Finding, Spot, tree};
use crate::map::{HashMap, HashSet};
use crate::model::{Base, Place, Shape, Spec};

/// The context of a node on the way down.
#[derive(Debug, Clone, Default)]
struct Standing {
    subject: String,
    direction: Option<Direction>,
    operation: Option<String>,
}

/// One side of a difference, as words and as a place.
struct Side {
    words: String,
    place: Place,
}

pub(super) struct Walk<'s> {
    old: &'s Spec,
    new: &'s Spec,
    found: Vec<Finding>,
    /// Findings by class and subject, so that each is reported once.
    told: HashMap<(&'static str, String), usize>,
    /// Pairs of types that were compared for the operation at hand.
    seen: HashSet<(String, String, Option<Direction>)>,
}

impl<'s> Walk<'s> {
    pub(super) fn new(old: &'s Spec, new: &'s Spec) -> Self {
        Self { old, new, found: Vec::new(), told: HashMap::default(), seen: HashSet::default() }
    }

    pub(super) fn findings(mut self) -> Vec<Finding> {
        let (mut old, new) = (tree::root(self.old), tree::root(self.new));
        rename(&mut old, &new);
        self.children(&old, &new, &Standing::default());
        self.found
    }

    fn pair(&mut self, old: &Node, new: &Node, above: &Standing) {
        let at = above.step(new);
        if new.kind == Kind::Operation {
            self.seen.clear();
        }
        if let (Value::Type(was), Value::Type(is)) = (&old.value, &new.value) {
            let (was, is) = (resolved(self.old, was), resolved(self.new, is));
            self.types((old, &was), (new, &is), &at);
        } else if let Some(happening) = measure(&old.value, &new.value) {
            self.tell(new.kind, happening, &at, &old.side(), &new.side(), &new.key);
            // Who was admitted by a scheme is admitted still where everyone is.
            if new.kind == Kind::Public && happening == Happening::On {
                return;
            }
        }
        match (&old.link, &new.link) {
            (Some(Link::Envelope(was)), Some(Link::Envelope(is))) => {
                if let (Some(was), Some(is)) = (tree::envelope(self.old, was), tree::envelope(self.new, is)) {
                    self.pair(&was, &is, &at);
                }
            }
            (Some(Link::Named(was)), Some(Link::Named(is))) => self.named(was, is, &at),
            // A variant that is written in place now, or is a type of its own now.
            (Some(Link::Named(was)), None) => self.unfolded(was, true, new, &at),
            (None, Some(Link::Named(is))) => self.unfolded(is, false, old, &at),
            _ => {}
        }
        if matches!((&old.link, &new.link), (Some(Link::Named(_)), None) | (None, Some(Link::Named(_)))) {
            return;
        }
        self.children(old, new, &at);
    }

    fn children(&mut self, old: &Node, new: &Node, at: &Standing) {
        let index = |node: &Node| -> BTreeMap<(Kind, String), usize> {
            node.children.iter().enumerate().map(|(index, child)| ((child.kind, child.key.clone()), index)).collect()
        };
        let (were, are) = (index(old), index(new));
        for child in &old.children {
            match are.get(&(child.kind, child.key.clone())) {
                Some(&index) => self.pair(child, &new.children[index], at),
                None => {
                    let place = self.place_of_missing(child, old, new, self.new);
                    let side = Side { words: "nothing".to_owned(), place };
                    self.tell(child.kind, Happening::Gone, &at.step(child), &child.side(), &side, &child.key);
                }
            }
        }
        for child in new.children.iter().filter(|child| !were.contains_key(&(child.kind, child.key.clone()))) {
            let unknown = |(kind, key): &(Kind, String)| !were.contains_key(&(*kind, key.clone()));
            let forced =
                child.must || old.closed && child.kind.is_member() || child.with_sibling.as_ref().is_some_and(unknown);
            let happening = if forced { Happening::Forced } else { Happening::Come };
            let place = self.place_of_missing(child, new, old, self.old);
            let side = Side { words: "nothing".to_owned(), place };
            self.tell(child.kind, happening, &at.step(child), &side, &child.side(), &child.key);
        }
    }

    /// The place of a thing on the side that lacks it: that of its holder, or of the neighbour that both sides have.
    fn place_of_missing(&self, child: &Node, siblings: &Node, holder: &Node, spec: &Spec) -> Place {
        if child.absolute
            && let Some(group) = child.step.strip_prefix("groups.").and_then(|rest| rest.rsplit_once('.'))
            && let Some(entry) = spec.groups.get(group.0)
        {
            return entry.place;
        }
        if holder.kind != Kind::Root {
            return holder.place;
        }
        let same = |node: &&Node| node.kind == child.kind;
        let at =
            siblings.children.iter().position(|node| node.kind == child.kind && node.key == child.key).unwrap_or(0);
        let there = |node: &Node| holder.children.iter().filter(same).find(|other| other.key == node.key);
        let before = siblings.children[..at].iter().rev().filter(same).find_map(there);
        let after = || siblings.children[at..].iter().filter(same).find_map(there);
        before.or_else(after).map_or(holder.place, |node| node.place)
    }

    fn types(&mut self, (old, was): (&Node, &Base), (new, is): (&Node, &Base), at: &Standing) {
        match (was, is) {
            (Base::List(was), Base::List(is)) | (Base::Map(was), Base::Map(is)) => {
                self.types((old, was), (new, is), at);
            }
            (Base::Named(was), Base::Named(is)) if self.alike(was, is) => self.named(was, is, at),
            _ if was == is && !matches!(was, Base::Named(_)) => {}
            _ => {
                let Some(happening) = types((self.old, was), (self.new, is)) else { return };
                let constants = matches!((was, is), (Base::Const(_), Base::Const(_)));
                let kind = if constants { Kind::Const } else { Kind::Type };
                let side = |base: &Base, node: &Node| Side { words: in_words(base), place: node.place };
                self.tell(kind, happening, at, &side(was, old), &side(is, new), "");
            }
        }
    }

    /// True if two types are of the same shape.
    fn alike(&self, was: &str, is: &str) -> bool {
        match (shape(self.old, was), shape(self.new, is)) {
            (Some(was), Some(is)) => std::mem::discriminant(&was) == std::mem::discriminant(&is),
            _ => false,
        }
    }

    /// Compares two types of the same shape, once for each operation and direction.
    fn named(&mut self, was: &str, is: &str, at: &Standing) {
        if !self.seen.insert((was.to_owned(), is.to_owned(), at.direction)) {
            return;
        }
        let (Some(mut old), Some(mut new)) = (tree::shape(self.old, was), tree::shape(self.new, is)) else { return };
        if was != is && (self.new.types.contains_key(was) || self.old.types.contains_key(is)) {
            // Not another name of the same thing but another thing, whose differences are told as such.
            for node in [&mut old, &mut new] {
                node.children.retain(|child| !matches!(child.kind, Kind::TypeName | Kind::Name));
            }
        }
        self.pair(&old, &new, at);
    }

    /// Compares the fields of a type with fields written in place.
    fn unfolded(&mut self, name: &str, was_named: bool, inline: &Node, at: &Standing) {
        let spec = if was_named { self.old } else { self.new };
        let Some(mut shape) = tree::shape(spec, name) else { return };
        shape.children.retain(|child| child.kind == Kind::Field);
        if was_named { self.children(&shape, inline, at) } else { self.children(inline, &shape, at) }
    }

    fn tell(&mut self, kind: Kind, happening: Happening, at: &Standing, old: &Side, new: &Side, key: &str) {
        let Some(class) = class_of(kind, happening, at.direction) else { return };
        let through = at.operation.iter().cloned();
        let says = said(class, &at.subject, key, &old.words, &new.words);
        if let Some(&index) = self.told.get(&(class.id, at.subject.clone())) {
            let told = &mut self.found[index];
            told.through.extend(through);
            if !told.says.contains(&says) {
                // The least and the most of one thing, both of another value.
                told.says = format!("{}; {says}", told.says);
            }
            return;
        }
        self.told.insert((class.id, at.subject.clone()), self.found.len());
        self.found.push(Finding {
            class,
            subject: at.subject.clone(),
            says,
            old: Spot::of(self.old, old.place),
            new: Spot::of(self.new, new.place),
            through: through.collect::<BTreeSet<_>>(),
        });
    }
}

fn shape<'s>(spec: &'s Spec, name: &str) -> Option<Shape<'s>> {
    spec.types.get(name)?.shape()
}

/// The sentence of a class about one thing.
fn said(class: &Class, subject: &str, key: &str, old: &str, new: &str) -> String {
    let filled = class.says.replace("{subject}", subject).replace("{key}", key);
    filled.replace("{old}", old).replace("{new}", new)
}

/// Gives an operation that has another name and the same first route the name it has now.
fn rename(old: &mut Node, new: &Node) {
    let names = |node: &Node| -> BTreeMap<String, String> {
        let operations = node.children.iter().filter(|child| child.kind == Kind::Operation);
        operations.map(|child| (child.key.clone(), first_route(child))).collect()
    };
    let (were, are) = (names(old), names(new));
    for child in old.children.iter_mut().filter(|child| child.kind == Kind::Operation) {
        if are.contains_key(&child.key) {
            continue;
        }
        let route = first_route(child);
        let mut same = are.iter().filter(|(name, other)| **other == route && !were.contains_key(*name));
        if let Some((name, _)) = same.next() {
            child.key.clone_from(name);
        }
    }
}

fn first_route(operation: &Node) -> String {
    let path = operation.children.iter().find(|child| child.kind == Kind::RoutePath);
    let method = path.and_then(|path| path.children.first());
    format!("{} {}", method.map_or("", |method| &method.key), path.map_or("", |path| &path.key))
}

impl Standing {
    fn step(&self, node: &Node) -> Self {
        let subject = match (node.absolute, node.step.is_empty(), self.subject.is_empty()) {
            (true, ..) => node.step.clone(),
            (false, true, _) => self.subject.clone(),
            (false, false, true) => node.step.clone(),
            (false, false, false) => format!("{}.{}", self.subject, node.step),
        };
        let operation = if node.kind == Kind::Operation { Some(node.key.clone()) } else { self.operation.clone() };
        Self { subject, direction: node.direction.or(self.direction), operation }
    }
}

impl Node {
    fn side(&self) -> Side {
        let words = match &self.value {
            Value::Nothing => self.key.clone(),
            Value::Flag(on) => if *on { "true" } else { "false" }.to_owned(),
            Value::Word(word) => word.clone().unwrap_or_else(|| "nothing".to_owned()),
            Value::Room(room) => room.shown.clone(),
            Value::Set(words) => words.iter().map(|word| format!("{{{word}}}")).collect::<Vec<_>>().join(" "),
            Value::Order(keys) => keys.join(", "),
            Value::Type(base) => in_words(base),
        };
        Side { words, place: self.place }
    }
}
