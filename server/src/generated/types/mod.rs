// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Shapes of bodies and replies, one module per file of the spec.
mod account_usage;
mod balance;
mod billing;
mod chat;
mod content;
mod images;
mod models;
mod receipts;
mod responses;
mod service;
mod video;
mod video_a;
mod videos;
pub use account_usage::*;
pub use balance::*;
pub use billing::*;
pub use chat::*;
pub use content::*;
pub use images::*;
pub use models::*;
pub use receipts::*;
pub use responses::*;
pub use service::*;
pub use video::*;
pub use video_a::*;
pub use videos::*;
