//! Trees to one typed model: every entry read on its own, so that a broken one does not take others with it.

use serde::Deserialize;

use super::issues::CheckIssues;
use super::lost::LostParts;
use crate::diagnostics::codes::structure;
use crate::diagnostics::{Diagnostic, Severity};
use crate::model::{
    DeclaredType, EntryMap, EntryOrigin, Fact, SpannedText, SpannedValue, Spec, SpecEntry, SpecSection,
};
use crate::parse::{SourceSpan, YamlKind, YamlMapping, YamlNode, YamlPair, YamlTree, decode};

/// Reads the rest of the trees that the structural check left: the model, and what cannot be read beside what is wrong already.
pub(super) fn assemble(trees: &[YamlTree<'_>], wrong: &CheckIssues) -> (Spec, CheckIssues) {
    let (mut spec, mut unread) = (Spec::default(), CheckIssues::default());
    let mut said: Vec<SourceSpan> = errors(&wrong.diagnostics);
    said.sort_unstable();
    for tree in trees {
        let Some(YamlNode { kind: YamlKind::Mapping(root), .. }) = &tree.root else { continue };
        let CheckIssues { diagnostics, damage } = &mut unread;
        let mut reader = SpecAssembler { root, said: &said, damage, diagnostics };
        reader.file(&mut spec);
    }
    (spec, unread)
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<SourceSpan> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|diagnostic| diagnostic.primary.place).collect()
}

struct SpecAssembler<'a, 's> {
    root: &'a YamlMapping<'s>,
    /// Places of all errors so far, in order: what lies in one of them has been complained about.
    said: &'a [SourceSpan],
    damage: &'a mut LostParts,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl SpecAssembler<'_, '_> {
    fn file(&mut self, spec: &mut Spec) {
        for section in SpecSection::ALL {
            if let Some(pair) = self.root.pairs.iter().find(|pair| pair.key.text == section.key()) {
                spec.section_places.entry(section).or_insert(pair.key.place);
            }
        }
        let from: Option<SpannedText> = self.value("from");
        let fact: Option<SpannedText> = self.value("fact");
        self.singleton("service", &mut spec.service);
        self.singleton("source", &mut spec.source);
        self.plain(SpecSection::Actors, &mut spec.actors);
        self.plain(SpecSection::Families, &mut spec.families);
        self.plain(SpecSection::Kinds, &mut spec.kinds);
        self.plain(SpecSection::Groups, &mut spec.groups);
        self.plain(SpecSection::Framework, &mut spec.framework);
        self.plain(SpecSection::RuntimeLimits, &mut spec.runtime_limits);
        self.plain(SpecSection::RuntimeHeaders, &mut spec.runtime_headers);
        self.plain(SpecSection::Parameters, &mut spec.parameters);
        self.plain(SpecSection::Fixtures, &mut spec.fixtures);
        self.plain(SpecSection::Examples, &mut spec.examples);
        self.plain(SpecSection::Untold, &mut spec.untold);
        let when: Option<SpannedText> = self.value("when");
        self.section(SpecSection::Facts, &mut spec.facts, |fact: &mut Fact| {
            if let Some(when) = when.as_ref().filter(|_| fact.when.value.is_empty()) {
                fact.when.clone_from(when);
            }
        });
        self.since(&mut spec.since);
        self.plain(SpecSection::Changes, &mut spec.changes);
        let origin = (from.as_ref(), fact.as_ref());
        self.sourced(SpecSection::WireNames, &mut spec.wire_names, origin);
        self.sourced(SpecSection::Auth, &mut spec.auth, origin);
        self.sourced(SpecSection::Roles, &mut spec.roles, origin);
        self.sourced(SpecSection::MemberRoles, &mut spec.member_roles, origin);
        self.sourced(SpecSection::Proofs, &mut spec.proofs, origin);
        self.sourced(SpecSection::Rails, &mut spec.rails, origin);
        self.sourced(SpecSection::Limits, &mut spec.limits, origin);
        self.sourced(SpecSection::RequestObjects, &mut spec.request_objects, origin);
        self.sourced(SpecSection::Envelopes, &mut spec.envelopes, origin);
        self.sourced(SpecSection::Errors, &mut spec.errors, origin);
        self.sourced(SpecSection::Operations, &mut spec.operations, origin);
        let open: Option<SpannedValue<bool>> = self.value("open");
        self.section(SpecSection::Types, &mut spec.types, |named: &mut DeclaredType| {
            named.inherit(origin.0, origin.1);
            if named.fields.is_some() || named.words.is_some() || named.states_of.is_some() || named.has_roles() {
                named.open = named.open.take().or_else(|| open.clone());
            }
        });
        self.sourced(SpecSection::Machines, &mut spec.machines, origin);
    }

    /// A value of the file itself.
    fn value<T: for<'t> Deserialize<'t>>(&mut self, key: &str) -> Option<T> {
        let pair = self.root.pairs.iter().find(|pair| pair.key.text == key)?;
        self.read(pair)
    }

    /// A section that all files together have once.
    fn singleton<T: for<'t> Deserialize<'t>>(&mut self, key: &str, slot: &mut Option<SpecEntry<T>>) {
        let Some(pair) = self.root.pairs.iter().find(|pair| pair.key.text == key) else { return };
        match slot {
            Some(first) => self.twice(&format!("the section `{key}`"), pair.key.place, first.place),
            None => {
                *slot = self.read::<SpecEntry<T>>(pair);
                if slot.is_none() {
                    self.damage.break_entry(key);
                }
            }
        }
    }

    /// The release that changes are counted from, which all files together say once.
    fn since(&mut self, slot: &mut Option<SpannedText>) {
        let changes = self.root.pairs.iter().find(|pair| pair.key.text == SpecSection::Changes.key());
        let Some(YamlPair { value: YamlNode { kind: YamlKind::Mapping(changes), .. }, .. }) = changes else { return };
        let Some(pair) =
            changes.pairs.iter().find(|pair| Some(pair.key.text.as_ref()) == SpecSection::Changes.own_key())
        else {
            return;
        };
        match slot {
            Some(first) => self.twice("`since` of `changes`", pair.key.place, first.place),
            None => *slot = self.read(pair),
        }
    }

    /// A section whose entries say where they come from.
    fn sourced<T: for<'t> Deserialize<'t> + EntryOrigin>(
        &mut self,
        section: SpecSection,
        entries: &mut EntryMap<T>,
        (from, fact): (Option<&SpannedText>, Option<&SpannedText>),
    ) {
        self.section(section, entries, |entry: &mut T| entry.inherit(from, fact));
    }

    /// A section whose entries do not.
    fn plain<T: for<'t> Deserialize<'t>>(&mut self, section: SpecSection, entries: &mut EntryMap<T>) {
        self.section(section, entries, |_: &mut T| {});
    }

    fn section<T: for<'t> Deserialize<'t>>(
        &mut self,
        section: SpecSection,
        entries: &mut EntryMap<T>,
        finish: impl Fn(&mut T),
    ) {
        let pair = self.root.pairs.iter().find(|pair| pair.key.text == section.key());
        let Some(YamlPair { value: YamlNode { kind: YamlKind::Mapping(mapping), .. }, .. }) = pair else { return };
        for pair in &mapping.pairs {
            let name = pair.key.text.as_ref();
            if section.own_key() == Some(name) {
                continue;
            }
            if let Some(first) = entries.get(name) {
                self.twice(&format!("{} `{name}`", section.entry()), pair.key.place, first.place);
                self.damage.lose(&pair.value);
                continue;
            }
            if self.has_errors(pair) {
                self.damage.hurt_entry(section, name);
            }
            if matches!(&pair.value.kind, YamlKind::Mapping(entry) if !entry.dropped.is_empty()) {
                self.damage.merge_entry(section, name);
            }
            match self.read::<SpecEntry<T>>(pair) {
                Some(mut entry) => {
                    finish(&mut entry.value);
                    entries.insert(name.to_owned(), entry);
                }
                None => self.damage.break_entry(name),
            }
        }
    }

    /// Reads one value; where that fails, something in it has been complained about, or is now.
    fn read<T: for<'t> Deserialize<'t>>(&mut self, pair: &YamlPair<'_>) -> Option<T> {
        if matches!(pair.value.kind, YamlKind::Broken) {
            return None;
        }
        match decode(&pair.value, pair.key.place) {
            Ok(value) => Some(value),
            Err(why) => {
                self.damage.lose(&pair.value);
                if !self.has_errors(pair) {
                    let message = format!("`{}` cannot be read: {why}", pair.key.text);
                    self.diagnostics.push(Diagnostic::error(structure::WRONG_KIND, pair.key.place, message));
                }
                None
            }
        }
    }

    /// True if something at or in a pair has been complained about, the end of all YAML included.
    fn has_errors(&self, pair: &YamlPair<'_>) -> bool {
        if pair.value.is_cut() {
            return true;
        }
        let (start, end) = (pair.key.place, pair.value.place.end.max(pair.key.place.end));
        let next = self.said.partition_point(|place| (place.file, place.start) < (start.file, start.start));
        self.said.get(next).is_some_and(|place| place.file == start.file && place.start <= end)
    }

    fn twice(&mut self, what: &str, second: SourceSpan, first: SourceSpan) {
        self.diagnostics.push(
            Diagnostic::error(structure::DEFINED_TWICE, second, format!("{what} is defined in two places"))
                .label("the second one")
                .and(first, "the first one is here"),
        );
    }
}
