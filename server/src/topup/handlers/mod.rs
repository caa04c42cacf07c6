//! The generated operation traits, filled in.

mod info;
mod order;
