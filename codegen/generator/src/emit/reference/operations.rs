//! Operations, by group.

use super::examples::{ExampleText, ExampleTexts};
use super::types::{ReferenceRow, link, rows, rows_of, ty_link, type_link};
use crate::emit::text::{anchor, cell, decision, deprecation, list};
use crate::map::IndexMap;
use crate::model::SessionEffect;
use crate::resolve::{
    BodyForm, ResolvedBody, ResolvedOperation, ResolvedPages, ResolvedShape, ResolvedSpec, ResolvedType,
};

pub(super) struct ReferenceGroup {
    pub(super) name: String,
    pub(super) anchor: String,
    pub(super) operations: Vec<OperationText>,
}

pub(super) struct OperationText {
    pub(super) id: String,
    pub(super) heading: String,
    pub(super) anchor: String,
    pub(super) about: String,
    pub(super) facts: Vec<String>,
    pub(super) parameters: Vec<ReferenceRow>,
    pub(super) body: Vec<ReferenceRow>,
    pub(super) examples: Vec<ExampleText>,
    pub(super) refusals: Vec<String>,
}

pub(super) fn groups(lowered: &ResolvedSpec<'_>, examples: &ExampleTexts) -> Vec<ReferenceGroup> {
    let mut groups: IndexMap<&str, Vec<OperationText>> = IndexMap::default();
    for (id, operation) in &lowered.operations {
        let group = id.split('.').next().unwrap_or(id);
        groups.entry(group).or_default().push(text(id, operation, lowered, examples));
    }
    let group =
        |(name, operations): (&str, _)| ReferenceGroup { name: name.to_owned(), anchor: anchor(name), operations };
    groups.into_iter().map(group).collect()
}

/// The heading of an operation.
pub(super) fn heading(id: &str, operation: &ResolvedOperation<'_>) -> String {
    let route = operation.routes.first().map(crate::resolve::ResolvedRoute::words).unwrap_or_default();
    let planned = if operation.planned { " (planned)" } else { "" };
    format!("{id}: {route}{planned}")
}

fn text(
    id: &str,
    operation: &ResolvedOperation<'_>,
    lowered: &ResolvedSpec<'_>,
    examples: &ExampleTexts,
) -> OperationText {
    let heading = heading(id, operation);
    let parameters = [(&operation.path, "path"), (&operation.query, "query"), (&operation.headers, "header")];
    OperationText {
        id: id.to_owned(),
        anchor: anchor(&heading),
        heading,
        about: operation.doc.unwrap_or("Without words.").to_owned(),
        facts: facts(operation, lowered),
        parameters: parameters
            .into_iter()
            .flat_map(|(fields, place)| rows_of(fields, place))
            .chain(lowered.read_headers(operation).map(|header| header_row("header", header)))
            .chain(reply_headers(operation, lowered))
            .chain(lowered.added_headers(operation).map(|header| header_row("header of the answer", header)))
            .collect(),
        body: operation.body.as_ref().map(|body| body_rows(body, lowered)).unwrap_or_default(),
        examples: examples.of.get(id).cloned().unwrap_or_default(),
        refusals: examples.refusals.get(id).cloned().unwrap_or_default(),
    }
}

/// A header in the same table.
fn header_row(place: &'static str, (name, about): (&str, &str)) -> ReferenceRow {
    ReferenceRow { name: name.to_owned(), place, ty: "optional string".to_owned(), about: cell(about) }
}

/// The headers that the answer has beside its body, in the same table.
fn reply_headers<'o>(
    operation: &'o ResolvedOperation<'_>,
    lowered: &'o ResolvedSpec<'_>,
) -> impl Iterator<Item = ReferenceRow> + 'o {
    operation.reply_headers.iter().map(|name| {
        let about = lowered.wire_names.get(name).and_then(|name| name.doc).unwrap_or_default();
        header_row("header of the answer", (name, about))
    })
}

fn facts(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>) -> Vec<String> {
    let mut facts = Vec::new();
    let other: Vec<String> = operation.routes.iter().skip(1).map(|route| format!("`{}`", route.words())).collect();
    if !other.is_empty() {
        facts.push(format!("Also at: {}", other.join(", ")));
    }
    facts.extend(operation.deprecated.as_ref().map(|deprecated| {
        let successor = deprecated.successor.map(|successor| format!("`{successor}`"));
        format!("Deprecated {}", deprecation(deprecated.since, deprecated.until, successor))
    }));
    let public = operation.auth.is_empty();
    facts.push(if public {
        "Public: no key is asked for".to_owned()
    } else {
        format!("Key: {}", operation.auth.join(", "))
    });
    let held = [("Roles", &operation.roles), ("Members", &operation.members)].into_iter();
    let held = held.filter(|(_, names)| !names.is_empty());
    facts.extend(held.map(|(kind, names)| format!("{kind}: {}", names.join(", "))));
    facts.extend(operation.session.map(|session| match session {
        SessionEffect::Begins => {
            let of = operation.session_scheme.map(|scheme| format!(" of {scheme}")).unwrap_or_default();
            format!("Begins a session{of}: the answer sets its cookie. Pages of other origins are refused")
        }
        SessionEffect::Ends => "Ends the session: the answer takes its cookie away".to_owned(),
    }));
    facts.extend(operation.proof.map(|proof| format!("Proof: [{proof}](#{proof})")));
    facts.extend(operation.body.as_ref().map(body_words));
    facts.push(reply_words(operation));
    facts.extend(operation.pages.as_ref().map(page_words));
    facts.extend(operation.csv.as_ref().map(|csv| {
        format!(
            "As CSV with `format=csv`, or where `Accept` prefers `text/csv`: the rows of `{}`, in columns {}",
            csv.rows.join("."),
            csv.columns.iter().map(|column| format!("`{column}`")).collect::<Vec<_>>().join(", ")
        )
    }));
    facts.extend(operation.stream.as_ref().map(|stream| {
        let when = stream.when.map_or_else(|| "Always answers".to_owned(), |when| format!("With `{when}`: answers"));
        let ends: Vec<String> = stream.ends_with.iter().map(|end| format!("`{end}`")).collect();
        let end = if ends.is_empty() { String::new() } else { format!(", ended by {}", ends.join(" or ")) };
        let named = if stream.named { ", each with its type as its name" } else { "" };
        format!("{when} with a stream of {}{named}{end}", link(stream.event))
    }));
    facts.extend(operation.always_http.map(|http| format!("Every answer has HTTP status {http}, errors too")));
    facts.push(format!("Errors ({}): {}", operation.envelope, error_words(operation, lowered)));
    facts.extend(operation.errors_open.map(|why| format!("Expect further codes: {why}")));
    if !operation.limits.is_empty() {
        facts.push(format!("Limits: {}", operation.limits.join(", ")));
    }
    if operation.idempotency_key {
        facts.push("With the header `idempotency-key`, carried out once for each key of the account".to_owned());
    }
    if operation.conditional {
        facts.push(
            "With the header `if-none-match`, answered with 304 and without a body where `etag` is the same".to_owned(),
        );
    }
    if operation.idempotent {
        facts.push("Sending it twice does no more than once".to_owned());
    }
    let origin = [
        operation.origin.from.map(str::to_owned),
        operation.origin.fact.map(|fact| format!("decided: {}", decision(fact))),
    ];
    facts.push(format!("From: {}", list(origin.into_iter().flatten())));
    facts
}

fn page_words(pages: &ResolvedPages<'_>) -> String {
    let end = match &pages.more {
        Some(more) => format!("while `{}` is true", more.join(".")),
        None => "while it is there".to_owned(),
    };
    format!(
        "Pages of `{}`: `{}` is the `{}` of the next one {end}",
        pages.items.join("."),
        pages.next.join("."),
        pages.by
    )
}

fn body_words(body: &ResolvedBody<'_>) -> String {
    let form = match &body.form {
        BodyForm::Json(ty) => format!("JSON, {}", ty_link(ty)),
        BodyForm::Raw(ty) => format!("{}, as it came", ty_link(ty)),
        BodyForm::Passed { ty, .. } => format!("JSON, {}, handed on as it came", link(ty)),
        BodyForm::PassedParts { .. } => "a form of parts, handed on as it came".to_owned(),
        BodyForm::Parts => "a form of parts".to_owned(),
    };
    let multipart = body.multipart.map(|ty| format!("; or multipart/form-data, {}", link(ty))).unwrap_or_default();
    let limit = body.limit.map(|limit| format!("; at most {limit}")).unwrap_or_default();
    format!("Body: {form}{multipart}{limit}")
}

fn reply_words(operation: &ResolvedOperation<'_>) -> String {
    match (&operation.select, &operation.ok) {
        (Some(select), _) => {
            let branches = select.branches.iter().map(|branch| {
                let mut when: Vec<String> = branch.has.iter().map(|word| format!("`{word}`")).collect();
                let any: Vec<String> = branch.has_any.iter().map(|word| format!("`{word}`")).collect();
                when.extend((!any.is_empty()).then(|| any.join(" or ")));
                let when =
                    if when.is_empty() { "otherwise".to_owned() } else { format!("with {}", when.join(" and ")) };
                format!("{when} {} (errors: {})", link(branch.ok), branch.envelope)
            });
            format!("Reply, the first that fits: {}", list(branches))
        }
        (None, Some(ok)) => format!("Reply: {}", type_link(ok)),
        (None, None) => "Reply: without a body of a known shape".to_owned(),
    }
}

fn error_words(operation: &ResolvedOperation<'_>, lowered: &ResolvedSpec<'_>) -> String {
    let words = operation.errors.iter().map(|code| {
        let info = lowered.errors.get(code);
        let http = info.and_then(|info| info.faces.get(operation.envelope)).map(|face| face.http);
        let also = info.filter(|_| operation.always_http.is_none()).map(|info| info.http_also.as_slice());
        let also: String = also.unwrap_or_default().iter().map(|status| format!("/{status}")).collect();
        let http = operation.always_http.or(http).unwrap_or_default();
        format!("[{code}](#{}) {http}{also}", code.to_lowercase())
    });
    list(words)
}

fn body_rows(body: &ResolvedBody<'_>, lowered: &ResolvedSpec<'_>) -> Vec<ReferenceRow> {
    let name = match &body.form {
        BodyForm::Json(ResolvedType::Ref(name)) | BodyForm::Raw(ResolvedType::Ref(name)) => Some(name.as_str()),
        BodyForm::Passed { ty, .. } => Some(*ty),
        BodyForm::Json(_) | BodyForm::Raw(_) | BodyForm::PassedParts { .. } | BodyForm::Parts => body.multipart,
    };
    match name.and_then(|name| lowered.types.get(name)).map(|def| &def.shape) {
        Some(ResolvedShape::Struct { fields, .. }) => rows(fields),
        _ => Vec::new(),
    }
}
