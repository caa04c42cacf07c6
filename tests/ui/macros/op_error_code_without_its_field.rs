pub use tollgate_tests::api;
use tollgate_macros::OpError;

#[path = "shared/code.rs"]
mod code;

#[derive(Debug, OpError)]
#[op(operation = "x402.pay", spec = "spec/operations/x402.yaml:22")]
pub enum PayX402Error {
    #[code(PAYLOAD_MISMATCH)]
    PayloadMismatch,
    #[code(X402_PENDING_CAP)]
    X402PendingCap { cap: i64, more: i64 },
}

fn main() {}
