pub use tollgate_tests::api;
use tollgate_macros::OpError;

#[path = "shared/code.rs"]
mod code;

#[derive(Debug, OpError)]
#[op(operation = "x402.pay", spec = "spec/operations/x402.yaml:22")]
pub enum PayX402Error {
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound,
}

fn main() {
    let _ = PayX402Error::OrderNotFond;
}
