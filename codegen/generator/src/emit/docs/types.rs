//! Types: those of a group on its page, the others on a page of their own.

use askama::Template;

use super::fields::{FieldDirection, FieldTable, FieldTableRow, fields, upper_first};
use super::markup::rendered;
use super::site::DocsPage;
use crate::resolve::{ResolvedShape, ResolvedTypeDef};

/// A list of types.
#[derive(Template)]
#[template(path = "docs/types.html")]
pub(super) struct TypeSections {
    types: Vec<TypeSection>,
}

struct TypeSection {
    name: String,
    about: String,
    /// Its kind, and what else may be met.
    notes: Vec<String>,
    fields: FieldTable,
}

/// The page of the types that belong to no group.
#[derive(Template)]
#[template(path = "docs/shared_types.html")]
struct SharedTypesPage {
    types: TypeSections,
}

pub(super) fn content(page: &DocsPage<'_, '_>) -> String {
    rendered(&SharedTypesPage { types: types(*page) })
}

/// The types that stand on a page.
pub(super) fn types(page: DocsPage<'_, '_>) -> TypeSections {
    let defs = page.site.types(page.name).iter().copied();
    let defs = defs.filter_map(|name| Some((name, page.site.lowered.types.get(name)?)));
    TypeSections { types: defs.map(|(name, def)| text(page, name, def)).collect() }
}

impl TypeSections {
    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

fn text(page: DocsPage<'_, '_>, name: &str, def: &ResolvedTypeDef<'_>) -> TypeSection {
    let mut notes = Vec::new();
    let rows = match &def.shape {
        ResolvedShape::Struct { open, fields: all, .. } => {
            notes.extend(open.then(|| "Further fields are kept as they are.".to_owned()));
            fields(page, all, FieldDirection::Told)
        }
        ResolvedShape::Enum { open, words, .. } => {
            notes.push("One of these words.".to_owned());
            notes.extend(open.then(|| "Further words may be met.".to_owned()));
            let row = |(word, of): (&&str, &crate::resolve::ResolvedEnumWord<'_>)| FieldTableRow {
                name: (*word).to_owned(),
                ty: String::new(),
                mark: "",
                about: page.words(of.doc.unwrap_or_default()),
            };
            FieldTable { rows: words.iter().map(row).collect() }
        }
        ResolvedShape::Union { by, open, of, .. } => {
            notes.push(format!("One of these, told apart by {}.", page.words(&format!("`{by}`"))));
            notes.extend(open.then(|| "Further kinds may be met.".to_owned()));
            let rows = of.iter().flat_map(|(tag, variant)| {
                let ty = variant.named.map_or_else(|| "object".to_owned(), |named| page.link(named));
                let head = FieldTableRow { name: format!("{by}: {tag}"), ty, mark: "", about: String::new() };
                std::iter::once(head).chain(fields(page, &variant.fields, FieldDirection::Told).rows)
            });
            FieldTable { rows: rows.collect() }
        }
        ResolvedShape::Newtype { .. } if !def.media.is_empty() => {
            notes.extend(def.media_words().map(|words| page.words(&words)));
            FieldTable::default()
        }
        ResolvedShape::Newtype { is, bounds, .. } => {
            let words = bounds.words();
            let bounds = if words.is_empty() { String::new() } else { format!(", {words}") };
            notes.push(format!("{}{bounds}.", upper_first(&page.ty(is))));
            FieldTable::default()
        }
    };
    TypeSection { name: name.to_owned(), about: page.words(def.doc.unwrap_or_default()), notes, fields: rows }
}
