//! A code that the operation does not declare.
use tollgate_tests::api::{Usd, raise};
use tollgate_tests::generated::errors::code;
use tollgate_tests::generated::ops::things::GetThingError;

fn dear() -> GetThingError {
    raise(code::TooDear { price_usd: Usd::ZERO, count: 1 })
}

fn main() {}
