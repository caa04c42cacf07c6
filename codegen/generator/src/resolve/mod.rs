//! The checked spec, resolved into what is generated from it: references looked up, groups expanded, aliases spelled out, envelopes
//! taken to pieces, Rust names settled, places turned into words.
//!
//! Pure: the same spec gives the same [`ResolvedSpec`], whatever the machine. Serialized, it is `spec/dist/resolved.json`,
//! so that a team can write a generator of its own without this crate; what only our Rust needs is left out there.
//!
//! Invariants: everything that is named here exists here; maps keep the order of the spec (files by path, entries as
//! written). A spec that passed the check can be resolved; what is refused on top of that is only what the routes of the server
//! cannot tell apart.

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
mod routes;
mod select;
#[cfg(test)]
mod tests;
mod types;

use serde::Serialize;

pub use self::{
    csv::ResolvedCsv,
    envelopes::ResolvedEnvelope,
    errors::{REFUSALS, ResolvedErrorCode, ResolvedErrorKind, ResolvedWireError},
    examples::{ResolvedExample, ResolvedExampleAnswer, ResolvedExampleRequest, ResolvedFixture, ResolvedUntoldCodes},
    facts::{ResolvedFact, ResolvedGap},
    fields::{ResolvedBounds, ResolvedField, ResolvedType},
    limits::{LimitValue, ResolvedLimit, ResolvedProof, ResolvedRail},
    machines::{ResolvedEffect, ResolvedGuard, ResolvedMachine, ResolvedMove, ResolvedRow},
    names::{ResolvedScheme, ResolvedTargetNames, ResolvedWireName},
    operations::{BodyForm, ResolvedBody, ResolvedOperation, ResolvedStream},
    origin::ResolvedOrigin,
    pages::ResolvedPages,
    pieces::{AbsentText, EnvelopePiece, PlaceholderValue},
    requests::{ResolvedMemberClass, ResolvedRequestObject},
    routes::{ResolvedPathFamily, ResolvedRoute},
    select::{RequestCondition, ResolvedSelect, SelectVariant},
    types::{ResolvedEnumWord, ResolvedShape, ResolvedTypeDef, ResolvedVariant},
};
use crate::diagnostics::Diagnostic;
use crate::map::IndexMap;
use crate::model::{SourceSpan, Spec};

/// The whole spec, ready to be written out.
#[derive(Debug, Serialize)]
pub struct ResolvedSpec<'s> {
    /// Name, title and purpose.
    pub service: ResolvedService<'s>,
    /// Headers with several names on the wire, by their canonical name.
    pub wire_names: IndexMap<&'s str, ResolvedWireName<'s>>,
    /// Ways to say who is calling.
    pub auth: IndexMap<&'s str, ResolvedScheme<'s>>,
    /// Second authorizations.
    pub proofs: IndexMap<&'s str, ResolvedProof<'s>>,
    /// Ways to pay.
    pub rails: IndexMap<&'s str, ResolvedRail<'s>>,
    /// Bounds.
    pub limits: IndexMap<&'s str, ResolvedLimit<'s>>,
    /// Objects of model requests, member by member.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub request_objects: IndexMap<&'s str, ResolvedRequestObject<'s>>,
    /// Actors: who moves machines besides operations.
    pub actors: IndexMap<&'s str, &'s str>,
    /// Path prefixes and their envelopes where no operation matched, aliases included, longest first.
    pub families: Vec<ResolvedPathFamily<'s>>,
    /// Bodies of errors.
    pub envelopes: IndexMap<&'s str, ResolvedEnvelope<'s>>,
    /// Kinds of errors.
    pub kinds: IndexMap<&'s str, ResolvedErrorKind<'s>>,
    /// Error codes.
    pub errors: IndexMap<&'s str, ResolvedErrorCode<'s>>,
    /// The error code for each event that the server answers by itself.
    pub framework: IndexMap<&'s str, &'s str>,
    /// Operations.
    pub operations: IndexMap<&'s str, ResolvedOperation<'s>>,
    /// Types.
    pub types: IndexMap<&'s str, ResolvedTypeDef<'s>>,
    /// State machines.
    pub machines: IndexMap<&'s str, ResolvedMachine<'s>>,
    /// Things that may exist before a request of an example is sent.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fixtures: IndexMap<&'s str, ResolvedFixture<'s>>,
    /// Requests and their answers.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub examples: IndexMap<&'s str, ResolvedExample<'s>>,
    /// The reasons why some codes have no example.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub untold: IndexMap<&'s str, ResolvedUntoldCodes<'s>>,
    /// Decisions of the project.
    pub facts: IndexMap<&'s str, ResolvedFact<'s>>,
    /// The questions that the source leaves open.
    pub gaps: IndexMap<&'s str, ResolvedGap<'s>>,
}

/// The names of the service.
#[derive(Debug, Default, Serialize)]
pub struct ResolvedService<'s> {
    /// In code and packages.
    pub name: &'s str,
    /// For readers.
    pub title: &'s str,
    /// A paragraph on the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// Path prefixes below which pages of any origin may call, in every spelling.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any_origin: Vec<String>,
}

/// Something that passed the check and still cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveError {
    /// The place of the entry at fault.
    pub place: SourceSpan,
    /// The error in words, with what would be right.
    pub message: String,
}

impl From<ResolveError> for Diagnostic {
    fn from(ResolveError { place, message }: ResolveError) -> Self {
        Self::not_generated(place, message)
    }
}

/// The context in which one section is resolved: the spec, and the refusals so far.
pub(crate) struct ResolveContext<'s> {
    pub(crate) spec: &'s Spec,
    pub(crate) refusals: Vec<ResolveError>,
}

impl ResolveContext<'_> {
    pub(crate) fn refuse(&mut self, place: SourceSpan, message: impl Into<String>) {
        self.refusals.push(ResolveError { place, message: message.into() });
    }
}

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
    routes::refuse_clashes(&mut cx, &operations);
    let mut lowered = ResolvedSpec {
        service: service(spec),
        wire_names: names::wire_names(spec),
        auth: names::schemes(spec),
        proofs: limits::proofs(spec),
        rails: limits::rails(spec),
        limits: limits::resolve(spec),
        request_objects: requests::resolve(spec),
        actors: spec.actors.iter().map(|(name, doc)| (name.as_str(), doc.as_str())).collect(),
        families: routes::families(spec),
        envelopes,
        kinds: errors::kinds(spec),
        errors,
        framework: errors::framework(&mut cx),
        operations,
        types,
        machines: machines::resolve(spec),
        fixtures: examples::fixtures(spec),
        examples,
        untold: examples::untold(spec),
        facts: facts::facts(spec),
        gaps: facts::gaps(spec),
    };
    reach::mark(&mut lowered);
    if cx.refusals.is_empty() { Ok(lowered) } else { Err(cx.refusals) }
}

fn service(spec: &Spec) -> ResolvedService<'_> {
    spec.service.as_ref().map_or_else(ResolvedService::default, |service| ResolvedService {
        name: &service.name.value,
        title: &service.title,
        doc: service.doc.as_deref(),
        any_origin: service.any_origin.iter().flat_map(|prefix| routes::spellings(spec, &prefix.value)).collect(),
    })
}
