// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `responses`.
use tollgate_macros::Wire;
/// Says that a response is gone.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/responses.yaml:224")]
pub struct ResponseDeleted {
    /// `id`.
    pub id: String,
    /// `object`.
    #[wire(literal = "response")]
    pub object: &'static str,
    /// `deleted`.
    pub deleted: bool,
}
