//! The check of what examples send: declared parameters, and bodies that fit.

use super::{
    NamedOperation,
    fit::{ValueCompleteness, ValueMismatch},
};
use crate::{
    check::context::CheckContext,
    diagnostics::{Diagnostic, closest, codes::examples, codes::types},
    model::{
        DeclaredBody, DeclaredFields, EntryMap, Example, ExampleRequest, SourceSpan, SpannedJson, SpannedText,
        SpecEntry, SpecSection, TypeExpr,
    },
};

/// The header that operations with `idempotency_key` take beside their own.
const ONCE: &str = "idempotency-key";
/// The parameter of the query that operations with `csv` take beside their own.
const CSV: &str = "format";

impl<'a> CheckContext<'a> {
    pub(super) fn sent(&mut self, name: &str, example: &'a SpecEntry<Example>, operations: &[NamedOperation<'a>]) {
        let send = &example.send;
        self.no_repeats(types::WORD_TWICE, &send.without);
        for left_out in &send.without {
            self.left_out(left_out, operations);
        }
        if self.damage.is_hurt(SpecSection::Examples, name) || self.is_misfit(example) {
            return;
        }
        for (id, operation) in operations.iter().filter(|(id, _)| !self.damage.is_hurt(SpecSection::Operations, id)) {
            let once = operation.idempotency_key.as_ref().is_some_and(|once| once.value).then_some(ONCE);
            let csv = operation.csv.is_some().then_some(CSV);
            let whole = example.is_success();
            self.sent_parameters(id, "path", (&send.path, &operation.path), None, whole.then_some(example.place));
            self.sent_parameters(id, "query", (&send.query, &operation.query), csv, whole.then_some(example.place));
            self.sent_parameters(
                id,
                "header",
                (&send.headers, &operation.headers),
                once,
                whole.then_some(example.place),
            );
            self.sent_body(id, example, operation.body.as_ref().map(|body| &body.0));
        }
    }

    /// Checks that each entry of `without` is a header or a member of the body of some operation.
    fn left_out(&mut self, left_out: &'a SpannedText, operations: &[NamedOperation<'a>]) {
        let spec = self.spec;
        let mut known: Vec<&str> =
            spec.auth.values().filter_map(|scheme| Some(scheme.header.as_ref()?.value.as_str())).collect();
        for (name, operation) in operations {
            let body = operation.body.as_ref().map(|body| &body.0);
            let fields = body.and_then(|body| self.body_fields(body));
            if body.is_some() && fields.is_none() || self.damage.is_hurt(SpecSection::Operations, name) {
                return;
            }
            let headers = operation.headers.keys();
            known.extend(fields.into_iter().flat_map(|fields| fields.keys()).chain(headers).map(String::as_str));
        }
        let name = left_out.value.split('.').next().unwrap_or_default();
        if !operations.is_empty() && !known.contains(&name) {
            let message = format!("nothing is sent as `{name}`");
            let complaint = Diagnostic::error(examples::BAD_EXPECTATION, left_out.place, message);
            self.complain(complaint.suggest(closest(name, known)));
        }
    }

    /// The parameters in one place; where they are all that is sent, `whole` is the place of the example.
    fn sent_parameters(
        &mut self,
        operation: &str,
        what: &str,
        (sent, fields): (&'a EntryMap<SpannedJson>, &'a DeclaredFields),
        beside: Option<&str>,
        whole: Option<SourceSpan>,
    ) {
        for (name, entry) in sent {
            match fields.get(name) {
                Some(field) => {
                    let word = as_word(field, &entry.value);
                    let misfits = self.misfits_of(word.as_ref().unwrap_or(&entry.value), entry.place, field);
                    self.report_mismatches(misfits);
                }
                None if beside == Some(name.as_str()) => {}
                None => {
                    let message = format!("the operation `{operation}` has no {what} parameter `{name}`");
                    let meant = closest(name, fields.keys().map(String::as_str).chain(beside));
                    let complaint = Diagnostic::error(examples::BAD_PARAMETER, entry.place, message).suggest(meant);
                    self.complain_once(&format!("{what} {name}"), complaint);
                }
            }
        }
        let Some(place) = whole else { return };
        let due = fields.iter().filter(|(name, field)| {
            let optional = TypeExpr::parse(&field.ty.value).map_or(true, |expr| expr.optional);
            !optional && !sent.contains_key(*name)
        });
        let missing: Vec<String> = due.map(|(name, _)| format!("`{name}`")).collect();
        let misspelt = sent.keys().any(|name| !fields.contains_key(name));
        if !missing.is_empty() && !misspelt {
            let message = format!("`{operation}` cannot do without the {what} parameter {}", missing.join(", "));
            self.complain(Diagnostic::error(examples::BAD_PARAMETER, place, message));
        }
    }

    fn sent_body(&mut self, operation: &str, example: &'a SpecEntry<Example>, body: Option<&'a DeclaredBody>) {
        let ExampleRequest { body: sent, .. } = &example.send;
        let Some(ty) = body.and_then(json_type) else {
            if let Some(place) = sent.as_ref().map(|sent| sent.place).filter(|_| body.is_none()) {
                let message = format!("the operation `{operation}` takes no body");
                self.complain(Diagnostic::error(examples::DOES_NOT_FIT, place, message));
            }
            return;
        };
        match sent {
            Some(sent) => {
                let whole = if example.is_success() { ValueCompleteness::Yes } else { ValueCompleteness::No };
                let misfits = self.misfits(&sent.value, sent.place, ty, whole);
                self.report_mismatches(misfits);
            }
            None if example.is_success() => {
                let message = format!("`{operation}` cannot do without a body");
                self.complain(Diagnostic::error(examples::DOES_NOT_FIT, example.place, message));
            }
            None => {}
        }
    }

    pub(super) fn report_mismatches(&mut self, misfits: Vec<ValueMismatch>) {
        for ValueMismatch { place, message, suggestion } in misfits {
            // The same value may be of several operations.
            let what = format!("{}:{} {message}", place.file.0, place.start);
            self.complain_once(&what, Diagnostic::error(examples::DOES_NOT_FIT, place, message).suggest(suggestion));
        }
    }
}

/// The type of a body in JSON.
fn json_type(body: &DeclaredBody) -> Option<&SpannedText> {
    body.ty.as_ref().or(body.raw.as_ref())
}

/// A list of words in a query or header is one word with commas in it.
fn as_word(field: &crate::model::DeclaredField, value: &SpannedJson) -> Option<SpannedJson> {
    let SpannedJson::Word(text) = value else { return None };
    let list = TypeExpr::parse(&field.ty.value).is_ok_and(|expr| matches!(expr.base, crate::model::BaseType::List(_)));
    let item = |item: &str| {
        let value = SpannedJson::Word(SpannedText { value: item.to_owned(), place: text.place });
        crate::model::SpannedValue { value, place: text.place }
    };
    list.then(|| SpannedJson::List(text.value.split(',').map(item).collect()))
}
