//! The generated operation traits, filled in: each maps what the room says to the operation's closed set of codes.

mod chat;
mod content;
mod messages;
mod models;
mod turn;
