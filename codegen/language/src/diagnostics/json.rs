//! Complaints as programs read them.

use serde_json::{Value, json};

use super::{Diagnostic, Label, Severity};
use crate::parse::{Place, Sources};

/// One complaint as one JSON object.
#[must_use]
pub fn to_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let place = |place: Place| {
        let path = sources.file(place.file).map_or("spec", |file| file.path.as_str());
        json!({"file": path, "line": place.line, "column": place.column, "start": place.start, "end": place.end})
    };
    let label = |label: &Label| json!({"place": place(label.place), "text": label.text});
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
