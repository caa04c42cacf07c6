// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `chat`.

use tollgate_macros::Wire;

use crate::api;

/// Options of a stream.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/chat.yaml: ChatStreamOptions", open)]
pub struct ChatStreamOptions {
    /// Send one last chunk with the token counts and no choices.
    #[wire(optional, nullable)]
    pub include_usage: Option<Option<bool>>,
    /// Pad the chunks so that their length tells nothing.
    #[wire(optional, nullable)]
    pub include_obfuscation: Option<Option<bool>>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
