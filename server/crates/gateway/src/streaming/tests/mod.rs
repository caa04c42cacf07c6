//! Streams of any provider, spoiled in any way, against properties that every stream has.

mod hunt;
mod law;
