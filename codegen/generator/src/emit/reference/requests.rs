//! The request objects as tables: one for each, its names by class.

use crate::lower::{Class, Lowered, RequestObject};
use crate::map::IndexMap;

pub(super) struct ObjectText {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) rows: Vec<ClassRow>,
}

/// All names of one class.
#[derive(Clone)]
pub(super) struct ClassRow {
    pub(super) what: &'static str,
    pub(super) class: String,
    pub(super) names: String,
}

pub(super) fn objects(lowered: &Lowered<'_>) -> Vec<ObjectText> {
    lowered.request_objects.iter().map(|(name, object)| text(name, object)).collect()
}

fn text(name: &str, object: &RequestObject<'_>) -> ObjectText {
    let format = object.body_of.map(|format| format!(" The whole body in format {format}.")).unwrap_or_default();
    let kind = object.kind_in.map(|member| format!(" `{member}` says which kind it is.")).unwrap_or_default();
    let state = if object.text_is_state { " A text in its place is an id, and refused." } else { "" };
    ObjectText {
        name: name.to_owned(),
        about: format!("{}{format}{kind}{state}", object.doc),
        rows: [rows("member", &object.members), rows("kind", &object.kinds)].concat(),
    }
}

fn rows(what: &'static str, classes: &IndexMap<&str, Class<'_>>) -> Vec<ClassRow> {
    let mut by_class: IndexMap<String, Vec<String>> = IndexMap::default();
    for (name, class) in classes {
        by_class.entry(words(class)).or_default().push(format!("`{name}`"));
    }
    by_class.into_iter().map(|(class, names)| ClassRow { what, class, names: names.join(", ") }).collect()
}

fn words(class: &Class<'_>) -> String {
    match class {
        Class::Free => "free".to_owned(),
        Class::Holds(object) => format!("holds {object}"),
        Class::Client => "client".to_owned(),
        Class::Tokens => "tokens".to_owned(),
        Class::Sold(price) => format!("sold, price `tools.{price}`"),
        Class::Tier(base) => format!("tier, base {}", base.join(", ")),
        Class::Address(own) => format!("address, not at {}", own.join(", ")),
        Class::State => "state".to_owned(),
        Class::Model => "model".to_owned(),
    }
}
