//! The language that `spec/` is written in: texts to trees with places, trees to a typed model, with all complaints.
//!
//! `diff` compares two specs. Nothing in here knows what is made of a spec. Start reading at [`load`]. This is a crate of its own
//! so that it is optimised in tests, which read tens of thousands of broken specs, while the rest of the generator is not: that
//! would take minutes to compile.

pub mod calendar;
pub mod check;
pub mod diagnostics;
pub mod diff;
pub mod map;
pub mod model;
pub mod naming;
pub mod parse;
pub mod schema;
pub mod shape_choice;

pub use self::check::{CheckedSpec, load};
