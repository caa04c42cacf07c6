//! Attributes of a struct, to a checked [`WireStruct`].

use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Type, Visibility};

use super::kind::argument;
use crate::attributes::{AttributeWords, WholeNumber};
use crate::complaints::ItemComplaints;

const FIELD_WORDS: [&str; 12] = [
    "name",
    "optional",
    "nullable",
    "default",
    "literal",
    "rest",
    "min",
    "max",
    "min_len",
    "max_len",
    "min_items",
    "max_items",
];
const NEWTYPE_WORDS: [&str; 7] = ["spec", "min", "max", "min_len", "max_len", "min_items", "max_items"];
/// The runtime keeps a bit per field.
const FIELDS_MAX: usize = 128;

/// A struct that can be expanded.
pub(super) struct WireStruct {
    pub(super) ident: Ident,
    pub(super) vis: Visibility,
    pub(super) shape: WireShape,
}

pub(super) enum WireShape {
    Object { fields: Vec<WireField>, rest: Option<Ident> },
    Newtype { ty: Box<Type>, bounds: FieldBounds },
}

/// A member of an object.
pub(super) struct WireField {
    pub(super) ident: Ident,
    /// Its name on the wire.
    pub(super) name: String,
    /// The type of the value, without the `Option` that `optional` stands for.
    pub(super) ty: Type,
    pub(super) optional: bool,
    pub(super) default: Option<LitStr>,
    pub(super) literal: Option<LitStr>,
    pub(super) bounds: FieldBounds,
}

#[derive(Default)]
pub(super) struct FieldBounds {
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
    pub(super) min_len: Option<usize>,
    pub(super) max_len: Option<usize>,
    pub(super) min_items: Option<usize>,
    pub(super) max_items: Option<usize>,
}

pub(super) fn read(input: &DeriveInput) -> syn::Result<WireStruct> {
    let mut complaints = ItemComplaints::default();
    let shape = shape(input, &mut complaints);
    if !input.generics.params.is_empty() {
        complaints.add(&input.generics, "`Wire` needs a concrete struct: what is on the wire has no parameters");
    }
    complaints.finish(WireStruct { ident: input.ident.clone(), vis: input.vis.clone(), shape })
}

fn shape(input: &DeriveInput, complaints: &mut ItemComplaints) -> WireShape {
    let nothing = WireShape::Object { fields: Vec::new(), rest: None };
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                let words = AttributeWords::read(&input.attrs, "wire", &["spec", "open"], complaints);
                words.place(complaints);
                let open = words.flag("open", complaints);
                object(&input.ident, fields, open.as_ref(), complaints)
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let words = AttributeWords::read(&input.attrs, "wire", &NEWTYPE_WORDS, complaints);
                words.place(complaints);
                WireShape::Newtype { ty: Box::new(fields.unnamed[0].ty.clone()), bounds: bounds(&words, complaints) }
            }
            Fields::Unnamed(fields) => {
                find_spec(input, complaints);
                complaints.add(fields, "`Wire` needs named fields, or exactly one unnamed field for a newtype");
                nothing
            }
            Fields::Unit => {
                find_spec(input, complaints);
                complaints.add(&input.ident, "`Wire` needs fields in braces; write `{}` for an object without members");
                nothing
            }
        },
        Data::Enum(data) => {
            find_spec(input, complaints);
            complaints.add(
                &data.enum_token,
                "`Wire` is for structs; derive `WireEnum` for names, `WireUnion` for shapes told apart",
            );
            nothing
        }
        Data::Union(data) => {
            find_spec(input, complaints);
            complaints.add(&data.union_token, "`Wire` is for structs");
            nothing
        }
    }
}

/// Finds the spec line of an item that is wrong as a whole; its other words are not the point then.
fn find_spec(input: &DeriveInput, complaints: &mut ItemComplaints) {
    AttributeWords::read(&input.attrs, "wire", &[], &mut ItemComplaints::default()).place(complaints);
}

fn object(ident: &Ident, named: &syn::FieldsNamed, open: Option<&Ident>, complaints: &mut ItemComplaints) -> WireShape {
    let mut rest: Option<Ident> = None;
    let mut fields: Vec<WireField> = Vec::new();
    for item in &named.named {
        let words = AttributeWords::read(&item.attrs, "wire", &FIELD_WORDS, complaints);
        let field_ident = item.ident.clone().expect("a named field has a name");
        if let Some(word) = words.sole("rest", complaints) {
            match &rest {
                Some(first) => {
                    complaints.add(&word, format!("a second `rest`: `{first}` holds the unknown members already"));
                }
                None => rest = Some(field_ident),
            }
            continue;
        }
        let field = field(field_ident, &item.ty, &words, complaints);
        if let Some(earlier) = fields.iter().find(|earlier| earlier.name == field.name) {
            let text = format!("the wire name `{}` stands twice: `{}` has it too", field.name, earlier.ident);
            match words.text("name", complaints) {
                Some(name) => complaints.add(&name, text),
                None => complaints.add(&field.ident, text),
            }
        }
        fields.push(field);
    }
    match (open, &rest) {
        (Some(open), None) => complaints
            .add(open, "an open struct needs a field for what it does not know: `#[wire(rest)] pub rest: Rest`"),
        (None, Some(rest)) => {
            complaints.add(rest, "a struct with a `rest` is open: say so with `#[wire(open)]` on the struct");
        }
        _ => {}
    }
    if fields.len() > FIELDS_MAX {
        complaints.add(ident, format!("`Wire` takes at most {FIELDS_MAX} fields"));
    }
    WireShape::Object { fields, rest }
}

fn field(ident: Ident, ty: &Type, words: &AttributeWords, complaints: &mut ItemComplaints) -> WireField {
    let name = words.text("name", complaints).map_or_else(|| ident.unraw().to_string(), |name| name.value());
    let optional = words.flag("optional", complaints);
    let nullable = words.flag("nullable", complaints);
    let default = words.text("default", complaints);
    let literal = words.text("literal", complaints);
    let bounds = bounds(words, complaints);
    if let (Some(_), Some(default)) = (&optional, &default) {
        complaints.add(default, "a field with a default is never absent: leave `optional` or `default` out");
    }
    if let Some(literal) = literal.as_ref().filter(|_| nullable.is_some() || default.is_some() || bounds.any()) {
        complaints.add(literal, "a literal has one value: only `name` and `optional` go with it");
    }
    let ty = value_type(ty, optional.as_ref(), nullable.as_ref(), complaints);
    WireField { ident, name, ty, optional: optional.is_some(), default, literal, bounds }
}

/// Takes the `Option` of `optional` off and checks that each `Option` has its word.
fn value_type(ty: &Type, optional: Option<&Ident>, nullable: Option<&Ident>, complaints: &mut ItemComplaints) -> Type {
    let inner = argument(ty, "Option");
    let innermost = inner.and_then(|inner| argument(inner, "Option"));
    match (optional, nullable, inner) {
        (None, None, None) => ty.clone(),
        (None, None, Some(_)) => {
            complaints.add(ty, "an `Option` says what it stands for: `optional` (may be absent), `nullable` (may be null), or both on `Option<Option<T>>`");
            ty.clone()
        }
        (Some(word), None, None) | (None, Some(word), None) => {
            complaints.add(ty, format!("`{word}` needs an `Option`"));
            ty.clone()
        }
        (Some(_), Some(_), _) if innermost.is_none() => {
            complaints.add(
                ty,
                "`optional` and `nullable` together need `Option<Option<T>>`: absent is `None`, null is `Some(None)`",
            );
            ty.clone()
        }
        (Some(_), None, Some(inner)) if innermost.is_some() => {
            complaints.add(ty, "the second `Option` needs its word: add `nullable`");
            inner.clone()
        }
        (Some(_), _, Some(inner)) => inner.clone(),
        (None, Some(_), _) | (Some(_), Some(_), None) => ty.clone(),
    }
}

fn bounds(words: &AttributeWords, complaints: &mut ItemComplaints) -> FieldBounds {
    let (min, max) = pair::<i64>(words, "min", "max", complaints);
    let (min_len, max_len) = pair::<usize>(words, "min_len", "max_len", complaints);
    let (min_items, max_items) = pair::<usize>(words, "min_items", "max_items", complaints);
    FieldBounds { min, max, min_len, max_len, min_items, max_items }
}

fn pair<N: TryFrom<i128> + PartialOrd>(
    words: &AttributeWords,
    low: &str,
    high: &str,
    complaints: &mut ItemComplaints,
) -> (Option<N>, Option<N>) {
    let min: Option<WholeNumber<N>> = words.whole(low, complaints);
    let max: Option<WholeNumber<N>> = words.whole(high, complaints);
    if let (Some(min), Some(max)) = (&min, &max)
        && min.value > max.value
    {
        complaints.add(&max.tokens, format!("no value fits: `{high}` is below `{low}`"));
    }
    (min.map(|min| min.value), max.map(|max| max.value))
}

impl FieldBounds {
    pub(super) fn any(&self) -> bool {
        self.min.is_some()
            || self.max.is_some()
            || self.min_len.is_some()
            || self.max_len.is_some()
            || self.min_items.is_some()
            || self.max_items.is_some()
    }
}
