//! Public items without a doc. Variants, positional fields and private items need none.

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta, TraitItem, Visibility};

use super::doc_openings::doc_text;
use super::figure::{Figure, Measurement, Offender, Unit, share};
use super::sources::{Group, SourceFile};

const UNDOCUMENTED: Figure = Figure {
    key: "undocumented_public_items_percent",
    unit: Unit::Percent,
    goal: 30,
    advice: "document the item: what it is, unit, range, errors",
};

/// The public items of a group that have no doc.
pub(super) fn measure(group: Group, sources: &[&SourceFile]) -> Measurement {
    let (mut undocumented, mut whole) = (Vec::new(), 0);
    for source in sources {
        let mut visitor = PublicItems { path: &source.file.path, undocumented: Vec::new(), count: 0 };
        visitor.visit_file(&source.syntax);
        undocumented.append(&mut visitor.undocumented);
        whole += visitor.count;
    }
    Measurement {
        group: group.key(),
        figure: &UNDOCUMENTED,
        value: share(undocumented.len(), whole),
        offenders: undocumented,
    }
}

struct PublicItems<'s> {
    path: &'s str,
    undocumented: Vec<Offender>,
    count: usize,
}

impl PublicItems<'_> {
    /// Counts an item that is `pub` or `pub(crate)`; what is `pub(super)` is private to its neighbours.
    fn item(&mut self, visibility: &Visibility, name: &Ident, attributes: &[Attribute]) {
        let is_public = match visibility {
            Visibility::Public(_) => true,
            Visibility::Restricted(to) => to.path.is_ident("crate"),
            Visibility::Inherited => false,
        };
        if !is_public || attributes.iter().any(is_hidden) {
            return;
        }
        self.count += 1;
        if !attributes.iter().any(|attribute| doc_text(attribute).is_some()) {
            let line = name.span().start().line;
            self.undocumented.push(Offender { path: self.path.to_owned(), line, what: name.to_string() });
        }
    }
}

/// True for `#[doc(hidden)]`, which takes an item out of the documentation.
fn is_hidden(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("doc") && list.tokens.to_string() == "hidden")
}

impl<'ast> Visit<'ast> for PublicItems<'_> {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.item(&item.vis, &item.ident, &item.attrs);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.item(&item.vis, &item.ident, &item.attrs);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.item(&item.vis, &item.sig.ident, &item.attrs);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.item(&item.vis, &item.ident, &item.attrs);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.item(&item.vis, &item.ident, &item.attrs);
        visit::visit_fields(self, &item.fields);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.item(&item.vis, &item.ident, &item.attrs);
        for member in &item.items {
            match member {
                TraitItem::Const(member) => self.item(&item.vis, &member.ident, &member.attrs),
                TraitItem::Fn(member) => self.item(&item.vis, &member.sig.ident, &member.attrs),
                TraitItem::Type(member) => self.item(&item.vis, &member.ident, &member.attrs),
                _ => {}
            }
        }
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.item(&item.vis, &item.ident, &item.attrs);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.item(&item.vis, &item.ident, &item.attrs);
        visit::visit_fields_named(self, &item.fields);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            self.item(&field.vis, name, &field.attrs);
        }
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.item(&item.vis, &item.ident, &item.attrs);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.item(&item.vis, &item.sig.ident, &item.attrs);
    }
}

#[test]
fn undocumented_items_are_counted() {
    let text = "\
/// A doc.
pub struct A {
    pub b: u8,
    c: u8,
}
pub(crate) struct D(pub u8);
pub(super) struct S;
#[doc(hidden)]
pub fn e() {}
fn f() { pub const G: u8 = 0; }
impl A {
    pub(crate) fn h() {}
    /// A doc.
    pub const I: u8 = 0;
    fn j() {}
}
pub trait K { fn l(); #[doc = \"A doc.\"] type M; }
trait N { fn o(); }
pub enum P { Q { r: u8 } }
";
    let sources = super::sources::sample(&[("a.rs", text)]);
    let measured = measure(Group::Server, &sources.iter().collect::<Vec<_>>());
    let names: Vec<&str> = measured.offenders.iter().map(|offender| &*offender.what).collect();
    assert_eq!((names, measured.value), (vec!["b", "D", "h", "K", "l", "P"], share(6, 9)));
}
