//! Entries that stand in the wrong section, because the line that begins their own is gone.
//!
//! Every one of them would be complained about for all its keys, and every reference to them too. Instead there is one
//! complaint, and they are read where they belong.

use std::borrow::Cow;

use super::{
    shape::{SchemaShape, SchemaShapes, ShapeId},
    structure::StructureWalk,
};
use crate::{
    diagnostics::{Diagnostic, DiagnosticLabel, closest, codes::structure},
    map::HashMap,
    parse::{YamlKey, YamlKind, YamlMapping, YamlNode, YamlPair},
};

/// The most further entries of one complaint that are pointed at.
const PLACES_MAX: usize = 3;

/// The keys of the entries of one section.
struct SectionKeys<'a> {
    section: &'a str,
    keys: &'a HashMap<String, ShapeId>,
    required: &'a [String],
}

impl SectionKeys<'_> {
    /// True if an entry could be one of these.
    fn fit(&self, entry: &YamlMapping<'_>) -> bool {
        self.knows(entry) && !entry.pairs.is_empty() && self.required.iter().all(|key| entry.get(key).is_some())
    }

    /// True if these have all keys of an entry.
    fn knows(&self, entry: &YamlMapping<'_>) -> bool {
        entry.pairs.iter().all(|pair| self.keys.contains_key(pair.key.text.as_ref()))
    }
}

impl StructureWalk<'_> {
    /// Moves entries of a mapping of sections to the section they fit, where they do not fit the one they are in.
    pub(super) fn move_misplaced(&mut self, mapping: &mut YamlMapping<'_>, keys: &HashMap<String, ShapeId>) {
        let shapes = self.shapes;
        let mut sections: Vec<SectionKeys<'_>> =
            keys.iter().filter_map(|(section, id)| entries(shapes, section, *id)).collect();
        if sections.len() < 2 {
            return;
        }
        sections.sort_by_key(|entries| entries.section);
        // Of keys that are alike, the first is meant.
        let mut known: Vec<&str> = keys.keys().map(String::as_str).collect();
        known.sort_unstable();
        let present: Vec<String> = mapping.pairs.iter().map(|pair| pair.key.text.to_string()).collect();
        let mut moved: Vec<(String, &str, Vec<YamlPair<'_>>)> = Vec::new();
        let (mut stay, mut at_top) = (Vec::new(), Vec::new());
        for mut pair in std::mem::take(&mut mapping.pairs) {
            let section = pair.key.text.clone();
            let own = sections.iter().find(|entries| entries.section == section);
            if let (Some(own), YamlKind::Mapping(inner)) = (own, &mut pair.value.kind) {
                for (home, entries) in misplaced(inner, own, &sections) {
                    moved.push((section.to_string(), home, entries));
                }
            }
            // A section whose own name is misspelt is no entry.
            let is_section = keys.contains_key(section.as_ref())
                || closest(&section, known.iter().copied())
                    .is_some_and(|meant| !present.iter().any(|key| key == meant));
            match home_of(&pair, &sections).filter(|_| !is_section) {
                Some(home) => at_top.push((home, pair)),
                None => stay.push(pair),
            }
        }
        for (home, pair) in at_top {
            match moved.last_mut() {
                Some((from, last, entries)) if from.is_empty() && *last == home => entries.push(pair),
                _ => moved.push((String::new(), home, vec![pair])),
            }
        }
        mapping.pairs = stay;
        for (from, home, entries) in moved {
            self.misplacement(&from, home, &entries);
            settle(mapping, home, entries);
        }
    }

    fn misplacement(&mut self, from: &str, home: &str, entries: &[YamlPair<'_>]) {
        let Some((first, others)) = entries.split_first() else { return };
        let name = &first.key.text;
        let message = if from.is_empty() {
            format!("`{name}` stands where sections stand, and belongs under `{home}`")
        } else {
            format!("`{name}` stands under `{from}`, and belongs under `{home}`")
        };
        let mut complaint = Diagnostic::error(structure::MISPLACED, first.key.place, message)
            .label(format!("is the line `{home}:` missing above?"));
        let further = others.iter().take(PLACES_MAX);
        complaint.secondary =
            further.map(|pair| DiagnosticLabel { place: pair.key.place, text: "and this".to_owned() }).collect();
        if others.len() > PLACES_MAX {
            complaint = complaint.note(format!("and {} more", others.len() - PLACES_MAX));
        }
        self.diagnostics.push(complaint);
    }
}

/// The keys of a section's entries, where they are mappings.
fn entries<'a>(shapes: &'a SchemaShapes, section: &'a str, id: ShapeId) -> Option<SectionKeys<'a>> {
    let SchemaShape::Mapping { keys, others: Some(entry), .. } = shapes.get(id) else { return None };
    let SchemaShape::Mapping { keys: inner, required, others: None } = shapes.get(*entry) else { return None };
    keys.is_empty().then_some(SectionKeys { section, keys: inner, required })
}

/// Takes out of a section the entries that fit another one, by the section they fit.
fn misplaced<'s, 'a>(
    inner: &mut YamlMapping<'s>,
    own: &SectionKeys<'a>,
    sections: &[SectionKeys<'a>],
) -> Vec<(&'a str, Vec<YamlPair<'s>>)> {
    let mut misplaced: Vec<(&str, Vec<YamlPair<'s>>)> = Vec::new();
    let stranger = |pair: &YamlPair<'_>| match &pair.value.kind {
        YamlKind::Mapping(entry) if !own.knows(entry) => home_of(pair, sections),
        _ => None,
    };
    if inner.pairs.iter().all(|pair| stranger(pair).is_none()) {
        return misplaced;
    }
    let mut stay = Vec::new();
    for pair in std::mem::take(&mut inner.pairs) {
        // After the first stranger of a home, what could be of that home too is: its line was above.
        let last = misplaced.last().map(|(home, _)| *home);
        let follows = last.filter(|home| !own_required(own, &pair) && fits(&pair, home, sections));
        match (stranger(&pair).or(follows), misplaced.last_mut()) {
            (Some(home), Some((last, entries))) if *last == home => entries.push(pair),
            (Some(home), _) => misplaced.push((home, vec![pair])),
            (None, _) => stay.push(pair),
        }
    }
    inner.pairs = stay;
    misplaced
}

/// True if an entry has all keys that its section requires.
fn own_required(own: &SectionKeys<'_>, pair: &YamlPair<'_>) -> bool {
    matches!(&pair.value.kind, YamlKind::Mapping(entry) if own.fit(entry))
}

fn fits(pair: &YamlPair<'_>, home: &str, sections: &[SectionKeys<'_>]) -> bool {
    let YamlKind::Mapping(entry) = &pair.value.kind else { return false };
    sections.iter().any(|section| section.section == home && section.fit(entry))
}

/// The one section that an entry fits.
fn home_of<'a>(pair: &YamlPair<'_>, sections: &[SectionKeys<'a>]) -> Option<&'a str> {
    let YamlKind::Mapping(entry) = &pair.value.kind else { return None };
    let mut fitting = sections.iter().filter(|section| section.fit(entry));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first.section)
}

/// Puts entries into their section, which is made where there is none.
fn settle<'s>(mapping: &mut YamlMapping<'s>, home: &str, entries: Vec<YamlPair<'s>>) {
    let Some(place) = entries.first().map(|pair| pair.key.place) else { return };
    let index = mapping.pairs.iter().position(|pair| pair.key.text == home).unwrap_or_else(|| {
        let key = YamlKey { text: Cow::Owned(home.to_owned()), place };
        let value = YamlNode { place, kind: YamlKind::Mapping(YamlMapping::default()) };
        mapping.pairs.push(YamlPair { key, value });
        mapping.pairs.len() - 1
    });
    if let YamlKind::Mapping(section) = &mut mapping.pairs[index].value.kind {
        let free = |pair: &YamlPair<'_>| section.get(&pair.key.text).is_none();
        let new: Vec<YamlPair<'s>> = entries.into_iter().filter(free).collect();
        section.pairs.extend(new);
    }
}
