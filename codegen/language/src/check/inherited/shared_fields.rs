//! Fields that types have in common: `with` takes those of other types as they are, `partial_of` those of one type for changes to it.

use super::super::issues::CheckIssues;
use super::super::unused::{each_expression, each_inner_expression};
use crate::diagnostics::codes::{references, types};
use crate::diagnostics::{Diagnostic, closest};
use crate::map::HashSet;
use crate::model::{
    DeclaredField, DeclaredFields, DeclaredType, OneOrMore, SpannedText, Spec, SpecEntry, TypeExpr, WordOr,
};

/// Gives each type the fields that it shares, behind its own. A field that it has itself stays as it is.
pub(super) fn fill(spec: &mut Spec, issues: &mut CheckIssues) {
    let sharing = spec.types.iter().filter(|(_, named)| named.with.is_some() || named.partial_of.is_some());
    let names: Vec<String> = sharing.map(|(name, _)| name.clone()).collect();
    let mut open: HashSet<String> = names.iter().cloned().collect();
    for name in names {
        settle(spec, issues, &mut open, &name);
    }
    drop_groups(spec);
}

/// Takes out the types that are there for their fields to be shared alone: they are no types of the service.
fn drop_groups(spec: &mut Spec) {
    let taken = |named: &SpecEntry<DeclaredType>| {
        let with = named.with.as_ref().map(OneOrMore::all).unwrap_or_default();
        with.iter().chain(&named.partial_of).map(|source| source.value.clone()).collect::<Vec<_>>()
    };
    let mut groups: HashSet<String> = spec.types.values().flat_map(taken).collect();
    let mut keep = |text: &str| {
        if let Some(name) = TypeExpr::parse(text).ok().and_then(|expr| expr.named().map(str::to_owned)) {
            groups.remove(&name);
        }
    };
    spec.operations.values().for_each(|operation| each_expression(operation, &mut keep));
    spec.parameters.values().for_each(|parameter| keep(&parameter.ty.value));
    spec.types.values().for_each(|named| each_inner_expression(named, &mut |text| keep(text)));
    spec.types.retain(|name, _| !groups.contains(name));
}

/// Fills in one type, and those before it that it takes from.
fn settle(spec: &mut Spec, issues: &mut CheckIssues, open: &mut HashSet<String>, name: &str) {
    if !open.remove(name) {
        return;
    }
    let Some(named) = spec.types.get(name) else { return };
    let with = named.with.as_ref().map(|with| with.all().to_vec()).unwrap_or_default();
    let partial = named.partial_of.clone();
    let mut fields = named.fields.clone().unwrap_or_default();
    for (source, is_partial) in with.iter().map(|source| (source, false)).chain(partial.iter().map(|it| (it, true))) {
        settle(spec, issues, open, &source.value);
        let Some(shared) = shared(spec, issues, name, source) else { continue };
        for (name, field) in shared {
            let field = if is_partial { partial_field(field) } else { field.clone() };
            fields.entry(name.clone()).or_insert(field);
        }
    }
    if let Some(named) = spec.types.get_mut(name) {
        named.value.fields = Some(fields);
    }
}

/// The fields of a type that another takes from; nothing, with a complaint, where it has none to give.
fn shared<'s>(
    spec: &'s Spec,
    issues: &mut CheckIssues,
    name: &str,
    source: &SpannedText,
) -> Option<&'s DeclaredFields> {
    let found = spec.types.get(&source.value);
    let fields = found.and_then(|found| found.fields.as_ref());
    let complaint = match (found, fields) {
        _ if source.value == name => {
            Diagnostic::error(types::SHARED_FIELDS, source.place, "a type has its own fields anyway")
        }
        (Some(_), Some(fields)) => return Some(fields),
        (Some(found), None) => {
            let message = format!("`{}` has no fields to share", source.value);
            Diagnostic::error(types::SHARED_FIELDS, source.place, message).and(found.place, "it is no object")
        }
        (None, _) if issues.damage.lost_name(&source.value) => return None,
        (None, _) => {
            let message = format!("there is no type `{}`", source.value);
            let meant = closest(&source.value, spec.types.keys().map(String::as_str));
            Diagnostic::error(references::UNKNOWN_TYPE, source.place, message).suggest(meant)
        }
    };
    issues.diagnostics.push(complaint);
    None
}

/// A field in a change: it may be absent, which leaves it as it is, and where it was optional null takes it away.
fn partial_field(field: &SpecEntry<WordOr<DeclaredField>>) -> SpecEntry<WordOr<DeclaredField>> {
    let mut field = field.clone();
    let WordOr(declared) = &mut field.value;
    if let Ok(expr) = TypeExpr::parse(&declared.ty.value) {
        let text = &declared.ty.value;
        declared.ty.value = match (expr.optional, expr.nullable) {
            (true, false) => format!("{text} or null"),
            (true, true) => text.clone(),
            (false, _) => format!("optional {text}"),
        };
    }
    declared.default = None;
    field
}
