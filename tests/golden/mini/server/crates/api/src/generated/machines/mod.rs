// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! State machines, a module each: states, moves, who may make them, and the statements that do.
pub mod thing;
pub mod door;
