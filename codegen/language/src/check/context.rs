//! The context that every check of the whole model works with.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{lost::LostParts, structure::listed};
use crate::{
    diagnostics::{Diagnostic, DiagnosticCode, DiagnosticLabel, closest},
    map::{HashMap, HashSet},
    model::{DeclaredType, SourceSpan, SpannedText, SpannedValue, Spec, SpecSection},
};

/// The most unknown names that get a suggestion: looking for one takes a walk over all names.
const SUGGESTIONS_MAX: usize = 500;
/// The most names that a note lists where none is close enough to be suggested.
const LISTED_MAX: usize = 12;
/// The most further places of one unknown name that are pointed at.
const PLACES_MAX: usize = 4;

/// The model, what has been complained about, and what has been found in use.
pub(super) struct CheckContext<'a> {
    pub(super) spec: &'a Spec,
    pub(super) damage: &'a LostParts,
    diagnostics: Vec<Diagnostic>,
    /// Unknown names, each complained about once with all its places.
    unknown: HashMap<(String, String), UnresolvedName>,
    used: HashMap<SpecSection, HashSet<&'a str>>,
    keys: Arc<HashMap<SpecSection, BTreeMap<&'a str, SourceSpan>>>,
}

/// A name that was complained about.
struct UnresolvedName {
    /// The complaint, among the diagnostics.
    index: usize,
    /// The name that was probably meant.
    meant: Option<String>,
}

impl<'a> CheckContext<'a> {
    pub(super) fn new(spec: &'a Spec, damage: &'a LostParts) -> Self {
        let keys = SpecSection::ALL.into_iter().map(|section| (section, spec.names(section).collect())).collect();
        let (diagnostics, unknown) = (Vec::new(), HashMap::default());
        Self { spec, damage, diagnostics, unknown, used: HashMap::default(), keys: Arc::new(keys) }
    }

    /// Another of the same model, which knows nothing of what this one found.
    pub(super) fn beside(&self) -> Self {
        let keys = Arc::clone(&self.keys);
        let (diagnostics, unknown, used) = (Vec::new(), HashMap::default(), HashMap::default());
        Self { spec: self.spec, damage: self.damage, diagnostics, unknown, used, keys }
    }

    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// Adds the names that another context has found in use. Neither has complained: unknown names are reported by one of them
    /// alone.
    pub(super) fn add(&mut self, other: Self) {
        for (section, names) in other.used {
            self.used.entry(section).or_default().extend(names);
        }
    }

    /// True if nobody has complained about anything.
    pub(super) fn is_sound(&self) -> bool {
        self.diagnostics.is_empty() && !self.damage.is_any()
    }

    pub(super) fn complain(&mut self, complaint: Diagnostic) {
        self.diagnostics.push(complaint);
    }

    /// True if an entry exists; it is in use from now on. Complains where it does not, unless it may be there after all.
    pub(super) fn resolve(&mut self, section: SpecSection, word: &'a SpannedText, code: DiagnosticCode) -> bool {
        self.resolve_among(section, word, code, section.entry(), |_| true)
    }

    /// [`Self::resolve`] for a section of which not every entry will do, but those that are `what`: the others are not known here,
    /// and not suggested.
    pub(super) fn resolve_among(
        &mut self,
        section: SpecSection,
        SpannedText { value: name, place }: &'a SpannedText,
        code: DiagnosticCode,
        what: &str,
        will_do: impl Fn(&str) -> bool,
    ) -> bool {
        if will_do(name) && self.exists(section, name) {
            self.mark_used(section, name);
            return true;
        }
        if !self.damage.lost_name(name) {
            let known = |context: &Self| context.names(section).into_iter().filter(|name| will_do(name)).collect();
            let meant = self.unknown(code, what, name, *place, known);
            self.mark_meant(section, meant);
        }
        false
    }

    pub(super) fn exists(&self, section: SpecSection, name: &str) -> bool {
        self.keys[&section].contains_key(name)
    }

    /// The names of a section.
    pub(super) fn names(&self, section: SpecSection) -> Vec<&'a str> {
        self.keys[&section].keys().copied().collect()
    }

    /// Complains about a name that is not there, once for all its places; gives what was probably meant.
    pub(super) fn unknown<'c>(
        &mut self,
        code: DiagnosticCode,
        what: &str,
        name: &str,
        place: SourceSpan,
        candidates: impl FnOnce(&Self) -> Vec<&'c str>,
    ) -> Option<String> {
        let key = (what.to_owned(), name.to_owned());
        if let Some(UnresolvedName { index, meant }) = self.unknown.get(&key) {
            let (index, meant) = (*index, meant.clone());
            self.also(index, place);
            return meant;
        }
        let known = if self.unknown.len() < SUGGESTIONS_MAX { candidates(self) } else { Vec::new() };
        let meant = closest(name, known.iter().copied()).map(str::to_owned);
        let mut complaint = Diagnostic::error(code, place, format!("unknown {what} `{name}`")).suggest(meant.clone());
        if meant.is_none() && (1..=LISTED_MAX).contains(&known.len()) {
            complaint = complaint.note(format!("known are {}", listed(known)));
        }
        self.unknown.insert(key, UnresolvedName { index: self.diagnostics.len(), meant: meant.clone() });
        self.complain(complaint);
        meant
    }

    /// Complains once about the same thing in several places.
    pub(super) fn complain_once(&mut self, what: &str, complaint: Diagnostic) {
        let key = (complaint.code.as_str().to_owned(), what.to_owned());
        if let Some(UnresolvedName { index, .. }) = self.unknown.get(&key) {
            self.also(*index, complaint.primary.place);
        } else {
            self.unknown.insert(key, UnresolvedName { index: self.diagnostics.len(), meant: None });
            self.complain(complaint);
        }
    }

    /// Points at a further place of a complaint.
    fn also(&mut self, index: usize, place: SourceSpan) {
        let complaint = &mut self.diagnostics[index];
        if complaint.primary.place != place && complaint.secondary.len() < PLACES_MAX {
            complaint.secondary.push(DiagnosticLabel { place, text: "and here".to_owned() });
        }
    }

    /// Marks the entry that a misspelt name was meant for as used.
    pub(super) fn mark_meant(&mut self, section: SpecSection, meant: Option<String>) {
        let name = meant.and_then(|meant| self.keys[&section].get_key_value(meant.as_str()).map(|(name, _)| *name));
        if let Some(name) = name {
            self.mark_used(section, name);
        }
    }

    pub(super) fn mark_used(&mut self, section: SpecSection, name: &'a str) {
        self.used.entry(section).or_default().insert(name);
    }

    /// True if something refers to an entry, or may do so where it could not be read.
    pub(super) fn is_used(&self, section: SpecSection, name: &str) -> bool {
        self.used.get(&section).is_some_and(|used| used.contains(name)) || self.damage.may_be_used(name)
    }

    /// A type of the spec by its name.
    pub(super) fn type_named(&self, name: &str) -> Option<&'a DeclaredType> {
        self.spec.types.get(name).map(|entry| &entry.value)
    }

    /// Complains about every word of a list that stands in it already.
    pub(super) fn no_repeats(&mut self, code: DiagnosticCode, words: &[SpannedText]) {
        let mut seen: HashMap<&str, SourceSpan> = HashMap::default();
        for SpannedValue { value, place } in words {
            if let Some(first) = seen.get(value.as_str()) {
                self.complain(
                    Diagnostic::error(code, *place, format!("`{value}` is there twice")).and(*first, "the first one"),
                );
            } else {
                seen.insert(value, *place);
            }
        }
    }
}
