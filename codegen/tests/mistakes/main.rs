//! What `codegen check` says about specs with mistakes in them.
//!
//! `tests/golden/mistakes/` holds a small sound spec and the seeded mistakes, see its README.

mod base;
mod cases;
mod constructs;
mod many;
mod more;
mod mutants;
mod schema;
mod slips;
