//! One complaint.

use super::{DiagnosticCode, codes::operations};
use crate::parse::SourceSpan;

/// A complaint: message, place, reason and correction.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The code of the complaint.
    pub code: DiagnosticCode,
    /// An error stops everything, a warning does not.
    pub severity: Severity,
    /// The complaint in one line.
    pub message: String,
    /// The place at fault, and what to say there.
    pub primary: DiagnosticLabel,
    /// Other places that have to do with it.
    pub secondary: Vec<DiagnosticLabel>,
    /// Further advice.
    pub notes: Vec<String>,
    /// The correction that was probably meant.
    pub suggestion: Option<Suggestion>,
}

/// The weight of a complaint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Worth knowing.
    Warning,
}

/// A place and a word on it.
#[derive(Debug, Clone)]
pub struct DiagnosticLabel {
    /// The place.
    pub place: SourceSpan,
    /// A word on the place; may be empty.
    pub text: String,
}

/// A correction of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The stretch of text to replace.
    pub place: SourceSpan,
    /// The text to write.
    pub text: String,
}

impl Diagnostic {
    /// An error of a stage after the check.
    pub fn not_generated(place: SourceSpan, message: impl Into<String>) -> Self {
        Self::error(operations::NOT_GENERATED, place, message)
    }

    /// An error.
    pub fn error(code: DiagnosticCode, place: SourceSpan, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, place, message.into())
    }

    /// A warning.
    pub fn warning(code: DiagnosticCode, place: SourceSpan, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, place, message.into())
    }

    fn new(severity: Severity, code: DiagnosticCode, place: SourceSpan, message: String) -> Self {
        let primary = DiagnosticLabel { place, text: String::new() };
        Self { code, severity, message, primary, secondary: Vec::new(), notes: Vec::new(), suggestion: None }
    }

    /// Says something at the place at fault.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn and(mut self, place: SourceSpan, text: impl Into<String>) -> Self {
        self.secondary.push(DiagnosticLabel { place, text: text.into() });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Offers a text for the place at fault, where there is one to offer.
    #[must_use]
    pub fn suggest(self, text: Option<impl Into<String>>) -> Self {
        let place = self.primary.place;
        self.suggest_at(place, text)
    }

    /// Offers a text for another place.
    #[must_use]
    pub fn suggest_at(mut self, place: SourceSpan, text: Option<impl Into<String>>) -> Self {
        self.suggestion = text.map(|text| Suggestion { place, text: text.into() });
        self
    }
}
