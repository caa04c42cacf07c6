//! The check of the runtime's own acts: a code for each event that operations can meet, a limit in the right unit for each bound.

use super::context::CheckContext;
use super::structure::listed;
use crate::diagnostics::codes::{errors, references};
use crate::diagnostics::{Diagnostic, DiagnosticCode};
use crate::model::{
    BODY_BYTES, BODY_TOO_LARGE, FRAMEWORK_EVENTS, FrameworkEvent, LimitUnit, RUNTIME_HEADERS, RUNTIME_LIMITS,
    RuntimeCause, SourceSpan, SpannedText, SpecSection,
};

impl<'a> CheckContext<'a> {
    pub(super) fn framework(&mut self) {
        let spec = self.spec;
        for event in &FRAMEWORK_EVENTS {
            let Some(code) = spec.framework.get(event.name) else { continue };
            if self.resolve(SpecSection::Errors, &code.value, references::UNKNOWN_ERROR) {
                self.offered(event, &code.value);
            }
        }
        let needed = FRAMEWORK_EVENTS.iter().map(|event| {
            let offers: Vec<String> = event.offers.iter().map(|(name, ty)| format!("`{name}: {}`", ty.key())).collect();
            let offers = if offers.is_empty() { "no values".to_owned() } else { offers.join(", ") };
            (event.name, event.cause, format!("{}; it offers {offers}", event.doc))
        });
        self.missing((SpecSection::Framework, "code"), errors::EVENT_WITHOUT_CODE, needed);
    }

    pub(super) fn runtime_limits(&mut self) {
        let spec = self.spec;
        for bound in &RUNTIME_LIMITS {
            match spec.runtime_limits.get(bound.name) {
                Some(limit) if bound.name == BODY_BYTES => self.body_limit(&limit.value),
                Some(limit) => {
                    self.limit_in(&limit.value, bound.unit);
                }
                None => {}
            }
        }
        let needed = RUNTIME_LIMITS
            .iter()
            .map(|bound| (bound.name, bound.cause, format!("{}, in `{}`", bound.doc, bound.unit.key())));
        self.missing((SpecSection::RuntimeLimits, "limit"), errors::BOUND_WITHOUT_LIMIT, needed);
    }

    pub(super) fn runtime_headers(&mut self) {
        let spec = self.spec;
        for header in &RUNTIME_HEADERS {
            if let Some(name) = spec.runtime_headers.get(header.name) {
                let is_header = |name: &str| !name.starts_with('/');
                let (section, code) = (SpecSection::WireNames, references::UNKNOWN_WIRE_NAME);
                self.resolve_among(section, &name.value, code, "header", is_header);
            }
        }
        let needed = RUNTIME_HEADERS.iter().map(|header| (header.name, header.cause, header.doc.to_owned()));
        self.missing((SpecSection::RuntimeHeaders, "header"), errors::HEADER_WITHOUT_NAME, needed);
    }

    /// Complains once about all keys of a section that are not there and that some operation needs.
    fn missing(
        &mut self,
        (section, what): (SpecSection, &str),
        code: DiagnosticCode,
        needed: impl Iterator<Item = (&'static str, RuntimeCause, String)>,
    ) {
        let spec = self.spec;
        let named: Vec<&str> = spec.names(section).map(|(name, _)| name).collect();
        let lacks = |name: &&str| !named.contains(name) && !self.damage.lost_name(name);
        let missing: Vec<(&str, String)> = needed
            .filter(|(name, ..)| lacks(name))
            .filter_map(|(name, cause, about)| {
                let operation = cause.operation(spec)?;
                Some((name, format!("`{name}`: {about}; needed as `{operation}` {}", cause.words())))
            })
            .collect();
        if missing.is_empty() || self.damage.lost_name(section.key()) {
            return;
        }
        let place = spec.section_places.get(&section).copied().unwrap_or(SourceSpan::BEGINNING);
        let names = listed(missing.iter().map(|(name, _)| *name));
        let message = format!("`{}` names no {what} for {names}", section.key());
        let complaint = Diagnostic::error(code, place, message).label(format!("add a line with the {what} for each"));
        self.complain(missing.into_iter().fold(complaint, |complaint, (_, note)| complaint.note(note)));
    }

    /// The code of an event carries no value but those that the event offers.
    fn offered(&mut self, event: &FrameworkEvent, code: &'a SpannedText) {
        let Some(declared) = self.spec.errors.get(&code.value) else { return };
        for (name, carried) in &declared.with {
            let message = match event.offers.iter().find(|(offered, _)| offered == name) {
                Some((_, offered)) if *offered == carried.value.value => continue,
                Some((_, offered)) => format!(
                    "`{}` carries `{name}` as `{}`, and the event `{}` offers it as `{}`",
                    code.value,
                    carried.value.value.key(),
                    event.name,
                    offered.key()
                ),
                None => format!("`{}` carries `{name}`, which the event `{}` does not offer", code.value, event.name),
            };
            let offers = event.offers.iter().map(|(offered, _)| *offered);
            let note = match event.offers {
                [] => "it offers no values: name a code without `with`".to_owned(),
                _ => format!("it offers {}", listed(offers)),
            };
            let complaint = Diagnostic::error(errors::VALUE_NOT_OFFERED, code.place, message).note(note);
            let what = format!("{} {name} {}", event.name, code.value);
            self.complain_once(&what, complaint.and(carried.place, "the value"));
        }
    }

    /// Resolves the limit of a body, whose code is filled as that of the runtime's event.
    pub(super) fn body_limit(&mut self, limit: &'a SpannedText) {
        if !self.limit_in(limit, LimitUnit::Bytes) {
            return;
        }
        let code = self.spec.limits.get(&limit.value).and_then(|limit| limit.error.as_ref());
        let event = FRAMEWORK_EVENTS.iter().find(|event| event.name == BODY_TOO_LARGE);
        if let Some((event, code)) = event.zip(code) {
            self.offered(event, code);
        }
    }

    /// Resolves a reference to a limit, which has to be in a unit; true if it is.
    pub(super) fn limit_in(&mut self, limit: &'a SpannedText, wanted: LimitUnit) -> bool {
        if !self.resolve(SpecSection::Limits, limit, references::UNKNOWN_LIMIT) {
            return false;
        }
        let Some(declared) = self.spec.limits.get(&limit.value) else { return false };
        let Some(unit) = declared.bound().map(|bound| bound.unit()).filter(|unit| *unit != wanted) else { return true };
        let message =
            format!("the limit `{}` is in `{}`, and one in `{}` is wanted", limit.value, unit.key(), wanted.key());
        let others = self.spec.limits.iter().filter(|(_, other)| other.bound().is_some_and(|it| it.unit() == wanted));
        let others = listed(others.map(|(name, _)| name.as_str()).take(LISTED_MAX));
        let mut complaint =
            Diagnostic::error(errors::LIMIT_UNIT, limit.place, message).and(declared.place, "the limit");
        if !others.is_empty() {
            complaint = complaint.note(format!("limits in `{}` are {others}", wanted.key()));
        }
        self.complain(complaint);
        false
    }
}

/// The most limits of the right unit that a note lists.
const LISTED_MAX: usize = 12;
