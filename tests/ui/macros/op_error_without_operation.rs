pub use tollgate_tests::api;
use tollgate_macros::OpError;

#[path = "shared/code.rs"]
mod code;

#[derive(Debug, OpError)]
#[op(spec = "spec/operations/x402.yaml:22", opration = "x402.pay")]
pub enum PayX402Error {
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound,
}

fn main() {}
