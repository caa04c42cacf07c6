//! Complaints about one item: collected, each at its token, all ending with the item's place in the spec.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The complaints about an item. Nothing is reported before [`finish`](Self::finish).
#[derive(Default)]
pub(crate) struct ItemComplaints {
    found: Vec<(TokenStream, String)>,
    spec: Option<String>,
}

impl ItemComplaints {
    /// Sets the place that all complaints end with.
    pub(crate) fn declared_at(&mut self, spec: Option<String>) {
        self.spec = spec;
    }

    /// Notes a complaint at `tokens`.
    pub(crate) fn add(&mut self, tokens: &impl ToTokens, text: impl Into<String>) {
        self.found.push((tokens.to_token_stream(), text.into()));
    }

    /// `value`, or all complaints as one error.
    pub(crate) fn finish<T>(self, value: T) -> syn::Result<T> {
        let place = self.spec.map(|spec| format!(" (declared at {spec})")).unwrap_or_default();
        let errors =
            self.found.into_iter().map(|(tokens, text)| syn::Error::new_spanned(tokens, format!("{text}{place}")));
        match errors.reduce(|mut all, error| {
            all.combine(error);
            all
        }) {
            Some(all) => Err(all),
            None => Ok(value),
        }
    }
}

/// " (did you mean `x`?)" for the nearest of the known names, else the list of them.
pub(crate) fn meant<'n>(names: impl IntoIterator<Item = &'n str>, name: &str) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let distance = |known: &str| strsim::damerau_levenshtein(&known.to_lowercase(), &name.to_lowercase());
    match names.iter().map(|known| (distance(known), *known)).min() {
        Some((best, known)) if best * 100 <= known.len().max(name.len()) * 45 => format!("; did you mean `{known}`?"),
        Some(_) => format!("; known here: {}", quoted(names)),
        None => String::new(),
    }
}

/// "`a`, `b`".
pub(crate) fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A text for `diagnostic::on_unimplemented`, which reads it as a format: braces doubled, but for those of `{Self}`.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace("{{Self}}", "{Self}")
}
