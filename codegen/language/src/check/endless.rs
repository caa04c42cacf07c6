//! Types that contain themselves without end.

use super::context::Context;
use crate::{
    diagnostics::{Diagnostic, codes::types},
    map::{HashMap, HashSet},
    model::{Base, Fields, Place, Shape, Type, TypeExpr, Variant},
};

/// One type inside another: which, and where that is written.
type Inside<'a> = (&'a str, Place);

impl<'a> Context<'a> {
    /// Complains once about every circle of types in which no list or map stands between.
    pub(super) fn endless_types(&mut self) {
        let graph: HashMap<&str, Vec<Inside<'a>>> =
            self.spec.types.iter().map(|(name, entry)| (name.as_str(), self.contained(entry))).collect();
        let mut done: HashSet<&str> = HashSet::default();
        for start in self.spec.types.keys() {
            if !done.contains(start.as_str())
                && let Some(circle) = circle_from(start, &graph, &mut done)
            {
                self.circle(&circle);
            }
        }
    }

    /// The types that a value of this one holds directly, not in a list or map. `optional` does not help: a value that
    /// may be absent still needs its room.
    fn contained(&self, named: &'a Type) -> Vec<Inside<'a>> {
        let mut inside = Vec::new();
        match named.shape() {
            Some(Shape::Struct { fields, .. }) => self.direct(fields, &mut inside),
            Some(Shape::Newtype { is }) => inside.extend(self.direct_name(&is.value, is.place)),
            Some(Shape::Union { of, .. }) => {
                for variant in of.values() {
                    match &variant.value {
                        Variant::Named(word) => inside.extend(self.direct_name(&word.value, word.place)),
                        Variant::Inline(fields) => self.direct(fields, &mut inside),
                    }
                }
            }
            Some(Shape::Enum { .. }) | None => {}
        }
        inside
    }

    fn direct(&self, fields: &'a Fields, inside: &mut Vec<Inside<'a>>) {
        inside.extend(fields.values().filter_map(|field| self.direct_name(&field.ty.value, field.ty.place)));
    }

    fn direct_name(&self, text: &str, place: Place) -> Option<Inside<'a>> {
        let expr = TypeExpr::parse(text).ok()?;
        let Base::Named(name) = &expr.base else { return None };
        let (name, _) = self.spec.types.get_key_value(name)?;
        Some((name, place.part(text, expr.name.start, expr.name.end)))
    }

    fn circle(&mut self, circle: &[Inside<'a>]) {
        let Some((name, place)) = circle.last() else { return };
        let message = format!("a value of `{name}` would contain a value of `{name}`, without end");
        let mut complaint = Diagnostic::error(types::ENDLESS_TYPE, *place, message)
            .note("put `list of` or `map of` somewhere on the way");
        for (step, place) in &circle[..circle.len() - 1] {
            complaint = complaint.and(*place, format!("through `{step}`"));
        }
        self.complain(complaint);
    }
}

/// Follows what types contain from one of them, depth first and without recursion; the first circle met, as the steps
/// that lead round it.
fn circle_from<'a>(
    start: &'a str,
    graph: &HashMap<&'a str, Vec<Inside<'a>>>,
    done: &mut HashSet<&'a str>,
) -> Option<Vec<Inside<'a>>> {
    let mut path: Vec<(Inside<'a>, usize)> = vec![((start, Place::default()), 0)];
    let mut depth: HashMap<&str, usize> = HashMap::from_iter([(start, 0)]);
    let mut found = None;
    while let Some(((name, _), next)) = path.last_mut() {
        let Some(&step) = graph.get(name).and_then(|inside| inside.get(*next)) else {
            done.insert(name);
            depth.remove(name);
            path.pop();
            continue;
        };
        *next += 1;
        if let Some(from) = depth.get(step.0) {
            if found.is_none() {
                let round = path[from + 1..].iter().map(|(step, _)| *step);
                found = Some(round.chain([step]).collect());
            }
        } else if !done.contains(step.0) {
            depth.insert(step.0, path.len());
            path.push((step, 0));
        }
    }
    found
}
