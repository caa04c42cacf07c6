// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `content`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// One turn of the conversation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/content.yaml: GenerateContent", open)]
pub struct GenerateContent {
    /// `user` or `model`. Absent means `user`.
    #[wire(optional)]
    pub role: Option<String>,
    /// Parts of the message.
    pub parts: Vec<GeneratePart>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// A part of a turn: a text, or data, a call or a result of a call.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/content.yaml: GeneratePart", open)]
pub struct GeneratePart {
    /// The text. Absent in a part of another kind.
    #[wire(optional)]
    pub text: Option<String>,
    /// Type and base64 bytes of an image or other data.
    #[wire(name = "inlineData", optional)]
    pub inline_data: Option<api::Json>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Options of the answer.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/content.yaml: GenerationConfig", open)]
pub struct GenerationConfig {
    /// Kinds of output.
    #[wire(name = "responseModalities", optional)]
    pub response_modalities: Option<Vec<Modality>>,
    /// Form of generated images.
    #[wire(name = "imageConfig", optional)]
    pub image_config: Option<ImageConfig>,
    /// Bound of the output.
    #[wire(name = "maxOutputTokens", optional, min = 1)]
    pub max_output_tokens: Option<i64>,
    /// Number of answers to make.
    #[wire(name = "candidateCount", optional, min = 1, max = 128)]
    pub candidate_count: Option<i64>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// A kind of output.
#[derive(Debug, Clone, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/content.yaml: Modality")]
pub enum Modality {
    /// `TEXT`.
    #[wire(name = "TEXT")]
    Text,
    /// `IMAGE`.
    #[wire(name = "IMAGE")]
    Image,
    /// A word that the spec does not know.
    #[wire(other)]
    Other(String),
}

/// Form of generated images.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/content.yaml: ImageConfig", open)]
pub struct ImageConfig {
    /// Width to height, such as `16:9`.
    #[wire(name = "aspectRatio", optional)]
    pub aspect_ratio: Option<String>,
    /// A label of the resolution.
    #[wire(name = "imageSize", optional)]
    pub image_size: Option<String>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
