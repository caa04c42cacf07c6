//! The implementations of the generated operation traits: each maps the room's errors to the operation's closed set of codes.

mod chat;
mod completions;
mod content;
mod content_embeddings;
mod embeddings;
mod images;
mod messages;
mod models;
mod moderations;
mod responses;
mod stored;
mod token_counts;
pub mod turn;
mod videos;
