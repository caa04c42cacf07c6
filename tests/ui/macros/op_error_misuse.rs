pub use tollgate_tests::api;
use tollgate_macros::OpError;

#[path = "shared/code.rs"]
mod code;

#[derive(Debug, OpError)]
#[op(operation = "x402.pay", spec = "spec/operations/x402.yaml:22")]
pub enum PayX402Error {
    OrderNotFound,
    #[code("ORDER_EXPIRED")]
    OrderExpired,
    #[code(order_expired)]
    OrderExpiredToo,
    #[code(PAYLOAD_MISMATCH)]
    PayloadMismatch { field: String },
    #[code(PAYLOAD_MISMATCH)]
    Again { field: String },
    #[code(X402_PENDING_CAP)]
    Cap(i64),
}

fn main() {}
