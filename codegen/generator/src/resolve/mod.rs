//! The checked spec, resolved into what is generated from it: references looked up, groups expanded, aliases spelled out, envelopes
//! taken to pieces, Rust names settled, places turned into words.
//!
//! Pure: the same spec gives the same [`ResolvedSpec`], whatever the machine. Serialized, it is `spec/dist/resolved.json`,
//! so that a team can write a generator of its own without this crate; what only our Rust needs is left out there.
//!
//! Invariants: everything that is named here exists here; maps keep the order of the spec (files by path, entries as
//! written). A spec that passed the check can be resolved; what is refused on top of that is only what the routes of the server
//! cannot tell apart.

mod context;
mod csv;
mod envelopes;
mod errors;
mod examples;
mod facts;
mod fields;
mod limits;
mod machines;
mod names;
mod operations;
mod origin;
mod pages;
mod pieces;
mod reach;
mod requests;
mod route_clashes;
mod routes;
mod select;
mod spec;
#[cfg(test)]
mod tests;
mod types;

use self::context::ResolveContext;
pub use self::{
    context::ResolveError,
    csv::ResolvedCsv,
    envelopes::ResolvedEnvelope,
    errors::{ResolvedErrorCode, ResolvedErrorKind, ResolvedWireError},
    examples::{ResolvedExample, ResolvedExampleAnswer, ResolvedExampleRequest, ResolvedFixture, ResolvedUntoldCodes},
    facts::{ResolvedFact, ResolvedGap},
    fields::{ResolvedBounds, ResolvedField, ResolvedType},
    limits::{LimitValue, ResolvedLimit, ResolvedProof, ResolvedRail},
    machines::{ResolvedEffect, ResolvedGuard, ResolvedMachine, ResolvedMove, ResolvedRow},
    names::{ResolvedRole, ResolvedScheme, ResolvedTargetNames, ResolvedWireName},
    operations::{BodyForm, ResolvedBody, ResolvedDeprecation, ResolvedOperation, ResolvedStream},
    origin::ResolvedOrigin,
    pages::ResolvedPages,
    pieces::{AbsentText, EnvelopePiece, PlaceholderValue},
    requests::{ResolvedMemberClass, ResolvedRequestObject},
    routes::{ResolvedPathFamily, ResolvedRoute},
    select::{RequestCondition, ResolvedSelect, SelectVariant},
    spec::{ResolvedService, ResolvedSpec},
    types::{ResolvedEnumWord, ResolvedShape, ResolvedTypeDef, ResolvedVariant},
};
use crate::model::{RoleHolder, SpannedText, Spec};

/// Resolves a spec that passed the check.
///
/// # Errors
/// All refusals, in the order of the spec.
pub fn resolve(spec: &Spec) -> Result<ResolvedSpec<'_>, Vec<ResolveError>> {
    let mut cx = ResolveContext { spec, refusals: Vec::new() };
    let told = || {
        let types = types::resolve(&mut cx);
        let envelopes = envelopes::resolve(&mut cx);
        let errors = errors::resolve(&mut cx, &envelopes);
        let operations = operations::resolve(&mut cx, &types);
        (types, envelopes, errors, operations)
    };
    let ((types, envelopes, errors, mut operations), examples) = rayon::join(told, || examples::resolve(spec));
    examples::name_bases(&mut operations, &examples);
    route_clashes::refuse_clashes(&mut cx, &operations);
    let mut lowered = ResolvedSpec {
        service: service(spec),
        wire_names: names::wire_names(spec),
        auth: names::schemes(spec),
        roles: names::roles(spec, RoleHolder::Operator),
        member_roles: names::roles(spec, RoleHolder::Member),
        proofs: limits::proofs(spec),
        rails: limits::rails(spec),
        limits: limits::resolve(spec),
        request_objects: requests::resolve(spec),
        actors: spec.actors.iter().map(|(name, doc)| (name.as_str(), doc.as_str())).collect(),
        families: routes::families(spec),
        envelopes,
        kinds: errors::kinds(spec),
        errors,
        framework: errors::framework(spec),
        runtime_limits: limits::runtime(spec),
        runtime_headers: names::runtime_headers(spec),
        operations,
        types,
        machines: machines::resolve(spec),
        fixtures: examples::fixtures(spec),
        examples,
        untold: examples::untold(spec),
        facts: facts::facts(spec),
        gaps: facts::gaps(spec),
        groups: spec.groups.keys().map(String::as_str).collect(),
        guides: &spec.guides,
    };
    reach::mark(&mut lowered);
    if cx.refusals.is_empty() { Ok(lowered) } else { Err(cx.refusals) }
}

/// Path prefixes in every spelling.
fn prefixes(spec: &Spec, list: &[SpannedText]) -> Vec<String> {
    list.iter().flat_map(|prefix| routes::spellings(spec, &prefix.value)).collect()
}

fn service(spec: &Spec) -> ResolvedService<'_> {
    spec.service.as_ref().map_or_else(ResolvedService::default, |service| ResolvedService {
        name: &service.name.value,
        title: &service.title,
        doc: service.doc.as_deref(),
        license: service.license.as_deref(),
        tags: service.tags.iter().map(|(name, tag)| (name.as_str(), tag.value.as_str())).collect(),
        any_origin: prefixes(spec, &service.any_origin),
        operator_paths: prefixes(spec, &service.operator_paths),
    })
}
