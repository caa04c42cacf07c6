//! Error codes, groups, kinds, and what the framework answers.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, closest, codes::errors, codes::references, codes::types},
    model::{DeclaredErrorCode, EnvelopeStyle, FRAMEWORK_EVENTS, SourceSpan, SpannedText, SpecEntry, SpecSection},
};

impl<'a> CheckContext<'a> {
    pub(super) fn errors(&mut self) {
        let spec = self.spec;
        for (name, code) in &spec.errors {
            self.resolve(SpecSection::Kinds, &code.kind, references::UNKNOWN_KIND);
            self.sentence(&code.say, name, code);
            self.sentence(&code.remedy, name, code);
            self.statuses(code);
        }
        for codes in spec.groups.values() {
            self.no_repeats(types::WORD_TWICE, &codes.value);
            for code in &codes.value {
                self.resolve(SpecSection::Errors, code, references::UNKNOWN_ERROR);
            }
        }
        for code in spec.framework.values() {
            self.resolve(SpecSection::Errors, &code.value, references::UNKNOWN_ERROR);
        }
        self.events();
        self.kinds();
    }

    /// Each status is listed once.
    fn statuses(&mut self, code: &DeclaredErrorCode) {
        let mut before = vec![&code.http];
        for status in &code.http_also {
            if let Some(first) = before.iter().find(|first| first.value == status.value) {
                let message = format!("`{}` is there twice", status.value);
                let complaint = Diagnostic::error(types::WORD_TWICE, status.place, message);
                self.complain(complaint.and(first.place, "the first one"));
            }
            before.push(status);
        }
    }

    /// `{field}` in a sentence is filled from `with`.
    fn sentence(&mut self, text: &SpannedText, owner: &str, code: &SpecEntry<DeclaredErrorCode>) {
        for brace in braces(&text.value) {
            let (start, end) = (brace.start, brace.end);
            let place = text.place.part(&text.value, start, end);
            let Some(name) = brace.name else {
                let message = "a brace that is no `{field}`";
                self.complain(Diagnostic::error(errors::BAD_PLACEHOLDER, place, message));
                continue;
            };
            if !code.with.contains_key(name) && !self.damage.lost_name(name) {
                let place = text.place.part(&text.value, start + 1, end - 1);
                let meant = closest(name, code.with.keys().map(String::as_str));
                let message = format!("the error carries no `{name}`");
                let mut complaint = Diagnostic::error(errors::UNKNOWN_VALUE, place, message).suggest(meant);
                if code.with.is_empty() {
                    complaint = complaint.note("it carries nothing: `with` is missing");
                    self.complain_once(owner, complaint);
                } else {
                    self.complain(complaint);
                }
            }
        }
    }

    /// Every event of the framework has a code.
    fn events(&mut self) {
        let named = |event: &&&str| self.spec.framework.contains_key(**event) || self.damage.lost_name(event);
        let missing: Vec<String> =
            FRAMEWORK_EVENTS.iter().filter(|event| !named(event)).map(|event| format!("`{event}`")).collect();
        if !missing.is_empty() {
            let place = self.spec.framework.values().last().map_or(SourceSpan::BEGINNING, |last| last.place);
            let message = format!("the framework has no code for {}", missing.join(", "));
            self.complain(
                Diagnostic::error(errors::EVENT_WITHOUT_CODE, place, message).label("the section `framework`"),
            );
        }
    }

    /// Every kind has a name in every style whose envelopes show it.
    fn kinds(&mut self) {
        let spec = self.spec;
        let says_kind = |style: &EnvelopeStyle| {
            let mut envelopes = spec.envelopes.values().filter(|envelope| envelope.style.value == *style);
            envelopes.any(|envelope| super::envelopes::shows_value(&envelope.body, "kind"))
        };
        let styles: Vec<EnvelopeStyle> = EnvelopeStyle::ALL.into_iter().filter(says_kind).collect();
        for (name, kind) in &spec.kinds {
            let missing = styles.iter().filter(|style| kind.get(**style).is_none());
            let missing: Vec<String> = missing.map(|style| format!("`{}`", style.key())).collect();
            if !missing.is_empty() && !self.damage.lacks(SpecSection::Kinds, name, &["a", "o", "g", "account"]) {
                let message = format!("the kind `{name}` has no name in the style {}", missing.join(", "));
                self.complain(Diagnostic::error(errors::KIND_WITHOUT_NAME, kind.place, message));
            }
        }
    }
}

/// A pair of braces in a text, or a lone one.
pub(super) struct BraceSpan<'t> {
    /// The first byte, of `{`.
    pub(super) start: usize,
    /// The first byte after it.
    pub(super) end: usize,
    /// The text between, where it is a name in snake case.
    pub(super) name: Option<&'t str>,
    /// The text between, whatever it is; `None` for a lone brace.
    pub(super) inside: Option<&'t str>,
}

/// The braces of a text.
pub(super) fn braces(text: &str) -> Vec<BraceSpan<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(['{', '}']) {
        let start = from + at;
        let inner = &text[start + 1..];
        let closed = text[start..].starts_with('{').then(|| inner.find(['{', '}'])).flatten();
        let inside = closed.filter(|end| inner[*end..].starts_with('}')).map(|end| &inner[..end]);
        let is_name = |inside: &&str| {
            !inside.is_empty()
                && inside.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let end = inside.map_or(start + 1, |inside| start + inside.len() + 2);
        found.push(BraceSpan { start, end, name: inside.filter(is_name), inside });
        from = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::braces;

    #[test]
    fn braces_are_found() {
        let found =
            |text| braces(text).into_iter().map(|brace| (brace.start, brace.end, brace.name)).collect::<Vec<_>>();
        assert_eq!(found("no {a} in {b_2}"), [(3, 6, Some("a")), (10, 15, Some("b_2"))]);
        assert_eq!(found("{a b} {c"), [(0, 5, None), (6, 7, None)]);
        assert_eq!(found("}{ä}"), [(0, 1, None), (1, 5, None)]);
    }
}
