pub use tollgate_tests::api;
use tollgate_macros::OpError;

#[path = "shared/code.rs"]
mod code;

#[derive(Debug, OpError)]
#[op(operation = "x402.pay", spec = "spec/operations/x402.yaml:22")]
pub enum PayX402Error {
    #[code(ORDER_NOT_FOUND)]
    OrderNotFound,
    #[code(PAYLOAD_MISMATCH)]
    PayloadMismatch { field: String },
}

fn find() -> Result<(), PayX402Error> {
    Err(api::raise(code::OrderExpired {}))
}

fn shared<E: api::Declares<code::OrderExpired>>() -> Result<(), E> {
    Err(api::raise(code::OrderExpired {}))
}

fn main() {
    let _ = find();
    let _ = shared::<PayX402Error>();
}
