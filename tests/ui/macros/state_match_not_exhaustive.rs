pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::{AnyRow, State};

fn main() {
    match AnyRow::read(State::Pending, ()) {
        AnyRow::Pending(_) | AnyRow::Settling(_) => {}
        AnyRow::Success(_) => {}
    }
    match State::Pending {
        State::Pending => {}
        State::Settling | State::Success => {}
    }
}
