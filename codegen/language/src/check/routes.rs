//! Routes: their grammar, their parameters, and that no path fits two of them.

use super::{
    context::CheckContext,
    route_table::{PlacedRoute, RouteTree},
};
use crate::{
    diagnostics::{Diagnostic, closest, codes::operations},
    map::HashSet,
    model::{DeclaredOperation, DeclaredRoute, SpannedText, SpecSection},
};

impl<'a> CheckContext<'a> {
    /// Checks the routes of all operations.
    pub(super) fn routes(&mut self) {
        let mut table = RouteTree::default();
        for (name, operation) in &self.spec.operations {
            let texts = std::iter::once(&operation.route).chain(&operation.also);
            for text in texts {
                let Some(route) = self.route(text) else { continue };
                self.parameters(name, operation, text, &route);
                for (route, alias) in self.spellings(route) {
                    self.place_route(&mut table, &route, PlacedRoute { operation: name, place: text.place, alias });
                }
            }
        }
        // A prefix with two spellings shows the same pair twice.
        let mut said = HashSet::default();
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

    fn route(&mut self, text: &SpannedText) -> Option<DeclaredRoute> {
        match DeclaredRoute::parse(&text.value) {
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
    fn parameters(&mut self, name: &str, operation: &DeclaredOperation, text: &SpannedText, route: &DeclaredRoute) {
        let in_route: Vec<&str> = route.parameters().map(|parameter| parameter.name.as_str()).collect();
        let free: Vec<&str> = operation.path.keys().map(String::as_str).filter(|key| !in_route.contains(key)).collect();
        let mut meant = Vec::new();
        for (index, parameter) in route.parameters().enumerate() {
            if in_route[..index].contains(&parameter.name.as_str()) {
                let place = text.place.part(&text.value, parameter.range.start, parameter.range.end);
                let message = format!("the parameter `{}` is in the route twice", parameter.name);
                self.complain(Diagnostic::error(operations::BAD_ROUTE, place, message));
                continue;
            }
            if let Some(described) = operation.path.get(&parameter.name) {
                let shared = self.spec.parameters.get_key_value(&parameter.name);
                if let Some((name, _)) = shared.filter(|(_, shared)| shared.place == described.place) {
                    self.mark_used(SpecSection::Parameters, name);
                }
                continue;
            }
            // One left over on each side are the same, however they are called.
            let only = if let ([only], 1) = (free.as_slice(), in_route.len()) { Some(*only) } else { None };
            let suggestion = only.or_else(|| closest(&parameter.name, free.iter().copied()));
            let lost =
                self.damage.lost_name(&parameter.name) || self.damage.lacks(SpecSection::Operations, name, &["path"]);
            if suggestion.is_none() && lost {
                continue;
            }
            meant.extend(suggestion.map(str::to_owned));
            let place = text.place.part(&text.value, parameter.range.start, parameter.range.end);
            let message = format!("`path` does not describe the parameter `{}`", parameter.name);
            let complaint = Diagnostic::error(operations::PARAMETER_NOT_DESCRIBED, place, message);
            self.complain_once(&format!("{name}.{}", parameter.name), complaint.suggest(suggestion));
        }
        for (key, entry) in &operation.path {
            let lost = self.damage.lacks(SpecSection::Operations, name, &["route", "also"]);
            if !in_route.contains(&key.as_str()) && !meant.contains(key) && !lost {
                let message = format!("the route has no parameter `{key}`");
                let complaint = Diagnostic::error(operations::PARAMETER_NOT_IN_ROUTE, entry.place, message);
                self.complain(complaint.and(text.place, "this route"));
            }
        }
    }

    /// The route under every spelling of its prefix.
    fn spellings(&self, route: DeclaredRoute) -> Vec<(DeclaredRoute, bool)> {
        let mut all = Vec::new();
        let prefixes = self.spec.wire_names.iter().filter(|(key, _)| key.starts_with('/'));
        for (key, name) in prefixes {
            if !route.path.strip_prefix(key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                continue;
            }
            for accepted in name.accepts.iter().filter(|accepted| accepted.value != *key) {
                let path = format!("{}{}", accepted.value, &route.path[key.len()..]);
                all.extend(DeclaredRoute::parse(&format!("{} {path}", route.method.word())).map(|route| (route, true)));
            }
        }
        all.push((route, false));
        all
    }

    fn place_route(&mut self, table: &mut RouteTree<'a>, route: &DeclaredRoute, known: PlacedRoute<'a>) {
        let Some(first) = table.insert(route, known) else { return };
        let alias = if known.alias || first.alias { ", one of them by another name on the wire" } else { "" };
        let message = if known.operation == first.operation {
            format!("the operation `{}` has this route already{alias}", known.operation)
        } else {
            format!("the route of `{}` is that of `{}`{alias}", known.operation, first.operation)
        };
        self.complain(
            Diagnostic::error(operations::ROUTE_TWICE, known.place, message)
                .label("once the names of parameters are erased")
                .and(first.place, "the first one"),
        );
    }
}
