//! Bytes of requests and answers: edits of a JSON text by byte range, and the events of a stream.

pub mod splice;
pub mod sse;
