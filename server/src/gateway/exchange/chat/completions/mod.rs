//! The older operation of format O, `/v1/completions`: a text in, its continuation out.
//!
//! Clients alone are converted from it: a provider that has it gets the client's bytes. Towards any other the text is one
//! turn of the user, and the model's text is the continuation.

mod ask_in;
mod events_out;
mod reply_out;

pub use ask_in::{portable, read};
pub use events_out::Writer;
pub use reply_out::{has_place, write as write_reply};

/// The `object` of all answers of this operation.
const OBJECT: &str = "text_completion";
