//! The generated operation traits, filled in.

mod admin;
mod history;
mod info;
pub(super) mod order;
