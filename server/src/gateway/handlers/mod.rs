//! The generated operation traits, filled in: each maps what the room says to the operation's closed set of codes.

mod chat;
mod completions;
mod content;
mod contents;
mod counts;
mod embeddings;
mod images;
mod messages;
mod models;
mod moderations;
mod responses;
mod stored;
pub mod turn;
