//! Turns a sound spec into Rust, SQL, schema, documents and clients.
//!
//! Four stages, each with its own data: `parse` (text to a tree with places) → `check` (tree to a typed model, with all
//! complaints) → `resolve` (model to what is generated, names settled) → `emit` (that to bytes). YAML is gone after the first
//! stage, tokens appear in the last. The first two stages, and what compares two specs, are `tollgate_spec_language`.
//! Everything but reading a folder and writing one is pure.
//!
//! The build of the server stands on this crate, so it holds no command and nothing that only commands need: no parser of
//! arguments, no allocator, no C. The commands are `tollgate-codegen`. Start reading at [`emit::generate`].

pub mod client_model;
pub mod emit;
pub mod inspect;
pub mod resolve;

use tollgate_spec_language::{diff, map, model, naming, schema};

pub use self::inspect::{RoutedOperation, check_outputs, is_ci, routed, runtime_codes};
// With these the build of the server needs this crate alone.
pub use tollgate_spec_language::{diagnostics, load, parse};
