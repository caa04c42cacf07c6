//! Turns `spec/` into Rust, SQL, schema and documents.
//!
//! Four stages, each with its own data: `parse` (text to a tree with places) → `check` (tree to a typed model, with all
//! complaints) → `lower` (model to what is generated, names settled) → `emit` (that to bytes). YAML is gone after the first
//! stage, tokens appear in the last. Everything but reading a folder and writing one is pure. The first two stages, and what
//! compares two specs, are `tollgate_spec_language`.

pub mod cli;
pub mod emit;
pub mod interface;
pub mod lower;
pub mod outline;

pub use self::outline::{Routed, check_outputs, routed, runtime_codes};
pub use tollgate_spec_language::{Loaded, check, choice, diagnostics, diff, load, map, model, naming, parse, schema};
