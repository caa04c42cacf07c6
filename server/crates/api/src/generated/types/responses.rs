// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `responses`.

use tollgate_macros::Wire;


/// Says that a response is gone.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/responses.yaml: ResponseDeleted")]
pub struct ResponseDeleted {
    /// Id of the response that was forgotten.
    pub id: String,
    /// `object`.
    #[wire(literal = "response")]
    pub object: &'static str,
    /// Always true.
    pub deleted: bool,
}
