//! The generated operation traits, filled in.

mod admin;
mod info;
pub(super) mod order;
