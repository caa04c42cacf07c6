//! The older operation of format O, `/v1/completions`: a text in, its continuation out.
//!
//! Clients alone are converted from it: a provider that has it gets the client's bytes. Towards any other the text is one
//! turn of the user, and the model's text is the continuation.

mod decode_request;
mod encode_response;
mod encode_stream;

pub use decode_request::{check_portable, read};
pub use encode_response::{has_place, write as write_reply};
pub use encode_stream::CompletionsStreamEncoder;

/// The `object` of all answers of this operation.
const OBJECT: &str = "text_completion";
