//! The binary `tollgate`: its commands, its settings, and what builds the rooms of the server from them.
//!
//! The rooms are the crates below `server/crates/`, a house with floors: imports go down, never up or sideways.
//! `tests/tidy/rooms.rs` holds the table and checks it.

pub mod app;
pub mod cli;
pub mod settings;
