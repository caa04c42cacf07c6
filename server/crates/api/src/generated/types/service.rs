// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `service`.

use tollgate_macros::Wire;


/// The service is well.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/service.yaml: ServiceState")]
pub struct ServiceState {
    /// `status`.
    #[wire(literal = "ok")]
    pub status: &'static str,
}
