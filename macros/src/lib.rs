//! The impl bodies that every generated item of a kind needs.
//!
//! codegen says what exists, these macros say how it behaves: a shape is its field list, a machine its table. They see
//! the tokens of one item and nothing else: no file, no environment, no other item. What they make calls the runtime
//! as `crate::api::…`, so any crate with an `api` module can host generated code.
//!
//! Each macro has a folder: the door, `parse` (attributes to a checked struct) and `expand` (the struct to code). All
//! complaints about an item are given at once, each at the token at fault, each with the item's place in the spec.

mod attributes;
mod complaints;
mod machine;
mod op_error;
mod spans;
mod wire;
mod wire_enum;
mod wire_union;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Reads and writes a struct as a JSON object, keeping what it does not know where it is `open`.
///
/// On the struct: `spec = "file: key"`, `open`. On a field: `name`, `optional`, `nullable`, `default = "JSON text"`,
/// `literal = "text"`, `min`, `max`, `min_len`, `max_len`, `min_items`, `max_items`, and `rest` on the one field of an
/// open struct that holds the unknown members.
///
/// On a struct with one unnamed field, a newtype: `spec` and the bounds; gives `new`, `get` and `into_inner`.
#[proc_macro_derive(Wire, attributes(wire))]
pub fn wire(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    wire::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Reads and writes an enum as one of a set of names: `#[wire(name = "end_turn")] EndTurn`.
///
/// With one variant `#[wire(other)] Other(String)` the set is open and unknown names survive.
#[proc_macro_derive(WireEnum, attributes(wire))]
pub fn wire_enum(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    wire_enum::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Reads and writes an enum of shapes as objects that a member tells apart: `#[wire(by = "type")]` on the enum,
/// `#[wire(name = "text")] Text(TextBlock)` on a variant.
///
/// With one variant `#[wire(other)] Other(Unknown)` the union is open and objects of unknown kinds survive.
#[proc_macro_derive(WireUnion, attributes(wire))]
pub fn wire_union(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    wire_union::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes an enum the closed error set of an operation: `#[op(operation = "x402.pay")]` on the enum and
/// `#[code(ORDER_EXPIRED)] OrderExpired` on a variant, whose fields are those of the marker `code::OrderExpired`.
#[proc_macro_derive(OpError, attributes(op, code))]
pub fn op_error(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    op_error::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Turns a state table, or a view of one, into its types, its checks and its statements.
#[proc_macro]
pub fn machine(input: TokenStream) -> TokenStream {
    machine::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
