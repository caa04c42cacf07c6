//! The implementations of the generated operation traits: each maps the room's errors to the operation's closed set of codes.

mod content;
mod content_embeddings;
mod embeddings;
mod images;
mod models;
mod moderations;
mod responses;
mod stored;
mod text;
mod token_counts;
pub mod turn;
mod videos;
