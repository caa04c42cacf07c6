//! The generated operation traits, filled in.

mod create;
mod notify;
mod state;
