// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations, one module per group: a trait for each, what it takes and gives, and its route.
pub mod operators;
pub mod pictures;
pub mod things;
