//! Attributes of an operation's error enum, to a checked [`ErrorSet`].

use syn::{Data, DeriveInput, Fields, Ident, Path, Variant};

use crate::attributes::AttributeWords;
use crate::complaints::ItemComplaints;
use crate::spans::place;

/// An enum that can be expanded.
pub(super) struct ErrorSet {
    pub(super) ident: Ident,
    /// The operation's name in the spec.
    pub(super) operation: String,
    /// Its place in the spec.
    pub(super) spec: Option<String>,
    /// The module that holds the markers of the codes, when it is not the `code` in scope.
    pub(super) codes: Option<Path>,
    pub(super) variants: Vec<DeclaredCode>,
}

/// A variant and the code that it stands for.
pub(super) struct DeclaredCode {
    pub(super) ident: Ident,
    /// The code as the spec spells it.
    pub(super) code: Ident,
    /// The code's marker: `OrderExpired` for `ORDER_EXPIRED`.
    pub(super) marker: Ident,
    /// The fields, when the code has any.
    pub(super) fields: Vec<Ident>,
}

pub(super) fn read(input: &DeriveInput) -> syn::Result<ErrorSet> {
    let mut complaints = ItemComplaints::default();
    let words = AttributeWords::read(&input.attrs, "op", &["operation", "spec", "codes"], &mut complaints);
    let spec = words.place(&mut complaints);
    let operation = words.text("operation", &mut complaints);
    if operation.is_none() {
        complaints.add(&input.ident, "an error set belongs to an operation: `#[op(operation = \"group.verb\")]`");
    }
    let mut errors = ErrorSet {
        ident: input.ident.clone(),
        operation: operation.map(|operation| operation.value()).unwrap_or_default(),
        spec,
        codes: words.path("codes", &mut complaints),
        variants: Vec::new(),
    };
    if !input.generics.params.is_empty() {
        complaints.add(&input.generics, "`OpError` needs a concrete enum: an operation's error set has no parameters");
    }
    match &input.data {
        Data::Enum(data) => data.variants.iter().for_each(|item| variant(item, &mut errors, &mut complaints)),
        Data::Struct(_) | Data::Union(_) => {
            complaints.add(&input.ident, "`OpError` is for the enum of an operation's errors");
        }
    }
    complaints.finish(errors)
}

fn variant(item: &Variant, errors: &mut ErrorSet, complaints: &mut ItemComplaints) {
    let fields = match &item.fields {
        Fields::Named(fields) => fields.named.iter().filter_map(|field| field.ident.clone()).collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(fields) => {
            complaints.add(fields, "the values of a code have names: use `{ field: Type }` as in its `with`");
            return;
        }
    };
    let Some(code) = code(item, complaints) else { return };
    if let Some(earlier) = errors.variants.iter().find(|earlier| earlier.code == code) {
        complaints.add(&code, format!("the code {code} stands twice: `{}` has it too", earlier.ident));
    }
    let marker = marker(&code);
    errors.variants.push(DeclaredCode { ident: item.ident.clone(), code, marker, fields });
}

/// The code in `#[code(ORDER_EXPIRED)]`.
fn code(item: &Variant, complaints: &mut ItemComplaints) -> Option<Ident> {
    let mut attrs = item.attrs.iter().filter(|attr| attr.path().is_ident("code"));
    let Some(attr) = attrs.next() else {
        complaints.add(&item.ident, format!("`{}` needs its error code: `#[code(SOME_CODE)]`", item.ident));
        return None;
    };
    if let Some(second) = attrs.next() {
        complaints.add(second, format!("`{}` has a second code; a variant stands for one", item.ident));
    }
    let Ok(code) = attr.parse_args::<Ident>() else {
        complaints.add(attr, "write the code as the spec spells it, without quotes: `#[code(SOME_CODE)]`");
        return None;
    };
    let text = code.to_string();
    if text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
        && text.as_bytes()[0].is_ascii_uppercase()
    {
        return Some(code);
    }
    complaints.add(&code, format!("`{text}` is no error code; codes are UPPER_SNAKE"));
    None
}

/// `OrderExpired` for `ORDER_EXPIRED`.
fn marker(code: &Ident) -> Ident {
    let mut name = String::new();
    for part in code.to_string().split('_') {
        let (first, rest) = part.split_at(part.len().min(1));
        name.push_str(first);
        name.push_str(&rest.to_lowercase());
    }
    // As the generator calls them: these mean something else where the values of codes have their types.
    if name == "Self" || name == "String" {
        name.push('_');
    }
    Ident::new(&name, place(code))
}
