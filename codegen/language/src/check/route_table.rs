//! All routes in one tree, so that those that some path fits both of are found without comparing every pair.

use crate::map::HashMap;
use crate::model::{DeclaredRoute, PathSegment, RouteMethod, SourceSpan};

/// A route that was placed.
#[derive(Clone, Copy)]
pub(super) struct PlacedRoute<'a> {
    pub(super) operation: &'a str,
    pub(super) place: SourceSpan,
    pub(super) alias: bool,
}

/// All routes, by method and then piece by piece.
#[derive(Default)]
pub(super) struct RouteTree<'a> {
    roots: HashMap<RouteMethod, usize>,
    nodes: Vec<RouteTreeNode<'a>>,
}

/// The continuations of a path after some pieces.
#[derive(Default)]
struct RouteTreeNode<'a> {
    words: HashMap<String, usize>,
    parameter: Option<usize>,
    /// By verb: `{name}:verb`.
    verbs: HashMap<String, PlacedRoute<'a>>,
    end: Option<PlacedRoute<'a>>,
}

impl<'a> RouteTree<'a> {
    /// Places a route; gives the one that is there already.
    pub(super) fn insert(&mut self, route: &DeclaredRoute, known: PlacedRoute<'a>) -> Option<PlacedRoute<'a>> {
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
                PathSegment::Literal(word) => match self.nodes[at].words.get(word) {
                    Some(next) => *next,
                    None => {
                        let next = self.grow();
                        self.nodes[at].words.insert(word.clone(), next);
                        next
                    }
                },
                // A last parameter and the rest of the path begin in the same place, and routers cannot tell them apart.
                PathSegment::Parameter(_) | PathSegment::Rest(_) => match self.nodes[at].parameter {
                    Some(next) => next,
                    None => {
                        let next = self.grow();
                        self.nodes[at].parameter = Some(next);
                        next
                    }
                },
                PathSegment::ParameterVerb(_, verb) => {
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
        self.nodes.push(RouteTreeNode::default());
        self.nodes.len() - 1
    }

    /// Pairs of routes that some path fits both of, where neither is the more exact one.
    pub(super) fn overlaps(&self) -> Vec<(PlacedRoute<'a>, PlacedRoute<'a>)> {
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
