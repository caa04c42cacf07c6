//! The check of envelopes and their placeholders, and of families and their prefixes.

use super::braces::braces;
use super::context::CheckContext;
use crate::diagnostics::codes::{errors, references};
use crate::diagnostics::{Diagnostic, closest};
use crate::model::{EntryMap, FamilyPaths, SourceSpan, SpannedJson, SpannedText, SpecSection};

/// The values an envelope can show.
const PLACEHOLDERS: [&str; 9] = ["say", "kind", "code", "param", "http", "request_id", "remedy", "with", "data"];
/// The placeholders that are no text, and so cannot be mixed into one.
const WHOLE: [&str; 2] = ["with", "data"];
/// The suffixes of a placeholder that stands alone.
const SUFFIXES: [&str; 4] = ["", "?", "?omit", "?\"\""];

impl<'a> CheckContext<'a> {
    pub(super) fn envelopes(&mut self) {
        let spec = self.spec;
        for envelope in spec.envelopes.values() {
            each_word(&envelope.body, &mut |word| self.placeholders(word));
        }
        for (prefix, envelope) in &spec.families {
            if let Some(family) = FamilyPaths::parse(prefix) {
                self.family_asks_for(family, envelope.place);
            } else {
                let message = format!("`{prefix}` is not a path prefix");
                let mended = format!("/{}", prefix.trim_matches('/'));
                let mended = FamilyPaths::parse(&mended).is_some().then_some(mended);
                self.complain(Diagnostic::error(errors::FAMILY_FORM, envelope.place, message).suggest(mended));
            }
            self.resolve(SpecSection::Envelopes, &envelope.envelope, references::UNKNOWN_ENVELOPE);
            for scheme in envelope.auth.schemes() {
                self.resolve(SpecSection::Auth, scheme, references::UNKNOWN_SCHEME);
            }
        }
        if !spec.families.contains_key("/") && !self.damage.lost_name("/") {
            let section = spec.section_places.get(&SpecSection::Families).copied();
            let place = section.unwrap_or(SourceSpan::BEGINNING);
            self.complain(
                Diagnostic::error(errors::NO_ROOT_FAMILY, place, "no family for `/`")
                    .label("the last resort is missing"),
            );
        }
    }

    /// A header that a family asks for is one that the spec names, or that some scheme reads.
    fn family_asks_for(&mut self, family: FamilyPaths<'_>, place: SourceSpan) {
        let Some(header) = family.with.filter(|with| !with.starts_with("query.")) else { return };
        let spec = self.spec;
        let schemes = spec.auth.values().filter_map(|scheme| scheme.header.as_ref());
        let known =
            || spec.wire_names.keys().map(String::as_str).chain(schemes.clone().map(|name| name.value.as_str()));
        if !known().any(|name| name == header) && !self.damage.lost_name(header) {
            let message = format!("there is no header `{header}`");
            let meant = closest(header, known());
            self.complain(Diagnostic::error(references::UNKNOWN_HEADER, place, message).suggest(meant));
        }
    }

    fn placeholders(&mut self, word: &SpannedText) {
        let found = braces(&word.value);
        let alone = found.len() == 1 && found[0].start == 0 && found[0].end == word.value.len();
        for brace in found {
            let place = word.place.part(&word.value, brace.start, brace.end);
            let bad = |message: &str| Diagnostic::error(errors::BAD_PLACEHOLDER, place, message);
            let Some(inside) = brace.inside else {
                self.complain(bad("a brace without its other half"));
                continue;
            };
            let name_end =
                inside.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(inside.len());
            let (name, suffix) = inside.split_at(name_end);
            if !PLACEHOLDERS.contains(&name) {
                let place = word.place.part(&word.value, brace.start + 1, brace.start + 1 + name_end);
                let message = format!("unknown placeholder `{name}`");
                let meant = closest(name, PLACEHOLDERS);
                self.complain(Diagnostic::error(errors::UNKNOWN_PLACEHOLDER, place, message).suggest(meant));
            } else if !SUFFIXES.contains(&suffix) && (name, suffix) != ("http", ":int") {
                let message = format!("`{suffix}` cannot follow `{name}`");
                let meant = closest(suffix, SUFFIXES).filter(|meant| !meant.is_empty());
                let complaint = bad(&message).note("known are `?`, `?omit`, `?\"\"`, and `:int` after `http`");
                self.complain(complaint.suggest(meant.map(|meant| format!("{{{name}{meant}}}"))));
            } else if !alone && (!suffix.is_empty() || WHOLE.contains(&name)) {
                self.complain(bad("this placeholder works only where it is the whole value"));
            }
        }
    }
}

/// Calls `see` with every word in an envelope.
fn each_word<'v>(pairs: &'v EntryMap<SpannedJson>, see: &mut impl FnMut(&'v SpannedText)) {
    fn walk<'v>(value: &'v SpannedJson, see: &mut impl FnMut(&'v SpannedText)) {
        match value {
            SpannedJson::Word(word) => see(word),
            SpannedJson::List(items) => items.iter().for_each(|item| walk(item, see)),
            SpannedJson::Mapping(pairs) => pairs.values().for_each(|value| walk(value, see)),
            SpannedJson::Null | SpannedJson::Bool(_) | SpannedJson::Number(_) => {}
        }
    }
    pairs.values().for_each(|value| walk(value, see));
}

/// True if an envelope shows a value.
pub(super) fn shows_value(body: &EntryMap<SpannedJson>, name: &str) -> bool {
    let mut says = false;
    each_word(body, &mut |word| {
        let inside = braces(&word.value).into_iter().filter_map(|brace| brace.inside);
        says |= inside.map(|inside| inside.split(['?', ':']).next()).any(|shown| shown == Some(name));
    });
    says
}
