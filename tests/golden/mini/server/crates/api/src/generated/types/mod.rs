// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Shapes of bodies and replies, one module per file of the spec.
mod mini;
pub use mini::*;
