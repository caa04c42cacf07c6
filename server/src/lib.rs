//! The gateway: routes and shapes generated from `spec/`, and the rooms that fill them in.
//!
//! A house with floors: imports go down, never up or sideways. `tests/tidy/rooms.rs` holds the table and checks it.

// Floor 6
pub mod app;
pub mod cli;
pub mod settings;
// Floor 5
pub mod console;
pub mod http;
pub mod sandbox;
// Floor 4
pub mod topup;
pub mod video;
// Floor 3
pub mod agents;
pub mod gateway;
// Floor 2
pub mod accounts;
pub mod chains;
pub mod credit;
// Floor 1
pub mod api;
#[rustfmt::skip] // as the generator wrote it
pub mod generated;
pub mod store;
pub mod telemetry;
// Floor 0
pub mod base;

/// Makes ring the process's TLS provider; later calls change nothing.
pub fn install_tls() {
    gateway::install_tls();
}
