//! Values that entries take from others where they do not say them themselves: an operation from the family of its route and from
//! `parameters`, an error code from its kind, a type from the types whose fields it shares. Filled in before anything looks at the
//! model, with the places of what was taken.

mod shared_fields;

use super::issues::CheckIssues;
use super::replies::DATA;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::examples::BAD_EXPECTATION;
use crate::diagnostics::codes::{errors::NO_STATUS, operations::SAID_NOWHERE};
use crate::model::{
    DeclaredFamily, DeclaredRoute, Example, OperationAuth, SourceSpan, SpannedJson, SpannedValue, Spec, SpecEntry,
    SpecSection,
};

/// Fills in what is taken from elsewhere, and complains about what is said nowhere.
pub(super) fn fill(spec: &mut Spec, issues: &mut CheckIssues) {
    shared_fields::fill(spec, issues);
    path_parameters(spec);
    from_families(spec, issues);
    from_kinds(spec, issues);
    whole_bodies(spec, issues);
}

/// Gives each operation the parameters of its path that it does not describe, in the order of the path.
fn path_parameters(spec: &mut Spec) {
    for operation in spec.operations.values_mut() {
        let operation = &mut operation.value;
        let Ok(route) = DeclaredRoute::parse(&operation.route.value) else { continue };
        for parameter in route.parameters() {
            if let (None, Some(shared)) = (operation.path.get(&parameter.name), spec.parameters.get(&parameter.name)) {
                operation.path.insert(parameter.name.clone(), shared.clone());
            }
        }
    }
}

/// Gives each operation the envelope and the callers of its family.
fn from_families(spec: &mut Spec, issues: &mut CheckIssues) {
    for (name, operation) in &mut spec.operations {
        let place = operation.place;
        let operation = &mut operation.value;
        let family = DeclaredRoute::parse(&operation.route.value)
            .ok()
            .and_then(|route| DeclaredFamily::of(&spec.families, &route));
        if operation.envelope.value.is_empty() {
            match family {
                Some(family) => operation.envelope.clone_from(&family.envelope),
                None => said_nowhere(issues, (name, place), "envelope"),
            }
        }
        if matches!(operation.auth, OperationAuth::Unsaid) {
            let callers = family.map(|family| &family.auth).filter(|auth| !matches!(auth, OperationAuth::Unsaid));
            match callers {
                Some(callers) => operation.auth.clone_from(callers),
                None => said_nowhere(issues, (name, place), "auth"),
            }
        }
    }
}

/// Gives each error code the status and the advice of its kind.
fn from_kinds(spec: &mut Spec, issues: &mut CheckIssues) {
    for (name, code) in &mut spec.errors {
        let place = code.place;
        let code = &mut code.value;
        let kind = spec.kinds.get(&code.kind.value);
        if code.retry.is_none() {
            code.retry = kind.and_then(|kind| kind.retry.clone());
        }
        if code.http.value == 0 {
            match (kind, kind.and_then(|kind| kind.http.as_ref())) {
                (_, Some(http)) => code.http.clone_from(http),
                (Some(kind), None) if !issues.damage.lacks(SpecSection::Errors, name, &["http"]) => {
                    let message = format!("`{name}` has no status, and neither has its kind");
                    issues.diagnostics.push(Diagnostic::error(NO_STATUS, place, message).and(kind.place, "the kind"));
                }
                // The kind that is not there is complained about where it is named.
                (_, None) => {}
            }
        }
    }
}

/// Makes the whole body of each answer that says its `data` alone: with the values that the envelope of its operation always has
/// beside them.
fn whole_bodies(spec: &mut Spec, issues: &mut CheckIssues) {
    let Spec { examples, operations, envelopes, .. } = spec;
    for example in examples.values_mut() {
        let Example { of, expect, .. } = &mut example.value;
        let Some(data) = expect.data.take() else { continue };
        let whole = expect.body.as_ref().or(expect.stream.as_ref().and_then(|events| events.first()));
        if let Some(whole) = whole {
            let complaint = Diagnostic::error(BAD_EXPECTATION, data.place, "an answer is said whole, or by its `data`");
            issues.diagnostics.push(complaint.and(whole.place, "the whole"));
            continue;
        }
        let operation = of.as_ref().and_then(|of| operations.get(&of.all().first()?.value));
        let envelope = operation.and_then(|operation| envelopes.get(&operation.envelope.value));
        let mut members = envelope.map(|envelope| envelope.reply_values.clone()).unwrap_or_default();
        let place = data.place;
        members.insert(DATA.to_owned(), SpecEntry { place, value: data.value });
        expect.body = Some(SpannedValue { place, value: SpannedJson::Mapping(members) });
    }
}

/// Complains about what neither an operation nor its family says.
fn said_nowhere(issues: &mut CheckIssues, (name, place): (&str, SourceSpan), key: &str) {
    if !issues.damage.lacks(SpecSection::Operations, name, &[key]) {
        let message = format!("operation `{name}` says no `{key}`, and neither does the family of its route");
        issues.diagnostics.push(Diagnostic::error(SAID_NOWHERE, place, message));
        issues.damage.miss(key);
    }
}
