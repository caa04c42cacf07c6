//! Types that contain themselves without end.

use super::{context::CheckContext, expressions::ALIASES_MAX};
use crate::{
    diagnostics::{Diagnostic, codes::types},
    map::{HashMap, HashSet},
    model::{
        BaseType, DeclaredFields, DeclaredShape, DeclaredType, DeclaredVariant, SourceSpan, SpannedText, TypeExpr,
    },
};

/// One type inside another: which, and where that is written.
type ContainedType<'a> = (&'a str, SourceSpan);

impl<'a> CheckContext<'a> {
    /// Complains once about every circle of types in which no list or map stands between.
    pub(super) fn recursive_types(&mut self) {
        let graph: HashMap<&str, Vec<ContainedType<'a>>> =
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

    /// Complains about a type that is another one, and so on, in too many steps.
    pub(super) fn long_chain(&mut self, name: &str, is: &SpannedText) {
        let mut chain = self.aliases(name).skip(ALIASES_MAX);
        let beyond = chain.next().map(|(_, expr)| expr.base);
        drop(chain);
        // One step more and a circle are said elsewhere.
        let last = matches!(&beyond, Some(BaseType::Named(next)) if self.aliases(next).next().is_none());
        if last || beyond.is_some_and(|base| !matches!(base, BaseType::Named(_))) {
            let message = format!("`{name}` is another type, and so on, in more than {ALIASES_MAX} steps");
            self.complain(Diagnostic::error(types::ENDLESS_TYPE, is.place, message));
        }
    }

    /// The types that a value of this one holds directly, not in a list or map. `optional` does not help: a value that
    /// may be absent still needs its room.
    fn contained(&self, named: &'a DeclaredType) -> Vec<ContainedType<'a>> {
        let mut inside = Vec::new();
        match named.shape() {
            Some(DeclaredShape::Struct { fields, .. }) => self.direct(fields, &mut inside),
            Some(DeclaredShape::Newtype { is }) => inside.extend(self.direct_name(&is.value, is.place)),
            Some(DeclaredShape::Union { of, .. }) => {
                for variant in of.values() {
                    match &variant.value {
                        DeclaredVariant::Named(word) => inside.extend(self.direct_name(&word.value, word.place)),
                        DeclaredVariant::Inline(fields) => self.direct(fields, &mut inside),
                    }
                }
            }
            Some(DeclaredShape::Enum { .. }) | None => {}
        }
        inside
    }

    fn direct(&self, fields: &'a DeclaredFields, inside: &mut Vec<ContainedType<'a>>) {
        inside.extend(fields.values().filter_map(|field| self.direct_name(&field.ty.value, field.ty.place)));
    }

    fn direct_name(&self, text: &str, place: SourceSpan) -> Option<ContainedType<'a>> {
        let expr = TypeExpr::parse(text).ok()?;
        let BaseType::Named(name) = &expr.base else { return None };
        let (name, _) = self.spec.types.get_key_value(name)?;
        Some((name, place.part(text, expr.name.start, expr.name.end)))
    }

    fn circle(&mut self, circle: &[ContainedType<'a>]) {
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
    graph: &HashMap<&'a str, Vec<ContainedType<'a>>>,
    done: &mut HashSet<&'a str>,
) -> Option<Vec<ContainedType<'a>>> {
    let mut path: Vec<(ContainedType<'a>, usize)> = vec![((start, SourceSpan::default()), 0)];
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
