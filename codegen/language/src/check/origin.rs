//! The check of origins: headings of the source and decisions of the project.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, DiagnosticLabel, closest, codes::facts, codes::references},
    map::HashSet,
    model::{
        DeclaredField, DeclaredFields, DeclaredVariant, EntryMap, EntryOrigin, SourceSpan, SpannedText, SpecSection,
    },
};

/// The most entries without an origin that get a complaint each; with more, a file gets one.
const NOWHERE_MAX: usize = 3;

impl<'a> CheckContext<'a> {
    /// Checks the origin of every entry that must have one, and of the parts that may.
    pub(super) fn origins(&mut self) {
        let spec = self.spec;
        let mut seen = VisitedOrigins::default();
        self.section_origins(SpecSection::WireNames, &spec.wire_names, &mut seen);
        self.section_origins(SpecSection::Auth, &spec.auth, &mut seen);
        self.section_origins(SpecSection::Roles, &spec.roles, &mut seen);
        self.section_origins(SpecSection::MemberRoles, &spec.member_roles, &mut seen);
        self.section_origins(SpecSection::Proofs, &spec.proofs, &mut seen);
        self.section_origins(SpecSection::Rails, &spec.rails, &mut seen);
        self.section_origins(SpecSection::Limits, &spec.limits, &mut seen);
        self.section_origins(SpecSection::RequestObjects, &spec.request_objects, &mut seen);
        self.section_origins(SpecSection::Errors, &spec.errors, &mut seen);
        self.section_origins(SpecSection::Operations, &spec.operations, &mut seen);
        self.section_origins(SpecSection::Types, &spec.types, &mut seen);
        self.section_origins(SpecSection::Machines, &spec.machines, &mut seen);
        for envelope in spec.envelopes.values() {
            self.origin(envelope.from.as_ref(), envelope.fact.as_ref(), &mut seen);
        }
        self.inner_origins(&mut seen);
        self.nowhere(seen.nowhere);
    }

    /// One complaint for each entry without an origin; where a file has many, one for all of them, since then it is the line at its
    /// top that is missing.
    fn nowhere(&mut self, mut entries: Vec<(SourceSpan, String)>) {
        entries.sort_by_key(|(place, _)| *place);
        for of_file in entries.chunk_by(|(one, _), (other, _)| one.file == other.file) {
            let singly = of_file.len() <= NOWHERE_MAX;
            for (place, entry) in of_file.iter().take(if singly { NOWHERE_MAX } else { 1 }) {
                let mut complaint = Diagnostic::error(facts::NO_ORIGIN, *place, format!("{entry} comes from nowhere"))
                    .label("neither `from` nor `fact`")
                    .note("name a heading of the source (`from: \"§4 …\"`) or a decision (`fact: some-id`)");
                if !singly {
                    complaint.message = format!("{} entries of this file come from nowhere", of_file.len());
                    let others = of_file.iter().skip(1).take(NOWHERE_MAX);
                    complaint.secondary = others
                        .map(|(place, _)| DiagnosticLabel { place: *place, text: "nor this".to_owned() })
                        .collect();
                }
                self.complain(complaint);
            }
        }
    }

    fn section_origins<T: EntryOrigin>(
        &mut self,
        section: SpecSection,
        entries: &'a EntryMap<T>,
        seen: &mut VisitedOrigins,
    ) {
        for (name, entry) in entries {
            let (from, fact) = (entry.value.from(), entry.value.fact());
            if from.is_none() && fact.is_none() && !self.damage.lacks(section, name, &["from", "fact"]) {
                seen.nowhere.push((entry.place, format!("{} `{name}`", section.entry())));
            }
            self.origin(from, fact, seen);
        }
    }

    /// Checks the origins of fields, streams and moves, which may be more exact.
    fn inner_origins(&mut self, seen: &mut VisitedOrigins) {
        let spec = self.spec;
        for operation in spec.operations.values() {
            for fields in [&operation.path, &operation.query, &operation.headers] {
                self.field_origins(fields, seen);
            }
            if let Some(stream) = &operation.stream {
                self.origin(stream.from.as_ref(), stream.fact.as_ref(), seen);
            }
        }
        for named in spec.types.values() {
            named.fields.iter().for_each(|fields| self.field_origins(fields, seen));
            for variant in named.of.iter().flat_map(EntryMap::values) {
                if let DeclaredVariant::Inline(fields) = &variant.value {
                    self.field_origins(fields, seen);
                }
            }
        }
        for machine in spec.machines.values() {
            machine.moves.values().for_each(|one| self.origin(None, one.fact.as_ref(), seen));
        }
    }

    fn field_origins(&mut self, fields: &'a DeclaredFields, seen: &mut VisitedOrigins) {
        for field in fields.values() {
            let field: &'a DeclaredField = field;
            self.origin(field.from.as_ref(), field.fact.as_ref(), seen);
        }
    }

    fn origin(&mut self, from: Option<&'a SpannedText>, fact: Option<&'a SpannedText>, seen: &mut VisitedOrigins) {
        if let Some(from) = from
            && seen.places.insert(from.place)
        {
            self.heading(from);
        }
        if let Some(fact) = fact
            && seen.places.insert(fact.place)
        {
            self.resolve(SpecSection::Facts, fact, references::UNKNOWN_FACT);
        }
    }

    /// `§4 POST /v1/messages`: the part, and its heading.
    fn heading(&mut self, from: &'a SpannedText) {
        let Some(source) = &self.spec.source else { return };
        let Some(rest) = from.value.strip_prefix('§') else {
            let message = "a place in the source is `§` and a part, then perhaps a heading";
            let suggestion = from.value.starts_with(|first: char| first.is_ascii_digit());
            let suggestion = suggestion.then(|| format!("\"§{}\"", from.value));
            self.complain(Diagnostic::error(facts::BAD_FROM, from.place, message).suggest(suggestion));
            return;
        };
        let (part, heading) = rest.split_once(' ').unwrap_or((rest, ""));
        let start = '§'.len_utf8();
        if self.damage.lost_name("parts") || self.damage.lost_name("headings") {
            return;
        }
        let Some(known) = source.parts.get(part) else {
            let place = from.place.part(&from.value, start, start + part.len());
            self.unknown(references::UNKNOWN_HEADING, "part of the source", part, place, |_| {
                source.parts.keys().map(String::as_str).collect()
            });
            return;
        };
        if !heading.is_empty() && !known.headings.iter().any(|one| one.value == heading) {
            let place = from.place.part(&from.value, start + part.len() + 1, from.value.len());
            let meant = closest(heading, known.headings.iter().map(|one| one.value.as_str()));
            // A part that lost its headings is one mistake, however many entries come from it.
            let (message, what) = if known.headings.is_empty() {
                (format!("part {part} of the source has no headings"), part.to_owned())
            } else {
                (format!("part {part} of the source has no heading `{heading}`"), from.value.clone())
            };
            let complaint = Diagnostic::error(references::UNKNOWN_HEADING, place, message).suggest(meant);
            self.complain_once(&what, complaint.and(known.place, "the part"));
        }
    }
}

/// The origins that have been looked at.
#[derive(Default)]
struct VisitedOrigins {
    /// Places of origins: that of a file is handed to many entries.
    places: HashSet<SourceSpan>,
    /// Entries without one.
    nowhere: Vec<(SourceSpan, String)>,
}
