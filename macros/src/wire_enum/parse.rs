//! Attributes of an enum of names, to a checked [`NameSet`].

use syn::{Data, DeriveInput, Fields, Ident, Variant};

use crate::attributes::AttributeWords;
use crate::complaints::ItemComplaints;

/// An enum that can be expanded.
pub(super) struct NameSet {
    pub(super) ident: Ident,
    /// Each variant with its name on the wire.
    pub(super) members: Vec<(Ident, String)>,
    /// The variant for all other names.
    pub(super) other: Option<Ident>,
}

pub(super) fn read(input: &DeriveInput) -> syn::Result<NameSet> {
    let mut complaints = ItemComplaints::default();
    let words = AttributeWords::read(&input.attrs, "wire", &["spec"], &mut complaints);
    words.place(&mut complaints);
    let mut names = NameSet { ident: input.ident.clone(), members: Vec::new(), other: None };
    if !input.generics.params.is_empty() {
        complaints.add(&input.generics, "`WireEnum` needs a concrete enum: a set of names has no parameters");
    }
    match &input.data {
        Data::Enum(data) => data.variants.iter().for_each(|item| variant(item, &mut names, &mut complaints)),
        Data::Struct(_) | Data::Union(_) => {
            complaints.add(&input.ident, "`WireEnum` is for enums; derive `Wire` for a struct");
        }
    }
    complaints.finish(names)
}

fn variant(item: &Variant, names: &mut NameSet, complaints: &mut ItemComplaints) {
    let words = AttributeWords::read(&item.attrs, "wire", &["name", "other"], complaints);
    if let Some(word) = words.sole("other", complaints) {
        match (&names.other, &item.fields) {
            (Some(first), _) => {
                complaints.add(&word, format!("a second `other`: `{first}` holds the unknown names already"));
            }
            (None, Fields::Unnamed(fields)) if fields.unnamed.len() == 1 => names.other = Some(item.ident.clone()),
            (None, _) => {
                complaints.add(&item.ident, format!("`other` keeps the unknown name: write `{}(String)`", item.ident));
            }
        }
        return;
    }
    if !matches!(item.fields, Fields::Unit) {
        complaints.add(&item.fields, "a name has no fields; derive `WireUnion` for shapes told apart by a member");
    }
    match words.text("name", complaints) {
        Some(name) => {
            if let Some((earlier, _)) = names.members.iter().find(|(_, known)| *known == name.value()) {
                complaints.add(&name, format!("the name `{}` stands twice: `{earlier}` has it too", name.value()));
            }
            names.members.push((item.ident.clone(), name.value()));
        }
        None => {
            complaints
                .add(&item.ident, format!("`{}` needs its name on the wire: `#[wire(name = \"…\")]`", item.ident));
        }
    }
}
