//! The resolved spec: all sections, ready to be written out.

use serde::Serialize;

use super::{
    ResolvedEnvelope, ResolvedErrorCode, ResolvedErrorKind, ResolvedExample, ResolvedFact, ResolvedFixture,
    ResolvedGap, ResolvedLimit, ResolvedMachine, ResolvedOperation, ResolvedPathFamily, ResolvedProof, ResolvedRail,
    ResolvedRequestObject, ResolvedRole, ResolvedScheme, ResolvedTypeDef, ResolvedUntoldCodes, ResolvedWireName,
};
use crate::map::IndexMap;
use crate::model::RoleHolder;
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
    /// The headers that an operation reads because it is paid for, with their words, and that are not declared at it.
    pub fn paid_headers(&self, operation: &ResolvedOperation<'_>) -> impl Iterator<Item = (&'s str, &'s str)> {
        let is_paid = operation.proxy && operation.idempotency_key;
        let read = self.wire_names.iter().filter(move |(name, _)| is_paid && !operation.headers.contains_key(*name));
        let read = read.filter(|(_, wire)| wire.of_paid);
        read.filter_map(|(_, wire)| Some((*wire.accepts.first()?, wire.doc.unwrap_or_default())))
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
