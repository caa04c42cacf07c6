//! Error codes, groups and kinds.

use super::braces::braces;
use super::context::CheckContext;
use crate::diagnostics::codes::{errors, references, types};
use crate::diagnostics::{Diagnostic, closest};
use crate::map::HashMap;
use crate::model::{DeclaredErrorCode, EnvelopeStyle, SourceSpan, SpannedText, SpecEntry, SpecSection};

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
        self.kinds();
        self.wire_codes();
    }

    /// Errors that clients of a style know by one code are of one kind.
    fn wire_codes(&mut self) {
        let spec = self.spec;
        for style in EnvelopeStyle::ALL {
            let mut known: HashMap<&str, (&str, SourceSpan)> = HashMap::default();
            for code in spec.errors.values() {
                let Some(wire) = code.names.get(style) else { continue };
                let (kind, first) = *known.entry(wire.value.as_str()).or_insert((code.kind.value.as_str(), wire.place));
                if kind != code.kind.value {
                    let message = format!("clients know errors of the kind `{kind}` by `{}`", wire.value);
                    let complaint = Diagnostic::error(errors::WIRE_CODE_TAKEN, wire.place, message);
                    self.complain(complaint.and(first, "the first one"));
                }
            }
        }
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

    /// Every kind has a name in every style whose envelopes show it.
    fn kinds(&mut self) {
        let spec = self.spec;
        let says_kind = |style: &EnvelopeStyle| {
            let mut envelopes = spec.envelopes.values().filter(|envelope| envelope.style.value == *style);
            envelopes.any(|envelope| super::envelopes::shows_value(&envelope.body, "kind"))
        };
        let styles: Vec<EnvelopeStyle> = EnvelopeStyle::ALL.into_iter().filter(says_kind).collect();
        for (name, kind) in &spec.kinds {
            let missing = styles.iter().filter(|style| kind.name(**style).is_none());
            let missing: Vec<String> = missing.map(|style| format!("`{}`", style.key())).collect();
            if !missing.is_empty() && !self.damage.lacks(SpecSection::Kinds, name, &["a", "o", "g", "account"]) {
                let message = format!("the kind `{name}` has no name in the style {}", missing.join(", "));
                self.complain(Diagnostic::error(errors::KIND_WITHOUT_NAME, kind.place, message));
            }
        }
    }
}
