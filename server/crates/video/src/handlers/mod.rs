//! The generated operation traits, filled in.

mod orders;
mod reads;
