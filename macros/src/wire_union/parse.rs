//! Attributes of an enum of shapes, to a checked [`Union`].

use syn::{Data, DeriveInput, Fields, Ident, LitStr, Type, Variant};

use crate::attributes::AttributeWords;
use crate::complaints::ItemComplaints;

/// An enum that can be expanded.
pub(super) struct UnionShape {
    pub(super) ident: Ident,
    /// The member that tells the kinds apart.
    pub(super) by: String,
    pub(super) kinds: Vec<UnionKind>,
    /// The variant for all other kinds.
    pub(super) other: Option<Ident>,
}

/// A variant with its value of the discriminator.
pub(super) struct UnionKind {
    pub(super) ident: Ident,
    pub(super) name: String,
    /// The type of its members; `None` for a kind without members of its own.
    pub(super) members: Option<Type>,
}

pub(super) fn read(input: &DeriveInput) -> syn::Result<UnionShape> {
    let mut complaints = ItemComplaints::default();
    let words = AttributeWords::read(&input.attrs, "wire", &["spec", "by"], &mut complaints);
    words.place(&mut complaints);
    let by = words.text("by", &mut complaints);
    if !words.has("by") {
        complaints.add(&input.ident, "a union needs the member that tells its kinds apart: `#[wire(by = \"type\")]`");
    }
    let by = by.as_ref().map(LitStr::value).unwrap_or_default();
    let mut union = UnionShape { ident: input.ident.clone(), by, kinds: Vec::new(), other: None };
    if !input.generics.params.is_empty() {
        complaints.add(&input.generics, "`WireUnion` needs a concrete enum: what is on the wire has no parameters");
    }
    match &input.data {
        Data::Enum(data) => data.variants.iter().for_each(|item| variant(item, &mut union, &mut complaints)),
        Data::Struct(_) | Data::Union(_) => {
            complaints.add(&input.ident, "`WireUnion` is for enums; derive `Wire` for a struct");
        }
    }
    complaints.finish(union)
}

fn variant(item: &Variant, union: &mut UnionShape, complaints: &mut ItemComplaints) {
    let words = AttributeWords::read(&item.attrs, "wire", &["name", "other"], complaints);
    let payloads = match &item.fields {
        Fields::Unit => Some(0),
        Fields::Unnamed(fields) => Some(fields.unnamed.len()),
        Fields::Named(_) => None,
    };
    if let Some(word) = words.sole("other", complaints) {
        match (&union.other, payloads) {
            (Some(first), _) => {
                complaints.add(&word, format!("a second `other`: `{first}` holds the unknown kinds already"));
            }
            (None, Some(1)) => union.other = Some(item.ident.clone()),
            (None, _) => complaints
                .add(&item.ident, format!("`other` keeps the unknown object: write `{}(Unknown)`", item.ident)),
        }
        return;
    }
    if !matches!(payloads, Some(0 | 1)) {
        complaints
            .add(&item.fields, "a kind has one shape: a struct that derives `Wire` in round brackets, or nothing");
    }
    match words.text("name", complaints) {
        Some(name) => {
            if let Some(earlier) = union.kinds.iter().find(|earlier| earlier.name == name.value()) {
                complaints
                    .add(&name, format!("the kind `{}` stands twice: `{}` has it too", name.value(), earlier.ident));
            }
            let members = item.fields.iter().next().map(|field| field.ty.clone());
            union.kinds.push(UnionKind { ident: item.ident.clone(), name: name.value(), members });
        }
        None => complaints
            .add(&item.ident, format!("`{}` needs its value of `{}`: `#[wire(name = \"…\")]`", item.ident, union.by)),
    }
}
