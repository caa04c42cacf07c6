//! Lists of fields, parameters and words.

use askama::Template;

use super::site::{Page, escaped};
use crate::lower::Field;
use crate::map::IndexMap;

/// A list.
#[derive(Template, Default)]
#[template(path = "docs/fields.html")]
pub(super) struct Fields {
    pub(super) rows: Vec<Row>,
}

/// One line of it. What is markup here was made by [`Page`].
pub(super) struct Row {
    pub(super) name: String,
    pub(super) ty: String,
    /// `required`, where a request must have it; else empty.
    pub(super) mark: &'static str,
    pub(super) about: String,
}

/// The direction of fields: asked of the reader, or told to him.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Asked,
    Told,
}

impl Fields {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

pub(super) fn fields(page: Page<'_, '_>, all: &IndexMap<&str, Field<'_>>, side: Side) -> Fields {
    Fields { rows: all.iter().map(|(name, field)| row(page, name, field, side)).collect() }
}

pub(super) fn row(page: Page<'_, '_>, name: &str, field: &Field<'_>, side: Side) -> Row {
    let must = !field.optional && field.default.is_none();
    let optional = if must || side == Side::Asked { "" } else { "optional " };
    let nullable = if field.nullable { " or null" } else { "" };
    Row {
        name: name.to_owned(),
        ty: format!("{optional}{}{nullable}", page.ty(&field.ty)),
        mark: if must && side == Side::Asked { "required" } else { "" },
        about: about(page, field),
    }
}

fn about(page: Page<'_, '_>, field: &Field<'_>) -> String {
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
