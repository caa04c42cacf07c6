//! The gateway from outside: one binary, a module for each matter.
#![allow(clippy::disallowed_methods, reason = "a task of a test ends with the test, and its outcome is awaited")]

/// Macro output names the runtime as `crate::api`.
use tollgate_api as api;

#[macro_use]
mod on_both;

mod accounts;
mod apps;
mod charging;
mod customers;
mod formats;
mod ledger;
mod operators;
mod planted;
mod routing;
mod server;
mod spec;
mod topups;
