//! Gaps of the source and the decisions that close them.

use super::context::CheckContext;
use crate::{
    calendar::is_day,
    diagnostics::{Diagnostic, closest, codes::facts, codes::references, codes::types, codes::unused},
    map::HashMap,
    model::{EntryMap, Fact, FactStatus, SourceSpan, SpannedText, SpecEntry, SpecSection},
};

/// No decision of a program is older.
const FIRST_DAY: &str = "1970-01-01";

impl<'a> CheckContext<'a> {
    /// Checks every fact, then that every gap is closed. Comes after everything that refers to facts.
    pub(super) fn facts(&mut self) {
        let spec = self.spec;
        let mut closed = HashMap::default();
        for (name, fact) in &spec.facts {
            self.status(name, fact);
            self.date(fact);
            self.no_repeats(types::WORD_TWICE, &fact.closes);
            let mut here = HashMap::default();
            for gap in &fact.closes {
                self.gap(gap, &mut here);
            }
            for (gap, place) in here {
                self.closed_before(gap, place, closed.insert(gap, place));
            }
            self.no_repeats(types::WORD_TWICE, &fact.about);
            for entry in &fact.about {
                self.about(entry);
            }
            let idle = fact.closes.is_empty()
                && fact.about.is_empty()
                && !self.damage.lacks(SpecSection::Facts, name, &["closes", "about"]);
            if idle && !self.is_used(SpecSection::Facts, name) {
                let message = format!("nothing rests on fact `{name}`");
                self.complain(Diagnostic::error(unused::UNUSED_FACT, fact.place, message));
            }
        }
        for part in spec.source.iter().flat_map(|source| source.parts.values()) {
            self.no_repeats(types::WORD_TWICE, &part.headings);
        }
        for (name, gap) in spec.source.iter().flat_map(|source| &source.gaps) {
            self.part(&gap.part);
            let lost = self.damage.may_be_used(name) || self.damage.lost_name("closes");
            if !closed.contains_key(name.as_str()) && !lost {
                let message = format!("no fact closes the gap `{name}`");
                self.complain(
                    Diagnostic::error(facts::OPEN_GAP, gap.place, message).note(format!("what is open: {}", gap.open)),
                );
            }
        }
    }

    fn status(&mut self, name: &str, fact: &SpecEntry<Fact>) {
        match fact.status.value {
            FactStatus::Decided | FactStatus::Confirmed => {}
            FactStatus::Open => self.complain(
                Diagnostic::warning(facts::UNDECIDED, fact.status.place, format!("`{name}` is not decided yet"))
                    .label("a release has no open decisions"),
            ),
            FactStatus::Contradicted => self.complain(
                Diagnostic::error(facts::CONTRADICTED, fact.status.place, format!("the source contradicts `{name}`"))
                    .label("change the choice, and then the status"),
            ),
        }
    }

    fn date(&mut self, fact: &SpecEntry<Fact>) {
        let when = &fact.when;
        if when.value.is_empty() {
            let complaint = Diagnostic::error(facts::BAD_DATE, fact.place, "neither the fact nor its file says `when`");
            self.complain(complaint.label("like `2026-11-21`"));
        } else if !is_day(&when.value) || when.value.as_str() < FIRST_DAY {
            let message = format!("`{}` is not a day", when.value);
            self.complain(Diagnostic::error(facts::BAD_DATE, when.place, message).label("like `2026-11-21`"));
        }
    }

    fn gap(&mut self, gap: &'a SpannedText, closed: &mut HashMap<&'a str, SourceSpan>) {
        let Some(source) = &self.spec.source else { return };
        if let Some((name, _)) = source.gaps.get_key_value(gap.value.as_str()) {
            closed.insert(name, gap.place);
            return;
        }
        if self.damage.lost_name("gaps") || self.damage.lost_name(&gap.value) {
            return;
        }
        let gaps = |_: &Self| source.gaps.keys().map(String::as_str).collect();
        if let Some(meant) = self.unknown(references::UNKNOWN_GAP, "gap", &gap.value, gap.place, gaps)
            && let Some((name, _)) = source.gaps.get_key_value(&meant)
        {
            closed.insert(name, gap.place);
        }
    }

    /// A gap is closed by one decision: of two, nobody knows which holds.
    fn closed_before(&mut self, gap: &str, place: SourceSpan, first: Option<SourceSpan>) {
        if let Some(first) = first {
            let message = format!("the gap `{gap}` is closed already");
            self.complain(Diagnostic::error(facts::CLOSED_TWICE, place, message).and(first, "by this fact"));
        }
    }

    fn part(&mut self, part: &'a SpannedText) {
        let Some(source) = &self.spec.source else { return };
        if !source.parts.contains_key(&part.value) && !self.damage.lost_name("parts") {
            self.unknown(references::UNKNOWN_HEADING, "part of the source", &part.value, part.place, |_| {
                source.parts.keys().map(String::as_str).collect()
            });
        }
    }

    /// `operations.chat.create`, `machines.topup_order.succeed`, `types.Message.usage`: the section, the entry, and
    /// perhaps a move or field of it.
    fn about(&mut self, entry: &'a SpannedText) {
        let (key, name) = entry.value.split_once('.').unwrap_or((&entry.value, ""));
        let Some(section) = SpecSection::ALL.into_iter().find(|section| section.key() == key) else {
            let place = entry.place.part(&entry.value, 0, key.len());
            self.unknown(references::UNKNOWN_ENTRY, "section", key, place, |_| {
                SpecSection::ALL.iter().map(|section| section.key()).collect()
            });
            return;
        };
        if self.exists(section, name) || self.damage.lost_name(name) {
            return;
        }
        // A name with a dot in it may be an entry and a part of it.
        let whole_parts = matches!(section, SpecSection::Machines | SpecSection::Types);
        let (owner, part) = name.split_once('.').filter(|_| whole_parts).unwrap_or((name, ""));
        let start = key.len() + 1;
        if self.exists(section, owner) {
            let place = entry.place.part(&entry.value, start + owner.len() + 1, entry.value.len());
            self.part_of(section, owner, part, place);
        } else if !self.damage.lost_name(owner) {
            let place = entry.place.part(&entry.value, start, start + owner.len());
            self.unknown(references::UNKNOWN_ENTRY, section.entry(), owner, place, |context| context.names(section));
        }
    }

    /// A move of a machine or a field of a type.
    fn part_of(&mut self, section: SpecSection, owner: &str, part: &'a str, place: SourceSpan) {
        let moves = self.spec.machines.get(owner).filter(|_| section == SpecSection::Machines);
        let fields = self.type_named(owner).and_then(|named| named.fields.as_ref());
        let known: Vec<&str> = match moves {
            Some(machine) => machine.moves.keys().map(String::as_str).collect(),
            None => fields.into_iter().flat_map(EntryMap::keys).map(String::as_str).collect(),
        };
        if !known.contains(&part) && !self.damage.is_hurt(section, owner) {
            let message = format!("`{owner}` has no part `{part}`");
            let complaint = Diagnostic::error(references::UNKNOWN_ENTRY, place, message);
            self.complain(complaint.suggest(closest(part, known)));
        }
    }
}
