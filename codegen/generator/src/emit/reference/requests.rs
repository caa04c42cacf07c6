//! The request objects as tables: one for each, its names by class.

use crate::map::IndexMap;
use crate::resolve::{ResolvedMemberClass, ResolvedRequestObject, ResolvedSpec};

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

pub(super) fn objects(lowered: &ResolvedSpec<'_>) -> Vec<ObjectText> {
    lowered.request_objects.iter().map(|(name, object)| text(name, object)).collect()
}

fn text(name: &str, object: &ResolvedRequestObject<'_>) -> ObjectText {
    let format = object.body_of.map(|format| format!(" The whole body in format {format}.")).unwrap_or_default();
    let kind = object.kind_in.map(|member| format!(" `{member}` says which kind it is.")).unwrap_or_default();
    let state = if object.text_is_state { " A text in its place is an id, and refused." } else { "" };
    ObjectText {
        name: name.to_owned(),
        about: format!("{}{format}{kind}{state}", object.doc),
        rows: [rows("member", &object.members), rows("kind", &object.kinds)].concat(),
    }
}

fn rows(what: &'static str, classes: &IndexMap<&str, ResolvedMemberClass<'_>>) -> Vec<ClassRow> {
    let mut by_class: IndexMap<String, Vec<String>> = IndexMap::default();
    for (name, class) in classes {
        by_class.entry(words(class)).or_default().push(format!("`{name}`"));
    }
    by_class.into_iter().map(|(class, names)| ClassRow { what, class, names: names.join(", ") }).collect()
}

fn words(class: &ResolvedMemberClass<'_>) -> String {
    match class {
        ResolvedMemberClass::Free => "free".to_owned(),
        ResolvedMemberClass::Holds(object) => format!("holds {object}"),
        ResolvedMemberClass::Client => "client".to_owned(),
        ResolvedMemberClass::Tokens => "tokens".to_owned(),
        ResolvedMemberClass::Sold(price) => format!("sold, price `tools.{price}`"),
        ResolvedMemberClass::Tier(base) => format!("tier, base {}", base.join(", ")),
        ResolvedMemberClass::Address(own) => format!("address, not at {}", own.join(", ")),
        ResolvedMemberClass::State => "state".to_owned(),
        ResolvedMemberClass::Model => "model".to_owned(),
    }
}
