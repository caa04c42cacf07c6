//! Types, and the rows of fields that operations show too.

use crate::emit::text::{anchor, cell, decision};
use crate::map::IndexMap;
use crate::resolve::{ResolvedField, ResolvedShape, ResolvedSpec, ResolvedType, ResolvedTypeDef};

pub(super) struct TypeText {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) column: &'static str,
    pub(super) typed: bool,
    pub(super) rows: Vec<ReferenceRow>,
}

/// A field, a parameter or a word.
pub(super) struct ReferenceRow {
    pub(super) name: String,
    pub(super) place: &'static str,
    pub(super) ty: String,
    pub(super) about: String,
}

pub(super) fn types(lowered: &ResolvedSpec<'_>) -> Vec<TypeText> {
    lowered.types.iter().map(|(name, def)| text(name, def)).collect()
}

fn text(name: &str, def: &ResolvedTypeDef<'_>) -> TypeText {
    let (column, typed, rows) = match &def.shape {
        ResolvedShape::Struct { fields, .. } => ("field", true, rows(fields)),
        ResolvedShape::Enum { words, .. } => {
            ("word", false, words.iter().map(|(word, of)| plain(word, of.doc)).collect())
        }
        ResolvedShape::Union { by, of, .. } => {
            let rows = of.iter().flat_map(|(tag, variant)| {
                let head = variant.named.map_or_else(|| "an object".to_owned(), link);
                let head = ReferenceRow { name: format!("{by}: {tag}"), place: "", ty: head, about: String::new() };
                std::iter::once(head).chain(rows_of(&variant.fields, ""))
            });
            ("kind or field", true, rows.collect())
        }
        ResolvedShape::Newtype { .. } => ("", false, Vec::new()),
    };
    TypeText { name: name.to_owned(), about: about(def), column, typed, rows }
}

fn about(def: &ResolvedTypeDef<'_>) -> String {
    let shape = match &def.shape {
        ResolvedShape::Struct { open: true, .. } => " Further fields are kept as they are.".to_owned(),
        ResolvedShape::Enum { open: true, .. } => " Further words may be met.".to_owned(),
        ResolvedShape::Union { open: true, by, .. } => format!(" Further values of `{by}` may be met."),
        ResolvedShape::Newtype { .. } if !def.media.is_empty() => format!(" {}", def.media_words().unwrap_or_default()),
        ResolvedShape::Newtype { is, bounds } => format!(" A {}{}.", is.words(), comma(&bounds.words())),
        _ => String::new(),
    };
    let decided = def.origin.fact.map(|fact| format!(" *Decided: {}.*", decision(fact))).unwrap_or_default();
    format!("{}{shape}{decided}", cell(def.doc.unwrap_or("Without words.")))
}

pub(super) fn rows(fields: &IndexMap<&str, ResolvedField<'_>>) -> Vec<ReferenceRow> {
    rows_of(fields, "").collect()
}

/// The rows of fields or parameters, with the place that they stand in.
pub(super) fn rows_of(
    fields: &IndexMap<&str, ResolvedField<'_>>,
    place: &'static str,
) -> impl Iterator<Item = ReferenceRow> {
    fields.iter().map(move |(name, field)| ReferenceRow {
        name: (*name).to_owned(),
        place,
        ty: type_link(field),
        about: field_about(field),
    })
}

fn field_about(field: &ResolvedField<'_>) -> String {
    let mut parts = vec![cell(field.doc.unwrap_or_default())];
    let bounds = field.bounds.words();
    if !bounds.is_empty() {
        parts.push(format!("{}.", upper_first(&bounds)));
    }
    parts.extend(field.default.as_ref().map(|default| format!("Default: `{default}`.")));
    parts.extend(field.fact.map(|fact| format!("*Decided: {}.*", decision(fact))));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// The type expression, its name a link.
pub(super) fn type_link(field: &ResolvedField<'_>) -> String {
    let optional = if field.optional { "optional " } else { "" };
    let nullable = if field.nullable { " or null" } else { "" };
    format!("{optional}{}{nullable}", ty_link(&field.ty))
}

pub(super) fn ty_link(ty: &ResolvedType) -> String {
    match ty {
        ResolvedType::List(item) => format!("list of {}", ty_link(item)),
        ResolvedType::TextOrList(item) => format!("string or list of {}", ty_link(item)),
        ResolvedType::Map(item) => format!("map of {}", ty_link(item)),
        ResolvedType::Ref(name) => link(name),
        ResolvedType::Const(_) | ResolvedType::Primitive(_) => ty.words(),
    }
}

pub(super) fn link(name: &str) -> String {
    format!("[{name}](#{})", anchor(name))
}

fn plain(word: &str, doc: Option<&str>) -> ReferenceRow {
    ReferenceRow { name: word.to_owned(), place: "", ty: String::new(), about: cell(doc.unwrap_or_default()) }
}

fn comma(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", {text}") }
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
