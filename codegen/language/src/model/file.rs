//! One file and all files: the sections.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::json;

use super::{
    Entries, Entry, Envelope, ErrorCode, Example, Fact, Fixture, Limit, Machine, Operation, PerStyle, Place, Proof,
    Rail, RequestObject, Scheme, Section, Service, Source, Text, Type, Untold, WireName, errors::framework_schema,
};

/// One file under `spec/`. Any section may stand in any file; a file is only a place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The heading of the source that the entries follow, unless they name one or a decision themselves: `§4 POST /v1/messages`.
    pub from: Option<Text>,
    /// The decision behind the entries of this file, by fact id, unless they say so themselves.
    pub fact: Option<Text>,
    /// The names of the service.
    pub service: Option<Service>,
    /// An index of the source document: its parts, headings and gaps, in our own words.
    pub source: Option<Source>,
    /// Our name of a header or path prefix, and every name accepted for it on the wire.
    #[serde(default)]
    pub wire_names: Entries<WireName>,
    /// Ways to say who is calling.
    #[serde(default)]
    pub auth: Entries<Scheme>,
    /// Second authorizations: proofs of owning something.
    #[serde(default)]
    pub proofs: Entries<Proof>,
    /// Ways to pay.
    #[serde(default)]
    pub rails: Entries<Rail>,
    /// Bounds on counts, ages, sizes and amounts.
    #[serde(default)]
    pub limits: Entries<Limit>,
    /// Objects of model requests, member by member.
    #[serde(default)]
    pub request_objects: Entries<RequestObject>,
    /// Actors: who moves machines besides operations, each with a word on what it is.
    #[serde(default)]
    pub actors: Entries<String>,
    /// Path prefix to envelope, for answers where no operation matched; the longest prefix wins. After a prefix
    /// `/{name}:{verb}` says that only paths which end with a verb belong, and `with NAME` that only requests do which
    /// have the header, or with `query.NAME` the parameter; of those under one prefix, the first that fits.
    #[serde(default)]
    pub families: Entries<Text>,
    /// The bodies of errors.
    #[serde(default)]
    pub envelopes: Entries<Envelope>,
    /// A kind of error to its name in each style of envelope.
    #[serde(default)]
    pub kinds: Entries<PerStyle<Text>>,
    /// Error codes.
    #[serde(default)]
    pub errors: Entries<ErrorCode>,
    /// Lists of error codes that operations share; names begin with `$`.
    #[serde(default)]
    pub groups: Entries<Vec<Text>>,
    /// The error code for each event that the server answers by itself.
    #[serde(default)]
    #[schemars(schema_with = "framework_schema")]
    pub framework: Entries<Text>,
    /// Operations, `group.verb`.
    #[serde(default)]
    pub operations: Entries<Operation>,
    /// Types, UpperCamel.
    #[serde(default)]
    pub types: Entries<Type>,
    /// State machines.
    #[serde(default)]
    pub machines: Entries<Machine>,
    /// Things that may exist before a request of an example is sent, and the callers who send it.
    #[serde(default)]
    pub fixtures: Entries<Fixture>,
    /// Requests and their answers.
    #[serde(default)]
    pub examples: Entries<Example>,
    /// Codes without an example, each with the reason.
    #[serde(default)]
    pub untold: Entries<Untold>,
    /// Decisions of the project, with their reasons.
    #[serde(default)]
    pub facts: Entries<Fact>,
    /// Changes that break somebody and were accepted: class of change, as `codegen diff` names it, to what changed, to why
    /// that is all right; and with `since`, the release that `codegen diff` compares with.
    #[serde(default)]
    #[schemars(schema_with = "changes_schema")]
    pub changes: Entries<Entries<String>>,
}

/// `changes` has one key that is no class.
fn changes_schema(generator: &mut SchemaGenerator) -> Schema {
    let since = json!({
        "type": "string",
        "description": "The release since which changes are counted: a git tag, or the id of a commit.",
    });
    let subjects = generator.subschema_for::<Entries<String>>();
    json_schema!({"type": "object", "properties": {SINCE: since}, "additionalProperties": subjects})
}

/// The key of `changes` that names the release they are counted from.
pub(crate) const SINCE: &str = "since";

/// All files together. Entries that could not be read are left out (there is a diagnostic for each).
///
/// Where an entry has neither `from` nor `fact`, the `from` of its file has been filled in; where it has no `fact`, the
/// `fact` of its file.
#[derive(Debug, Default)]
pub struct Spec {
    /// Paths of the files, in the order of their [`super::FileId`]s: `spec/operations/chat.yaml`.
    pub files: Vec<String>,
    /// The one `service` section.
    pub service: Option<Entry<Service>>,
    /// The one `source` section.
    pub source: Option<Entry<Source>>,
    /// See [`File::wire_names`].
    pub wire_names: Entries<WireName>,
    /// See [`File::auth`].
    pub auth: Entries<Scheme>,
    /// See [`File::proofs`].
    pub proofs: Entries<Proof>,
    /// See [`File::rails`].
    pub rails: Entries<Rail>,
    /// See [`File::limits`].
    pub limits: Entries<Limit>,
    /// See [`File::request_objects`].
    pub request_objects: Entries<RequestObject>,
    /// See [`File::actors`].
    pub actors: Entries<String>,
    /// See [`File::families`].
    pub families: Entries<Text>,
    /// See [`File::envelopes`].
    pub envelopes: Entries<Envelope>,
    /// See [`File::kinds`].
    pub kinds: Entries<PerStyle<Text>>,
    /// See [`File::errors`].
    pub errors: Entries<ErrorCode>,
    /// See [`File::groups`].
    pub groups: Entries<Vec<Text>>,
    /// See [`File::framework`].
    pub framework: Entries<Text>,
    /// See [`File::operations`].
    pub operations: Entries<Operation>,
    /// See [`File::types`].
    pub types: Entries<Type>,
    /// See [`File::machines`].
    pub machines: Entries<Machine>,
    /// See [`File::fixtures`].
    pub fixtures: Entries<Fixture>,
    /// See [`File::examples`].
    pub examples: Entries<Example>,
    /// See [`File::untold`].
    pub untold: Entries<Untold>,
    /// See [`File::facts`].
    pub facts: Entries<Fact>,
    /// The release that `changes` are counted from.
    pub since: Option<Text>,
    /// See [`File::changes`].
    pub changes: Entries<Entries<String>>,
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
        fn all<T>(entries: &mut Entries<T>, others: Entries<T>) -> bool {
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
            service,
            source,
            since,
            wire_names,
            auth,
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
            operations,
            types,
            machines,
            fixtures,
            examples,
            untold,
            facts,
            changes,
        } = other;
        let apart = [
            one(&mut self.service, service),
            one(&mut self.source, source),
            one(&mut self.since, since),
            all(&mut self.wire_names, wire_names),
            all(&mut self.auth, auth),
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
    pub fn path(&self, place: Place) -> &str {
        self.files.get(place.file.0 as usize).map_or("spec", String::as_str)
    }

    /// The names of a section's entries, with their places.
    pub fn names(&self, section: Section) -> Box<dyn Iterator<Item = (&str, Place)> + '_> {
        fn names<T>(entries: &Entries<T>) -> Box<dyn Iterator<Item = (&str, Place)> + '_> {
            Box::new(entries.iter().map(|(name, entry)| (name.as_str(), entry.place)))
        }
        match section {
            Section::WireNames => names(&self.wire_names),
            Section::Auth => names(&self.auth),
            Section::Proofs => names(&self.proofs),
            Section::Rails => names(&self.rails),
            Section::Limits => names(&self.limits),
            Section::RequestObjects => names(&self.request_objects),
            Section::Actors => names(&self.actors),
            Section::Families => names(&self.families),
            Section::Envelopes => names(&self.envelopes),
            Section::Kinds => names(&self.kinds),
            Section::Errors => names(&self.errors),
            Section::Groups => names(&self.groups),
            Section::Framework => names(&self.framework),
            Section::Operations => names(&self.operations),
            Section::Types => names(&self.types),
            Section::Machines => names(&self.machines),
            Section::Fixtures => names(&self.fixtures),
            Section::Examples => names(&self.examples),
            Section::Untold => names(&self.untold),
            Section::Facts => names(&self.facts),
            Section::Changes => names(&self.changes),
        }
    }

    /// A place as people name it: `spec/operations/chat.yaml:4`.
    #[must_use]
    pub fn at(&self, place: Place) -> String {
        format!("{}:{}", self.path(place), place.line)
    }
}
