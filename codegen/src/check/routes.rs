//! Routes: their grammar, their parameters, and that no path fits two of them.

use std::collections::{HashMap, HashSet};

use super::context::Context;
use crate::{
    diagnostics::{Diagnostic, closest, codes::operations},
    model::{Method, Operation, Place, Route, Section, Segment, Text},
};

impl<'a> Context<'a> {
    /// Checks the routes of all operations.
    pub(super) fn routes(&mut self) {
        let mut table = Table::default();
        for (name, operation) in &self.spec.operations {
            let texts = std::iter::once(&operation.route).chain(&operation.also);
            for text in texts {
                let Some(route) = self.route(text) else { continue };
                self.parameters(name, operation, text, &route);
                for (route, alias) in self.spellings(route) {
                    self.place_route(&mut table, &route, Known { operation: name, place: text.place, alias });
                }
            }
        }
        // A prefix with two spellings shows the same pair twice.
        let mut said = HashSet::new();
        for (one, other) in table.overlaps() {
            if !said.insert((one.place, other.place)) {
                continue;
            }
            let message = format!(
                "some path fits this route and that of `{}`, and neither is the more exact one",
                other.operation
            );
            self.complain(
                Diagnostic::error(operations::ROUTES_OVERLAP, one.place, message).and(other.place, "the other route"),
            );
        }
    }

    fn route(&mut self, text: &Text) -> Option<Route> {
        match Route::parse(&text.value) {
            Ok(route) => Some(route),
            Err(error) => {
                let place = text.place.part(&text.value, error.range.start, error.range.end);
                let word = text.value.get(error.range.clone()).unwrap_or_default();
                let meant = closest(word, error.candidates.iter().copied());
                self.complain(Diagnostic::error(operations::BAD_ROUTE, place, error.message).suggest(meant));
                None
            }
        }
    }

    /// The parameters in the route and the entries of `path` are the same.
    fn parameters(&mut self, name: &str, operation: &Operation, text: &Text, route: &Route) {
        let in_route: Vec<&str> = route.parameters().map(|parameter| parameter.name.as_str()).collect();
        let free: Vec<&str> = operation.path.keys().map(String::as_str).filter(|key| !in_route.contains(key)).collect();
        let mut meant = Vec::new();
        for parameter in route.parameters() {
            if operation.path.contains_key(&parameter.name) {
                continue;
            }
            // One left over on each side are the same, however they are called.
            let only = if let ([only], 1) = (free.as_slice(), in_route.len()) { Some(*only) } else { None };
            let suggestion = only.or_else(|| closest(&parameter.name, free.iter().copied()));
            let lost =
                self.damage.lost_name(&parameter.name) || self.damage.lacks(Section::Operations, name, &["path"]);
            if suggestion.is_none() && lost {
                continue;
            }
            meant.extend(suggestion.map(str::to_owned));
            let place = text.place.part(&text.value, parameter.range.start, parameter.range.end);
            let message = format!("`path` does not describe the parameter `{}`", parameter.name);
            self.complain(Diagnostic::error(operations::PARAMETER_NOT_DESCRIBED, place, message).suggest(suggestion));
        }
        for (key, entry) in &operation.path {
            let lost = self.damage.lacks(Section::Operations, name, &["route", "also"]);
            if !in_route.contains(&key.as_str()) && !meant.contains(key) && !lost {
                let message = format!("the route has no parameter `{key}`");
                let complaint = Diagnostic::error(operations::PARAMETER_NOT_IN_ROUTE, entry.place, message);
                self.complain(complaint.and(text.place, "this route"));
            }
        }
    }

    /// The route under every spelling of its prefix.
    fn spellings(&self, route: Route) -> Vec<(Route, bool)> {
        let mut all = Vec::new();
        let prefixes = self.spec.wire_names.iter().filter(|(key, _)| key.starts_with('/'));
        for (key, name) in prefixes {
            if !route.path.strip_prefix(key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                continue;
            }
            for accepted in name.accepts.iter().filter(|accepted| accepted.value != *key) {
                let path = format!("{}{}", accepted.value, &route.path[key.len()..]);
                all.extend(Route::parse(&format!("{} {path}", route.method.word())).map(|route| (route, true)));
            }
        }
        all.push((route, false));
        all
    }

    fn place_route(&mut self, table: &mut Table<'a>, route: &Route, known: Known<'a>) {
        let Some(first) = table.insert(route, known) else { return };
        let alias = if known.alias || first.alias { ", one of them by another name on the wire" } else { "" };
        let message = format!("the route of `{}` is that of `{}`{alias}", known.operation, first.operation);
        self.complain(
            Diagnostic::error(operations::ROUTE_TWICE, known.place, message)
                .label("once the names of parameters are erased")
                .and(first.place, "the first one"),
        );
    }
}

/// A route that was placed.
#[derive(Clone, Copy)]
struct Known<'a> {
    operation: &'a str,
    place: Place,
    alias: bool,
}

/// All routes, by method and then piece by piece.
#[derive(Default)]
struct Table<'a> {
    roots: HashMap<Method, usize>,
    nodes: Vec<Branch<'a>>,
}

/// What may follow after some pieces of a path.
#[derive(Default)]
struct Branch<'a> {
    words: HashMap<String, usize>,
    parameter: Option<usize>,
    /// By verb: `{name}:verb`.
    verbs: HashMap<String, Known<'a>>,
    end: Option<Known<'a>>,
}

impl<'a> Table<'a> {
    /// Places a route; gives the one that is there already.
    fn insert(&mut self, route: &Route, known: Known<'a>) -> Option<Known<'a>> {
        let mut at = match self.roots.get(&route.method) {
            Some(root) => *root,
            None => {
                let root = self.grow();
                self.roots.insert(route.method, root);
                root
            }
        };
        for segment in &route.segments {
            at = match segment {
                Segment::Literal(word) => match self.nodes[at].words.get(word) {
                    Some(next) => *next,
                    None => {
                        let next = self.grow();
                        self.nodes[at].words.insert(word.clone(), next);
                        next
                    }
                },
                // A last parameter and the rest of the path begin in the same place, and routers cannot tell them apart.
                Segment::Parameter(_) | Segment::Rest(_) => match self.nodes[at].parameter {
                    Some(next) => next,
                    None => {
                        let next = self.grow();
                        self.nodes[at].parameter = Some(next);
                        next
                    }
                },
                Segment::ParameterVerb(_, verb) => {
                    let first = self.nodes[at].verbs.get(verb).copied();
                    self.nodes[at].verbs.entry(verb.clone()).or_insert(known);
                    return first;
                }
            };
        }
        let first = self.nodes[at].end;
        self.nodes[at].end.get_or_insert(known);
        first
    }

    fn grow(&mut self) -> usize {
        self.nodes.push(Branch::default());
        self.nodes.len() - 1
    }

    /// Pairs of routes that some path fits both of, where neither is the more exact one.
    fn overlaps(&self) -> Vec<(Known<'a>, Known<'a>)> {
        let mut found = Vec::new();
        for root in self.roots.values() {
            // Pairs of branches that the same pieces lead to: whether one had a word where the other had a parameter,
            // and the other way round. A branch beside itself only forks, it is not a pair yet.
            let mut open = vec![(*root, *root, false, false)];
            while let Some((one, other, one_exact, other_exact)) = open.pop() {
                let (left, right) = (&self.nodes[one], &self.nodes[other]);
                if one_exact && other_exact {
                    found.extend(left.end.zip(right.end));
                }
                for (word, next) in &left.words {
                    if let Some(same) = right.words.get(word) {
                        open.push((*next, *same, one_exact, other_exact));
                    }
                    if let Some(parameter) = right.parameter {
                        open.push((*next, parameter, true, other_exact));
                    }
                }
                if let Some(parameter) = left.parameter {
                    if let Some(same) = right.parameter {
                        open.push((parameter, same, one_exact, other_exact));
                    }
                    // From a branch beside itself the mirrored pair says nothing new.
                    if one != other {
                        open.extend(right.words.values().map(|next| (parameter, *next, one_exact, true)));
                    }
                }
            }
        }
        found
    }
}
