//! The walk over two trees side by side: each change once, with all operations that it reaches.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{ChangePlace, SpecChange};
use super::class::{ChangeClass, class_of};
use super::measure::{in_words, measure, resolved, types};
use super::node::{DiffNode, FacetChange, FacetKind, FacetValue, NodeLink, WireDirection};
use super::tree;
use crate::map::{HashMap, HashSet};
use crate::model::{BaseType, DeclaredShape, SourceSpan, Spec};

/// The context of a node on the way down.
#[derive(Debug, Clone, Default)]
struct WalkPosition {
    subject: String,
    direction: Option<WireDirection>,
    operation: Option<String>,
}

/// One side of a difference, as words and as a place.
struct ChangeSide {
    words: String,
    place: SourceSpan,
}

pub(super) struct DiffWalk<'s> {
    old: &'s Spec,
    new: &'s Spec,
    found: Vec<SpecChange>,
    /// Findings by class and subject, so that each is reported once.
    told: HashMap<(&'static str, String), usize>,
    /// Pairs of types that were compared for the operation at hand.
    seen: HashSet<(String, String, Option<WireDirection>)>,
}

impl<'s> DiffWalk<'s> {
    pub(super) fn new(old: &'s Spec, new: &'s Spec) -> Self {
        Self { old, new, found: Vec::new(), told: HashMap::default(), seen: HashSet::default() }
    }

    pub(super) fn findings(mut self) -> Vec<SpecChange> {
        let (mut old, new) = (tree::root(self.old), tree::root(self.new));
        rename(&mut old, &new);
        self.children(&old, &new, &WalkPosition::default());
        self.found
    }

    fn pair(&mut self, old: &DiffNode, new: &DiffNode, above: &WalkPosition) {
        let at = above.step(new);
        if new.kind == FacetKind::Operation {
            self.seen.clear();
        }
        if let (FacetValue::Type(was), FacetValue::Type(is)) = (&old.value, &new.value) {
            let (was, is) = (resolved(self.old, was), resolved(self.new, is));
            self.types((old, &was), (new, &is), &at);
        } else if let Some(happening) = measure(&old.value, &new.value) {
            self.report(new.kind, happening, &at, &old.side(), &new.side(), &new.key);
            // Who was admitted by a scheme is admitted still where everyone is.
            if new.kind == FacetKind::Public && happening == FacetChange::On {
                return;
            }
        }
        match (&old.link, &new.link) {
            (Some(NodeLink::Envelope(was)), Some(NodeLink::Envelope(is))) => {
                if let (Some(was), Some(is)) = (tree::envelope(self.old, was), tree::envelope(self.new, is)) {
                    self.pair(&was, &is, &at);
                }
            }
            (Some(NodeLink::Named(was)), Some(NodeLink::Named(is))) => self.named(was, is, &at),
            // A variant that is written in place now, or is a type of its own now.
            (Some(NodeLink::Named(was)), None) => self.unfolded(was, true, new, &at),
            (None, Some(NodeLink::Named(is))) => self.unfolded(is, false, old, &at),
            _ => {}
        }
        if matches!((&old.link, &new.link), (Some(NodeLink::Named(_)), None) | (None, Some(NodeLink::Named(_)))) {
            return;
        }
        self.children(old, new, &at);
    }

    fn children(&mut self, old: &DiffNode, new: &DiffNode, at: &WalkPosition) {
        let index = |node: &DiffNode| -> BTreeMap<(FacetKind, String), usize> {
            node.children.iter().enumerate().map(|(index, child)| ((child.kind, child.key.clone()), index)).collect()
        };
        let (were, are) = (index(old), index(new));
        for child in &old.children {
            match are.get(&(child.kind, child.key.clone())) {
                Some(&index) => self.pair(child, &new.children[index], at),
                None => {
                    let place = self.place_of_missing(child, old, new, self.new);
                    let side = ChangeSide { words: "nothing".to_owned(), place };
                    self.report(child.kind, FacetChange::Gone, &at.step(child), &child.side(), &side, &child.key);
                }
            }
        }
        for child in new.children.iter().filter(|child| !were.contains_key(&(child.kind, child.key.clone()))) {
            let unknown = |(kind, key): &(FacetKind, String)| !were.contains_key(&(*kind, key.clone()));
            let forced =
                child.must || old.closed && child.kind.is_member() || child.with_sibling.as_ref().is_some_and(unknown);
            let happening = if forced { FacetChange::Forced } else { FacetChange::Come };
            let place = self.place_of_missing(child, new, old, self.old);
            let side = ChangeSide { words: "nothing".to_owned(), place };
            self.report(child.kind, happening, &at.step(child), &side, &child.side(), &child.key);
        }
    }

    /// The place of a thing on the side that lacks it: that of its holder, or of the neighbour that both sides have.
    fn place_of_missing(&self, child: &DiffNode, siblings: &DiffNode, holder: &DiffNode, spec: &Spec) -> SourceSpan {
        if child.absolute
            && let Some(group) = child.step.strip_prefix("groups.").and_then(|rest| rest.rsplit_once('.'))
            && let Some(entry) = spec.groups.get(group.0)
        {
            return entry.place;
        }
        if holder.kind != FacetKind::Root {
            return holder.place;
        }
        let same = |node: &&DiffNode| node.kind == child.kind;
        let at =
            siblings.children.iter().position(|node| node.kind == child.kind && node.key == child.key).unwrap_or(0);
        let there = |node: &DiffNode| holder.children.iter().filter(same).find(|other| other.key == node.key);
        let before = siblings.children[..at].iter().rev().filter(same).find_map(there);
        let after = || siblings.children[at..].iter().filter(same).find_map(there);
        before.or_else(after).map_or(holder.place, |node| node.place)
    }

    fn types(&mut self, (old, was): (&DiffNode, &BaseType), (new, is): (&DiffNode, &BaseType), at: &WalkPosition) {
        match (was, is) {
            (BaseType::List(was), BaseType::List(is))
            | (BaseType::TextOrList(was), BaseType::TextOrList(is))
            | (BaseType::Map(was), BaseType::Map(is)) => {
                self.types((old, was), (new, is), at);
            }
            (BaseType::Named(was), BaseType::Named(is)) if self.alike(was, is) => self.named(was, is, at),
            _ if was == is && !matches!(was, BaseType::Named(_)) => {}
            _ => {
                let Some(happening) = types((self.old, was), (self.new, is)) else { return };
                let constants = matches!((was, is), (BaseType::Const(_), BaseType::Const(_)));
                let kind = if constants { FacetKind::Const } else { FacetKind::Type };
                let side = |base: &BaseType, node: &DiffNode| ChangeSide { words: in_words(base), place: node.place };
                self.report(kind, happening, at, &side(was, old), &side(is, new), "");
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
    fn named(&mut self, was: &str, is: &str, at: &WalkPosition) {
        if !self.seen.insert((was.to_owned(), is.to_owned(), at.direction)) {
            return;
        }
        let (Some(mut old), Some(mut new)) = (tree::shape(self.old, was), tree::shape(self.new, is)) else { return };
        if was != is && (self.new.types.contains_key(was) || self.old.types.contains_key(is)) {
            // Not another name of the same thing but another thing, whose differences are told as such.
            for node in [&mut old, &mut new] {
                node.children.retain(|child| !matches!(child.kind, FacetKind::TypeName | FacetKind::Name));
            }
        }
        self.pair(&old, &new, at);
    }

    /// Compares the fields of a type with fields written in place.
    fn unfolded(&mut self, name: &str, was_named: bool, inline: &DiffNode, at: &WalkPosition) {
        let spec = if was_named { self.old } else { self.new };
        let Some(mut shape) = tree::shape(spec, name) else { return };
        shape.children.retain(|child| child.kind == FacetKind::Field);
        if was_named { self.children(&shape, inline, at) } else { self.children(inline, &shape, at) }
    }

    fn report(
        &mut self,
        kind: FacetKind,
        happening: FacetChange,
        at: &WalkPosition,
        old: &ChangeSide,
        new: &ChangeSide,
        key: &str,
    ) {
        let Some(class) = class_of(kind, happening, at.direction) else { return };
        let through = at.operation.iter().cloned();
        let says = sentence(class, &at.subject, key, &old.words, &new.words);
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
        self.found.push(SpecChange {
            class,
            subject: at.subject.clone(),
            says,
            old: ChangePlace::of(self.old, old.place),
            new: ChangePlace::of(self.new, new.place),
            through: through.collect::<BTreeSet<_>>(),
        });
    }
}

fn shape<'s>(spec: &'s Spec, name: &str) -> Option<DeclaredShape<'s>> {
    spec.types.get(name)?.shape()
}

/// The sentence of a class about one thing.
fn sentence(class: &ChangeClass, subject: &str, key: &str, old: &str, new: &str) -> String {
    let filled = class.says.replace("{subject}", subject).replace("{key}", key);
    filled.replace("{old}", old).replace("{new}", new)
}

/// Gives an operation that has another name and the same first route the name it has now.
fn rename(old: &mut DiffNode, new: &DiffNode) {
    let names = |node: &DiffNode| -> BTreeMap<String, String> {
        let operations = node.children.iter().filter(|child| child.kind == FacetKind::Operation);
        operations.map(|child| (child.key.clone(), first_route(child))).collect()
    };
    let (were, are) = (names(old), names(new));
    for child in old.children.iter_mut().filter(|child| child.kind == FacetKind::Operation) {
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

fn first_route(operation: &DiffNode) -> String {
    let path = operation.children.iter().find(|child| child.kind == FacetKind::RoutePath);
    let method = path.and_then(|path| path.children.first());
    format!("{} {}", method.map_or("", |method| &method.key), path.map_or("", |path| &path.key))
}

impl WalkPosition {
    fn step(&self, node: &DiffNode) -> Self {
        let subject = match (node.absolute, node.step.is_empty(), self.subject.is_empty()) {
            (true, ..) => node.step.clone(),
            (false, true, _) => self.subject.clone(),
            (false, false, true) => node.step.clone(),
            (false, false, false) => format!("{}.{}", self.subject, node.step),
        };
        let operation = if node.kind == FacetKind::Operation { Some(node.key.clone()) } else { self.operation.clone() };
        Self { subject, direction: node.direction.or(self.direction), operation }
    }
}

impl DiffNode {
    fn side(&self) -> ChangeSide {
        let words = match &self.value {
            FacetValue::Nothing => self.key.clone(),
            FacetValue::Flag(on) => if *on { "true" } else { "false" }.to_owned(),
            FacetValue::Word(word) => word.clone().unwrap_or_else(|| "nothing".to_owned()),
            FacetValue::Room(room) => room.shown.clone(),
            FacetValue::Set(words) => words.iter().map(|word| format!("{{{word}}}")).collect::<Vec<_>>().join(" "),
            FacetValue::Order(keys) => keys.join(", "),
            FacetValue::Type(base) => in_words(base),
        };
        ChangeSide { words, place: self.place }
    }
}
