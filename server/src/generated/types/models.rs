// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `models`.

use tollgate_macros::Wire;


/// All models, in format O. Not paged.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:61")]
pub struct ModelListO {
    /// `object`.
    #[wire(literal = "list")]
    pub object: &'static str,
    /// May be empty.
    pub data: Vec<ModelO>,
}

/// One model, in format O.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:68")]
pub struct ModelO {
    /// The name to send in `model`.
    pub id: String,
    /// `object`.
    #[wire(literal = "model")]
    pub object: &'static str,
    /// When the model was offered first.
    pub created: i64,
    /// Who makes the model.
    pub owned_by: String,
}

/// A page of models, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:77")]
pub struct ModelListA {
    /// May be empty.
    pub data: Vec<ModelA>,
    /// Whether there is a further page.
    pub has_more: bool,
    /// First id of this page. Null when it is empty.
    #[wire(nullable)]
    pub first_id: Option<String>,
    /// Last id of this page, for `after_id`. Null when it is empty.
    #[wire(nullable)]
    pub last_id: Option<String>,
}

/// One model, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:86")]
pub struct ModelA {
    /// `type`.
    #[wire(literal = "model")]
    pub r#type: &'static str,
    /// The name to send in `model`.
    pub id: String,
    /// A name for people.
    pub display_name: String,
    /// When the model was offered first.
    pub created_at: String,
}

/// A page of models, in format G.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:95")]
pub struct ModelListG {
    /// May be empty.
    pub models: Vec<ModelG>,
    /// Sent while there are further pages.
    #[wire(name = "nextPageToken", optional)]
    pub next_page_token: Option<String>,
}

/// One model, in format G.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:102")]
pub struct ModelG {
    /// `models/` and the id.
    pub name: String,
    /// A name for people.
    #[wire(name = "displayName")]
    pub display_name: String,
    /// Verbs of format G that the model takes, such as `generateContent`.
    #[wire(name = "supportedGenerationMethods")]
    pub supported_generation_methods: Vec<String>,
    /// Largest input. 0 when it is not known.
    #[wire(name = "inputTokenLimit", min = 0)]
    pub input_token_limit: i64,
    /// Largest output. 0 when it is not known.
    #[wire(name = "outputTokenLimit", min = 0)]
    pub output_token_limit: i64,
}
