//! The resolved spec: all sections, ready to be written out.

use serde::Serialize;

use super::{
    ResolvedEnvelope, ResolvedErrorCode, ResolvedErrorKind, ResolvedExample, ResolvedFact, ResolvedFixture,
    ResolvedGap, ResolvedLimit, ResolvedMachine, ResolvedOperation, ResolvedPathFamily, ResolvedProof, ResolvedRail,
    ResolvedRequestObject, ResolvedRole, ResolvedScheme, ResolvedTypeDef, ResolvedUntoldCodes, ResolvedWireName,
};
use crate::map::IndexMap;
use crate::model::{FIRST_REQUEST_ID, REPLAYED, RoleHolder, TAGS};
use crate::parse::GuideText;

/// The whole spec, ready to be written out.
#[derive(Debug, Serialize)]
pub struct ResolvedSpec<'s> {
    /// Name, title and purpose.
    pub service: ResolvedService<'s>,
    /// Headers with several names on the wire, by their canonical name.
    pub wire_names: IndexMap<&'s str, ResolvedWireName<'s>>,
    /// Ways to say who is calling.
    pub auth: IndexMap<&'s str, ResolvedScheme<'s>>,
    /// Roles of operators.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub roles: IndexMap<&'s str, ResolvedRole<'s>>,
    /// Roles of members of organisations.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub member_roles: IndexMap<&'s str, ResolvedRole<'s>>,
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
    /// The limit for each bound that the server keeps by itself.
    pub runtime_limits: IndexMap<&'s str, &'s str>,
    /// The name of each header that the runtime reads or sends by itself.
    pub runtime_headers: IndexMap<&'s str, &'s str>,
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
    /// The names of groups of error codes, which operations have spelled out.
    #[serde(skip)]
    pub groups: Vec<&'s str>,
    /// The guides, which are for people alone.
    #[serde(skip)]
    pub guides: &'s [GuideText],
}

impl<'s> ResolvedSpec<'s> {
    /// The headers that the runtime reads for an operation, with their words, and that are not declared at it.
    pub fn read_headers(&self, operation: &ResolvedOperation<'_>) -> impl Iterator<Item = (&'s str, &'s str)> {
        let tags = Some(TAGS).filter(|_| operation.proxy && operation.idempotency_key);
        let is_declared =
            |key: &&str| self.runtime_headers.get(*key).is_some_and(|header| operation.headers.contains_key(header));
        tags.filter(|key| !is_declared(key)).and_then(|key| self.runtime_header(key)).into_iter()
    }

    /// The headers that the runtime adds to answers of an operation, with their words.
    pub fn added_headers(&self, operation: &ResolvedOperation<'_>) -> impl Iterator<Item = (&'s str, &'s str)> {
        let again = operation.idempotency_key.then_some([REPLAYED, FIRST_REQUEST_ID]);
        again.into_iter().flatten().filter_map(|key| self.runtime_header(key))
    }

    /// The header of the runtime by its key: the name that it is sent by, and its words.
    #[must_use]
    pub fn runtime_header(&self, key: &str) -> Option<(&'s str, &'s str)> {
        let wire = self.wire_names.get(self.runtime_headers.get(key)?)?;
        Some((*wire.accepts.first()?, wire.doc.unwrap_or_default().trim_end()))
    }

    /// The roles that such callers can have.
    #[must_use]
    pub const fn roles_for(&self, holder: RoleHolder) -> &IndexMap<&'s str, ResolvedRole<'s>> {
        match holder {
            RoleHolder::Operator => &self.roles,
            RoleHolder::Member => &self.member_roles,
        }
    }
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
    /// The licence, as an SPDX expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<&'s str>,
    /// The purpose of each group of operations, by the first word of their ids.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub tags: IndexMap<&'s str, &'s str>,
    /// Path prefixes below which pages of any origin may call, in every spelling.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any_origin: Vec<String>,
    /// Path prefixes below which the operations of operators are, in every spelling.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operator_paths: Vec<String>,
}
