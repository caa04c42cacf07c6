//! Complaints as programs read them.

use serde_json::{Value, json};

use super::{Diagnostic, DiagnosticLabel, Severity};
use crate::parse::{SourceSpan, SpecSources};

/// One complaint as one JSON object.
#[must_use]
pub fn to_json(diagnostic: &Diagnostic, sources: &SpecSources) -> Value {
    let place = |place: SourceSpan| {
        let path = sources.file(place.file).map_or("spec", |file| file.path.as_str());
        json!({"file": path, "line": place.line, "column": place.column, "start": place.start, "end": place.end})
    };
    let label = |label: &DiagnosticLabel| json!({"place": place(label.place), "text": label.text});
    json!({
        "code": diagnostic.code.as_str(),
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": diagnostic.message,
        "primary": label(&diagnostic.primary),
        "secondary": diagnostic.secondary.iter().map(label).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "suggestion": diagnostic.suggestion.as_ref().map(|suggestion| {
            json!({"place": place(suggestion.place), "text": suggestion.text})
        }),
    })
}
