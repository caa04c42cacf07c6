//! Replies of which an operation says the `data` alone: the types of the whole, made before anything looks at the model.

use super::issues::CheckIssues;
use crate::diagnostics::codes::{operations, structure};
use crate::diagnostics::{Diagnostic, closest};
use crate::model::{
    BaseType, DeclaredData, DeclaredField, DeclaredOperation, DeclaredType, SourceSpan, SpannedText, Spec, SpecEntry,
    SpecSection, TypeExpr, WordOr,
};

/// The member of a reply that an operation says.
pub(super) const DATA: &str = "data";

/// Gives each operation that says its `data` the reply around it.
pub(super) fn write(spec: &mut Spec, issues: &mut CheckIssues) {
    let mut replies = Vec::new();
    for (name, operation) in &spec.operations {
        if let Some(data) = &operation.data {
            match reply(spec, (name, operation), data) {
                Ok(reply) => replies.push((name.clone(), reply)),
                Err(Some(complaint)) => issues.diagnostics.push(*complaint),
                // What is wrong with the envelope or the expression is said where they are checked.
                Err(None) => {}
            }
        }
    }
    for (operation, (name, entry)) in replies {
        if let Some(first) = spec.types.get(&name.value).filter(|first| !is_same(first, &entry)) {
            issues.diagnostics.push(twice(&name, first.place));
            continue;
        }
        spec.types.entry(name.value.clone()).or_insert(entry);
        if let Some(operation) = spec.operations.get_mut(&operation) {
            operation.value.ok = Some(name);
        }
    }
}

/// The type of a reply, and its name at the place that says its data; nothing where its parts are no sound ones.
fn reply(
    spec: &Spec,
    (operation_name, operation): (&str, &SpecEntry<DeclaredOperation>),
    data: &DeclaredData,
) -> Result<(SpannedText, SpecEntry<DeclaredType>), Option<Box<Diagnostic>>> {
    let place = data.ty.place;
    if let Some(ok) = &operation.ok {
        let message = "`ok` and `data` both say what the reply is";
        let complaint = Diagnostic::error(operations::NO_REPLY, place, message).and(ok.place, "the whole reply");
        return Err(Some(Box::new(complaint)));
    }
    let envelope = spec.envelopes.get(&operation.envelope.value).ok_or(None)?;
    if envelope.reply.is_empty() {
        let message = format!("the envelope `{}` has no `reply` around `data`", operation.envelope.value);
        let others = spec.envelopes.iter().filter(|(_, other)| !other.reply.is_empty());
        let complaint = Diagnostic::error(operations::NO_REPLY, operation.envelope.place, message);
        let meant = closest(&operation.envelope.value, others.map(|(name, _)| name.as_str()));
        return Err(Some(Box::new(complaint.and(place, "the data").suggest(meant))));
    }
    let expr = TypeExpr::parse(&data.ty.value).map_err(|_| None)?;
    let named = data.reply.as_ref().map(|name| name.value.clone()).or_else(|| derived(&expr.base));
    let Some(name) = named else {
        let message = format!("the reply around `{}` has no name", data.ty.value);
        let complaint = Diagnostic::error(operations::NO_REPLY, place, message);
        return Err(Some(Box::new(complaint.note("say one: `data: {type: …, in: …}`"))));
    };
    let doc = data.doc.clone().or_else(|| spec.types.get(expr.named()?)?.doc.clone());
    let field = DeclaredField { ty: data.ty.clone(), doc, ..DeclaredField::default() };
    let mut fields = envelope.reply.clone();
    fields.insert(DATA.to_owned(), SpecEntry { place, value: WordOr(field) });
    let value = DeclaredType {
        doc: Some(format!("Answer of `{operation_name}`.")),
        fields: Some(fields),
        from: operation.from.clone(),
        fact: operation.fact.clone(),
        ..DeclaredType::default()
    };
    let place = data.reply.as_ref().map_or(place, |name| name.place);
    Ok((SpannedText { value: name, place }, SpecEntry { place, value }))
}

/// `KeyReply` of `Key`, `KeyListReply` of `list of Key`.
fn derived(base: &BaseType) -> Option<String> {
    match base {
        BaseType::Named(name) => Some(format!("{name}Reply")),
        BaseType::List(inner) => match &**inner {
            BaseType::Named(name) => Some(format!("{name}ListReply")),
            _ => None,
        },
        _ => None,
    }
}

/// True if two replies of one name have the same members.
fn is_same(one: &DeclaredType, other: &DeclaredType) -> bool {
    let members = |entry: &DeclaredType| -> Vec<(String, String)> {
        let fields = entry.fields.iter().flatten();
        fields.map(|(name, field)| (name.clone(), field.ty.value.clone())).collect()
    };
    members(one) == members(other)
}

fn twice(name: &SpannedText, first: SourceSpan) -> Diagnostic {
    let message = format!("{} `{}` is defined in two places", SpecSection::Types.entry(), name.value);
    Diagnostic::error(structure::DEFINED_TWICE, name.place, message)
        .label("the reply around this data")
        .and(first, "the first one is here")
        .note("say `data: {type: …, in: …}` with another name")
}
