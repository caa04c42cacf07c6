// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations, one module per group: a trait for each, what it takes and gives, and its route.
pub mod agents;
pub mod balance;
pub mod billing;
pub mod chat;
pub mod completions;
pub mod content;
pub mod crypto;
pub mod embeddings;
pub mod ewallet;
pub mod images;
pub mod keys;
pub mod messages;
pub mod models;
pub mod moderations;
pub mod receipts;
pub mod responses;
pub mod service;
pub mod sessions;
pub mod standing;
pub mod topup;
pub mod usage;
pub mod video_a;
pub mod videos;
pub mod x402;
