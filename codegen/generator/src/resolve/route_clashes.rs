//! Routes that a router could not tell apart.

use std::collections::{BTreeMap, BTreeSet};

use super::context::ResolveContext;
use super::{ResolvedOperation, ResolvedRoute};
use crate::map::IndexMap;

/// Refuses routes of which a router could not say which is meant. Parameters have no names here, and a last parameter
/// gives way to a wildcard in its place; a parameter in the middle cannot.
pub(super) fn refuse_clashes(cx: &mut ResolveContext<'_>, operations: &IndexMap<&str, ResolvedOperation<'_>>) {
    let routed: Vec<(&str, &ResolvedRoute)> = operations
        .iter()
        .filter(|(_, operation)| !operation.planned)
        .flat_map(|(name, operation)| operation.routes.iter().map(|route| (*name, route)))
        .collect();
    let wildcards: BTreeSet<String> =
        routed.iter().filter(|(_, route)| route.takes_the_rest()).map(|(_, route)| erased(route.prefix())).collect();
    let mut same: BTreeMap<(&str, String, Option<&str>), &str> = BTreeMap::new();
    for (name, route) in &routed {
        let key = (route.method, erased(&route.path), route.suffix.as_deref());
        if let Some(other) = same.insert(key, name).filter(|other| other != name) {
            refuse(cx, name, &format!("`{}` is the route of `{other}` too", route.words()));
        }
        if let Some(prefix) = blocked(route, &wildcards) {
            let message = format!(
                "`{}` has a parameter in the middle where another operation takes the rest of the path after `{prefix}/`",
                route.words()
            );
            refuse(cx, name, &message);
        }
    }
}

fn refuse(cx: &mut ResolveContext<'_>, operation: &str, message: &str) {
    if let Some(entry) = cx.spec.operations.get(operation) {
        let place = entry.route.place;
        cx.refuse(place, message);
    }
}

/// The prefix after which a parameter that is not the last stands in the place of a wildcard.
fn blocked<'r>(route: &'r ResolvedRoute, wildcards: &BTreeSet<String>) -> Option<&'r str> {
    let starts = route.path.match_indices("/{").map(|(at, _)| at);
    let mut middle = starts.filter(|at| route.path[at + 1..].contains('/'));
    middle.find(|at| wildcards.contains(&erased(&route.path[..*at]))).map(|at| &route.path[..at])
}

/// A path without the names of its parameters; whether one takes the rest is of no matter to a clash.
fn erased(path: &str) -> String {
    path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment }).collect::<Vec<_>>().join("/")
}
