//! One complaint.

use super::{Code, codes::operations};
use crate::parse::Place;

/// A complaint: message, place, reason and correction.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The code of the complaint.
    pub code: Code,
    /// An error stops everything, a warning does not.
    pub severity: Severity,
    /// The complaint in one line.
    pub message: String,
    /// The place at fault, and what to say there.
    pub primary: Label,
    /// Other places that have to do with it.
    pub secondary: Vec<Label>,
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
pub struct Label {
    /// The place.
    pub place: Place,
    /// A word on the place; may be empty.
    pub text: String,
}

/// A correction of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The stretch of text to replace.
    pub place: Place,
    /// The text to write.
    pub text: String,
}

impl Diagnostic {
    /// An error of a stage after the check.
    pub fn not_generated(place: Place, message: impl Into<String>) -> Self {
        Self::error(operations::NOT_GENERATED, place, message)
    }

    /// An error.
    pub fn error(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, place, message.into())
    }

    /// A warning.
    pub fn warning(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, place, message.into())
    }

    fn new(severity: Severity, code: Code, place: Place, message: String) -> Self {
        let primary = Label { place, text: String::new() };
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
    pub fn and(mut self, place: Place, text: impl Into<String>) -> Self {
        self.secondary.push(Label { place, text: text.into() });
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
    pub fn suggest_at(mut self, place: Place, text: Option<impl Into<String>>) -> Self {
        self.suggestion = text.map(|text| Suggestion { place, text: text.into() });
        self
    }
}
