//! Names that are made of others for the OpenAPI document, which no type of the spec may have.

use super::context::CheckContext;
use crate::{diagnostics::Diagnostic, diagnostics::codes::names, map::HashMap, model::SourceSpan, naming};

/// The suffix of the name of a type in the name of its form.
const PARTS: &str = "Parts";

impl CheckContext<'_> {
    pub(super) fn made_names(&mut self) {
        let spec = self.spec;
        let envelopes: HashMap<String, SourceSpan> =
            spec.envelopes.iter().map(|(name, entry)| (naming::upper_camel(name), entry.place)).collect();
        let forms: HashMap<&str, SourceSpan> = spec
            .operations
            .values()
            .filter_map(|operation| operation.body.as_ref()?.0.multipart.as_ref())
            .map(|form| (form.value.as_str(), form.place))
            .collect();
        for (name, entry) in &spec.types {
            let of_form = name.strip_suffix(PARTS).and_then(|form| forms.get(form));
            let of_envelopes = |prefix: &str| {
                let rest = name.strip_prefix(prefix)?;
                let known: Option<Vec<&SourceSpan>> = rest.split("Or").map(|one| envelopes.get(one)).collect();
                envelopes.get(rest).or_else(|| known?.first().copied())
            };
            let of_error = || ["OpenError", "ErrorCode", "Error"].into_iter().find_map(of_envelopes);
            let made = of_form.map(|place| (*place, "the parts of this form"));
            if let Some((place, what)) = made.or_else(|| of_error().map(|place| (*place, "errors of this envelope"))) {
                let message = format!("`{name}` is the name of {what} in the OpenAPI document");
                self.complain(Diagnostic::error(names::MADE_NAME, entry.place, message).and(place, "made of this"));
            }
        }
    }
}
