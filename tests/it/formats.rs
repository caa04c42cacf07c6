//! Requests and answers of each format, over providers of each.

mod chat;
mod client_tools;
mod completions;
mod count;
mod embeddings;
mod format_pairs;
pub(crate) mod images;
mod models;
mod moderations;
mod pass_through;
mod provider_state;
mod reported_usage;
mod responses;
mod schemas;
mod stop_texts;
mod streams;
pub(crate) mod videos;
pub(crate) mod wire_samples;
