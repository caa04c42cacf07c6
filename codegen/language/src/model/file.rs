//! One file and all files: the sections.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::json;

use super::framework::{framework_schema, runtime_headers_schema, runtime_limits_schema};
use super::section::SINCE;
use super::{
    AuthScheme, DeclaredEnvelope, DeclaredErrorCode, DeclaredFamily, DeclaredFields, DeclaredKind, DeclaredLimit,
    DeclaredMachine, DeclaredOperation, DeclaredProof, DeclaredRail, DeclaredRequestObject, DeclaredRole,
    DeclaredService, DeclaredType, DeclaredWireName, EntryMap, Example, Fact, Fixture, SourceDocument, SourceSpan,
    SpannedText, SpannedValue, SpecEntry, SpecSection, UntoldCodes, WordOr,
};
use crate::map::IndexMap;
use crate::parse::GuideText;

/// One file under `spec/`. Any section may stand in any file; a file is only a place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecFile {
    /// The heading of the source that the entries follow, unless they name one or a decision themselves: `§4 POST /v1/messages`.
    pub from: Option<SpannedText>,
    /// The decision behind the entries of this file, by fact id, unless they say so themselves.
    pub fact: Option<SpannedText>,
    /// The day on which the decisions of this file were made that name no other: `2026-11-21`.
    pub when: Option<SpannedText>,
    /// For the types of this file that do not say it: unknown fields, and unknown words of enums, are kept.
    pub open: Option<SpannedValue<bool>>,
    /// The names of the service.
    pub service: Option<DeclaredService>,
    /// An index of the source document: its parts, headings and gaps, in our own words.
    pub source: Option<SourceDocument>,
    /// Our name of a header or path prefix, and every name accepted for it on the wire.
    #[serde(default)]
    pub wire_names: EntryMap<DeclaredWireName>,
    /// Ways to say who is calling.
    #[serde(default)]
    pub auth: EntryMap<AuthScheme>,
    /// The roles of operators, each with the roles whose rights it has too.
    #[serde(default)]
    pub roles: EntryMap<DeclaredRole>,
    /// The roles of members of organisations, each with the roles whose rights it has too.
    #[serde(default)]
    pub member_roles: EntryMap<DeclaredRole>,
    /// Second authorizations: proofs of owning something.
    #[serde(default)]
    pub proofs: EntryMap<DeclaredProof>,
    /// Ways to pay.
    #[serde(default)]
    pub rails: EntryMap<DeclaredRail>,
    /// Bounds on counts, ages, sizes and amounts.
    #[serde(default)]
    pub limits: EntryMap<DeclaredLimit>,
    /// Objects of model requests, member by member.
    #[serde(default)]
    pub request_objects: EntryMap<DeclaredRequestObject>,
    /// Actors: who moves machines besides operations, each with a word on what it is.
    #[serde(default)]
    pub actors: EntryMap<String>,
    /// Path prefix to envelope, for answers where no operation matched; the longest prefix wins. After a prefix
    /// `/{name}:{verb}` says that only paths which end with a verb belong, and `with NAME` that only requests do which
    /// have the header, or with `query.NAME` the parameter; of those under one prefix, the first that fits. A mapping says the callers of
    /// its operations too.
    #[serde(default)]
    pub families: EntryMap<WordOr<DeclaredFamily>>,
    /// The bodies of errors.
    #[serde(default)]
    pub envelopes: EntryMap<DeclaredEnvelope>,
    /// A kind of error to its name in each style of envelope.
    #[serde(default)]
    pub kinds: EntryMap<DeclaredKind>,
    /// Error codes.
    #[serde(default)]
    pub errors: EntryMap<DeclaredErrorCode>,
    /// Lists of error codes that operations share; names begin with `$`.
    #[serde(default)]
    pub groups: EntryMap<Vec<SpannedText>>,
    /// The error code for each event that the server answers by itself.
    #[serde(default)]
    #[schemars(schema_with = "framework_schema")]
    pub framework: EntryMap<SpannedText>,
    /// The limit for each bound that the server keeps by itself.
    #[serde(default)]
    #[schemars(schema_with = "runtime_limits_schema")]
    pub runtime_limits: EntryMap<SpannedText>,
    /// The header, from `wire_names`, of each that the runtime reads or sends by itself.
    #[serde(default)]
    #[schemars(schema_with = "runtime_headers_schema")]
    pub runtime_headers: EntryMap<SpannedText>,
    /// Parameters of paths, by name, for the operations whose routes have them and that do not describe them.
    #[serde(default)]
    pub parameters: DeclaredFields,
    /// Operations, `group.verb`.
    #[serde(default)]
    pub operations: EntryMap<DeclaredOperation>,
    /// Types, UpperCamel.
    #[serde(default)]
    pub types: EntryMap<DeclaredType>,
    /// State machines.
    #[serde(default)]
    pub machines: EntryMap<DeclaredMachine>,
    /// Things that may exist before a request of an example is sent, and the callers who send it.
    #[serde(default)]
    pub fixtures: EntryMap<Fixture>,
    /// Requests and their answers.
    #[serde(default)]
    pub examples: EntryMap<Example>,
    /// Codes without an example, each with the reason.
    #[serde(default)]
    pub untold: EntryMap<UntoldCodes>,
    /// Decisions of the project, with their reasons.
    #[serde(default)]
    pub facts: EntryMap<Fact>,
    /// Changes that break somebody and were accepted: class of change, as `codegen diff` names it, to what changed, to why
    /// that is all right; and with `since`, the release that `codegen diff` compares with.
    #[serde(default)]
    #[schemars(schema_with = "changes_schema")]
    pub changes: EntryMap<EntryMap<String>>,
}

/// `changes` has one key that is no class.
fn changes_schema(generator: &mut SchemaGenerator) -> Schema {
    let since = json!({
        "type": "string",
        "description": "The release since which changes are counted: a git tag, or the id of a commit.",
    });
    let subjects = generator.subschema_for::<EntryMap<String>>();
    json_schema!({"type": "object", "properties": {SINCE: since}, "additionalProperties": subjects})
}

/// All files together. Entries that could not be read are left out (there is a diagnostic for each).
///
/// Where an entry has neither `from` nor `fact`, the `from` of its file has been filled in; where it has no `fact`, the
/// `fact` of its file.
#[derive(Debug, Default)]
pub struct Spec {
    /// Paths of the files, in the order of their [`super::FileId`]s: `spec/operations/chat.yaml`.
    pub files: Vec<String>,
    /// The guides of the project, by name.
    pub guides: Vec<GuideText>,
    /// The place of each section's key, where it is written first.
    pub section_places: IndexMap<SpecSection, SourceSpan>,
    /// The one `service` section.
    pub service: Option<SpecEntry<DeclaredService>>,
    /// The one `source` section.
    pub source: Option<SpecEntry<SourceDocument>>,
    /// See [`SpecFile::wire_names`].
    pub wire_names: EntryMap<DeclaredWireName>,
    /// See [`SpecFile::auth`].
    pub auth: EntryMap<AuthScheme>,
    /// See [`SpecFile::roles`].
    pub roles: EntryMap<DeclaredRole>,
    /// See [`SpecFile::member_roles`].
    pub member_roles: EntryMap<DeclaredRole>,
    /// See [`SpecFile::proofs`].
    pub proofs: EntryMap<DeclaredProof>,
    /// See [`SpecFile::rails`].
    pub rails: EntryMap<DeclaredRail>,
    /// See [`SpecFile::limits`].
    pub limits: EntryMap<DeclaredLimit>,
    /// See [`SpecFile::request_objects`].
    pub request_objects: EntryMap<DeclaredRequestObject>,
    /// See [`SpecFile::actors`].
    pub actors: EntryMap<String>,
    /// See [`SpecFile::families`].
    pub families: EntryMap<WordOr<DeclaredFamily>>,
    /// See [`SpecFile::envelopes`].
    pub envelopes: EntryMap<DeclaredEnvelope>,
    /// See [`SpecFile::kinds`].
    pub kinds: EntryMap<DeclaredKind>,
    /// See [`SpecFile::errors`].
    pub errors: EntryMap<DeclaredErrorCode>,
    /// See [`SpecFile::groups`].
    pub groups: EntryMap<Vec<SpannedText>>,
    /// See [`SpecFile::framework`].
    pub framework: EntryMap<SpannedText>,
    /// See [`SpecFile::runtime_limits`].
    pub runtime_limits: EntryMap<SpannedText>,
    /// See [`SpecFile::runtime_headers`].
    pub runtime_headers: EntryMap<SpannedText>,
    /// See [`SpecFile::parameters`].
    pub parameters: DeclaredFields,
    /// See [`SpecFile::operations`].
    pub operations: EntryMap<DeclaredOperation>,
    /// See [`SpecFile::types`].
    pub types: EntryMap<DeclaredType>,
    /// See [`SpecFile::machines`].
    pub machines: EntryMap<DeclaredMachine>,
    /// See [`SpecFile::fixtures`].
    pub fixtures: EntryMap<Fixture>,
    /// See [`SpecFile::examples`].
    pub examples: EntryMap<Example>,
    /// See [`SpecFile::untold`].
    pub untold: EntryMap<UntoldCodes>,
    /// See [`SpecFile::facts`].
    pub facts: EntryMap<Fact>,
    /// The release that `changes` are counted from.
    pub since: Option<SpannedText>,
    /// See [`SpecFile::changes`].
    pub changes: EntryMap<EntryMap<String>>,
}

impl Spec {
    /// Makes room for what others say, in the sections that are large: whenever one outgrows its room, all of it is moved.
    pub(crate) fn reserve<'o>(&mut self, others: impl Iterator<Item = &'o Self> + Clone) {
        self.operations.reserve(others.clone().map(|other| other.operations.len()).sum());
        self.types.reserve(others.clone().map(|other| other.types.len()).sum());
        self.examples.reserve(others.map(|other| other.examples.len()).sum());
    }

    /// Adds what another file says, paths aside; whether nothing of it was there before.
    pub(crate) fn add(&mut self, other: Self) -> bool {
        fn one<T>(slot: &mut Option<T>, other: Option<T>) -> bool {
            let apart = slot.is_none() || other.is_none();
            *slot = slot.take().or(other);
            apart
        }
        fn all<T>(entries: &mut EntryMap<T>, others: EntryMap<T>) -> bool {
            let count = entries.len() + others.len();
            if entries.capacity() == 0 {
                *entries = others;
            } else {
                entries.extend(others);
            }
            entries.len() == count
        }
        let Self {
            files: _,
            guides: _,
            section_places,
            service,
            source,
            since,
            wire_names,
            auth,
            roles,
            member_roles,
            proofs,
            rails,
            limits,
            request_objects,
            actors,
            families,
            envelopes,
            kinds,
            errors,
            groups,
            framework,
            runtime_limits,
            runtime_headers,
            parameters,
            operations,
            types,
            machines,
            fixtures,
            examples,
            untold,
            facts,
            changes,
        } = other;
        for (section, place) in section_places {
            self.section_places.entry(section).or_insert(place);
        }
        let apart = [
            one(&mut self.service, service),
            one(&mut self.source, source),
            one(&mut self.since, since),
            all(&mut self.wire_names, wire_names),
            all(&mut self.auth, auth),
            all(&mut self.roles, roles),
            all(&mut self.member_roles, member_roles),
            all(&mut self.proofs, proofs),
            all(&mut self.rails, rails),
            all(&mut self.limits, limits),
            all(&mut self.request_objects, request_objects),
            all(&mut self.actors, actors),
            all(&mut self.families, families),
            all(&mut self.envelopes, envelopes),
            all(&mut self.kinds, kinds),
            all(&mut self.errors, errors),
            all(&mut self.groups, groups),
            all(&mut self.framework, framework),
            all(&mut self.runtime_limits, runtime_limits),
            all(&mut self.runtime_headers, runtime_headers),
            all(&mut self.parameters, parameters),
            all(&mut self.operations, operations),
            all(&mut self.types, types),
            all(&mut self.machines, machines),
            all(&mut self.fixtures, fixtures),
            all(&mut self.examples, examples),
            all(&mut self.untold, untold),
            all(&mut self.facts, facts),
            all(&mut self.changes, changes),
        ];
        apart.into_iter().all(|apart| apart)
    }

    /// The path of the file a place is in: `spec/operations/chat.yaml`.
    #[must_use]
    pub fn path(&self, place: SourceSpan) -> &str {
        self.files.get(place.file.0 as usize).map_or("spec", String::as_str)
    }

    /// The names of a section's entries, with their places.
    pub fn names(&self, section: SpecSection) -> Box<dyn Iterator<Item = (&str, SourceSpan)> + '_> {
        fn names<T>(entries: &EntryMap<T>) -> Box<dyn Iterator<Item = (&str, SourceSpan)> + '_> {
            Box::new(entries.iter().map(|(name, entry)| (name.as_str(), entry.place)))
        }
        match section {
            SpecSection::WireNames => names(&self.wire_names),
            SpecSection::Auth => names(&self.auth),
            SpecSection::Roles => names(&self.roles),
            SpecSection::MemberRoles => names(&self.member_roles),
            SpecSection::Proofs => names(&self.proofs),
            SpecSection::Rails => names(&self.rails),
            SpecSection::Limits => names(&self.limits),
            SpecSection::RequestObjects => names(&self.request_objects),
            SpecSection::Actors => names(&self.actors),
            SpecSection::Families => names(&self.families),
            SpecSection::Envelopes => names(&self.envelopes),
            SpecSection::Kinds => names(&self.kinds),
            SpecSection::Errors => names(&self.errors),
            SpecSection::Groups => names(&self.groups),
            SpecSection::Framework => names(&self.framework),
            SpecSection::RuntimeLimits => names(&self.runtime_limits),
            SpecSection::RuntimeHeaders => names(&self.runtime_headers),
            SpecSection::Parameters => names(&self.parameters),
            SpecSection::Operations => names(&self.operations),
            SpecSection::Types => names(&self.types),
            SpecSection::Machines => names(&self.machines),
            SpecSection::Fixtures => names(&self.fixtures),
            SpecSection::Examples => names(&self.examples),
            SpecSection::Untold => names(&self.untold),
            SpecSection::Facts => names(&self.facts),
            SpecSection::Changes => names(&self.changes),
        }
    }

    /// A header's first name on the wire.
    #[must_use]
    pub fn wire_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.wire_names.get(name).and_then(|wire| wire.accepts.first()).map_or(name, |first| first.value.as_str())
    }

    /// A place as people name it: `spec/operations/chat.yaml:4`.
    #[must_use]
    pub fn at(&self, place: SourceSpan) -> String {
        format!("{}:{}", self.path(place), place.line)
    }

    /// An entry by its file and key, which no edit above it changes: `spec/operations/chat.yaml: chat.create`.
    #[must_use]
    pub fn entry_at(&self, place: SourceSpan, key: &str) -> String {
        format!("{}: {key}", self.path(place))
    }
}
