//! Attributes of an enum of names, to a checked [`NameSet`].

use syn::{Data, DeriveInput, Expr, ExprLit, Fields, Ident, Lit, Meta, MetaNameValue, Variant};

use crate::attributes::AttributeWords;
use crate::complaints::ItemComplaints;

/// An enum that can be expanded.
pub(super) struct NameSet {
    pub(super) ident: Ident,
    /// The variants.
    pub(super) members: Vec<Member>,
    /// The variant for all other names.
    pub(super) other: Option<Ident>,
}

/// A variant with its name on the wire.
pub(super) struct Member {
    pub(super) ident: Ident,
    pub(super) name: String,
    /// Its doc, in one line. Empty where it has none.
    pub(super) meaning: String,
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
            if let Some(Member { ident, .. }) = names.members.iter().find(|known| known.name == name.value()) {
                complaints.add(&name, format!("the name `{}` stands twice: `{ident}` has it too", name.value()));
            }
            names.members.push(Member { ident: item.ident.clone(), name: name.value(), meaning: meaning(item) });
        }
        None => {
            complaints
                .add(&item.ident, format!("`{}` needs its name on the wire: `#[wire(name = \"…\")]`", item.ident));
        }
    }
}

/// The doc of a variant, its lines joined.
fn meaning(item: &Variant) -> String {
    let lines = item.attrs.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(MetaNameValue { path, value: Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), .. })
            if path.is_ident("doc") =>
        {
            Some(text.value().trim().to_owned())
        }
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ")
}
