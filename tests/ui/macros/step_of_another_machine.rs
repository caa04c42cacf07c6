pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::{AnyRow, State};

fn main() {
    let AnyRow::Pending(row) = AnyRow::read(State::Pending, ()) else { return };
    let _ = row.step("expire");
}
