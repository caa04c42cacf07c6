//! The language that `spec/` is written in: texts to trees with places, trees to a typed model, with all complaints.
//!
//! Two of them are compared in `diff`. Nothing in here knows what is made of a spec. Start reading at [`load`]. A crate of its own because it is optimised where tests
//! run, which read tens of thousands of broken specs, and the rest of the generator is not: that would take minutes to compile.

pub mod check;
pub mod choice;
pub mod diagnostics;
pub mod diff;
pub mod map;
pub mod model;
pub mod naming;
pub mod parse;
pub mod schema;

pub use self::check::{Loaded, load};
