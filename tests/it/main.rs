//! The gateway from outside: one binary, a module for each matter.
#![allow(clippy::disallowed_methods, reason = "a task of a test ends with the test, and its outcome is awaited")]

/// Macro output names the runtime as `crate::api`.
use tollgate_server::api;

mod account;
mod alarms;
mod answers;
mod auth;
mod backup;
mod bad_input;
mod books;
mod cache_writes;
mod charges;
mod chat;
mod cli;
mod complaints;
mod completions;
mod count;
mod crash;
mod embeddings;
mod endings;
mod failover;
mod fallback;
mod faults;
mod formats;
mod images;
mod kill;
mod kinds;
mod listener;
mod machine;
mod machines;
mod media;
mod models;
mod moderations;
mod money;
mod mortal;
mod outages;
mod overload;
mod pass_through;
mod prices;
mod reload;
mod responses;
mod retry_after;
mod sandbox;
mod schema;
mod sdk;
mod service;
mod shared;
mod shutdown;
mod small;
mod stream;
mod strict;
mod tariffs;
mod videos;
mod wire;
mod words;
