//! The generated operation traits, filled in.

mod info;
pub(super) mod order;
