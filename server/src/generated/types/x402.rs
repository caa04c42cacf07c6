// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `x402`.
use tollgate_macros::Wire;
/// A chain on which can be paid.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml:269")]
pub struct X402Network {
    /// CAIP-2 id.
    pub network: String,
    /// Where payments on it go.
    pub pay_to: String,
    /// Tokens that are taken.
    pub symbols: Vec<String>,
}
