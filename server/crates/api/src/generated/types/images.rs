// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `images`.

use tollgate_macros::Wire;

use crate::api;

/// The request as messages.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/images.yaml: ImageInput", open)]
pub struct ImageInput {
    /// The conversation so far, oldest first.
    #[wire(min_items = 1)]
    pub messages: Vec<ImageTurn>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/images.yaml: ImageTurn", open)]
pub struct ImageTurn {
    /// Role of the speaker: `user`.
    pub role: String,
    /// The parts of the message.
    pub content: Vec<ImagePart>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// A text or an image.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/images.yaml: ImagePart", open)]
pub struct ImagePart {
    /// Description of the image or the change. Absent in a part that is an image.
    #[wire(optional)]
    pub text: Option<String>,
    /// Address of an image. Only in edits.
    #[wire(optional)]
    pub image: Option<String>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
