//! Lists of fields, parameters and words.

use askama::Template;

use super::markup::escaped;
use super::site::DocsPage;
use crate::map::IndexMap;
use crate::resolve::ResolvedField;

/// A list.
#[derive(Template, Default)]
#[template(path = "docs/fields.html")]
pub(super) struct FieldTable {
    pub(super) rows: Vec<FieldTableRow>,
}

/// One line of it. What is markup here was made by [`DocsPage`].
pub(super) struct FieldTableRow {
    pub(super) name: String,
    pub(super) ty: String,
    /// `required`, where a request must have it; else empty.
    pub(super) mark: &'static str,
    pub(super) about: String,
}

/// The direction of fields: asked of the reader, or told to him.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldDirection {
    Asked,
    Told,
}

impl FieldTable {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

pub(super) fn fields(
    page: DocsPage<'_, '_>,
    all: &IndexMap<&str, ResolvedField<'_>>,
    side: FieldDirection,
) -> FieldTable {
    FieldTable { rows: all.iter().map(|(name, field)| row(page, name, field, side)).collect() }
}

pub(super) fn row(
    page: DocsPage<'_, '_>,
    name: &str,
    field: &ResolvedField<'_>,
    side: FieldDirection,
) -> FieldTableRow {
    let must = !field.optional && field.default.is_none();
    let optional = if must || side == FieldDirection::Asked { "" } else { "optional " };
    let nullable = if field.nullable { " or null" } else { "" };
    FieldTableRow {
        name: name.to_owned(),
        ty: format!("{optional}{}{nullable}", page.ty(&field.ty)),
        mark: if must && side == FieldDirection::Asked { "required" } else { "" },
        about: about(page, field),
    }
}

fn about(page: DocsPage<'_, '_>, field: &ResolvedField<'_>) -> String {
    let mut parts = vec![page.words(field.doc.unwrap_or_default())];
    let bounds = field.bounds.words();
    if !bounds.is_empty() {
        parts.push(format!("<span class=\"bound\">{}</span>", escaped(&upper_first(&bounds))));
    }
    parts.extend(
        field.default.as_ref().map(|default| {
            format!("<span class=\"bound\">Default <code>{}</code></span>", escaped(&default.to_string()))
        }),
    );
    parts.extend(field.secret.then(|| "<span class=\"bound\">Secret</span>".to_owned()));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
