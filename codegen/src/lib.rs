//! Turns `spec/` into Rust, SQL, schema and documents.
//!
//! Four stages, each with its own data: `parse` (text to a tree with places) → `check` (tree to a typed model, with
//! all complaints) → `lower` (model to what is generated, names settled) → `emit` (that to bytes). YAML is gone after
//! the first stage, tokens appear in the last. Everything but reading a folder and writing one is pure.

pub mod check;
pub mod choice;
pub mod cli;
pub mod diagnostics;
pub mod diff;
pub mod emit;
pub mod interface;
pub mod lower;
pub mod map;
pub mod model;
pub mod naming;
pub mod outline;
pub mod parse;
pub mod schema;

pub use self::{
    check::{Loaded, load},
    outline::{Routed, check_outputs, routed, runtime_codes},
};
