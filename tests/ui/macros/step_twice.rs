pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::{AnyRow, State, actor, mv};

fn main() {
    let clock = actor::Clock::grant();
    let AnyRow::Pending(row) = AnyRow::read(State::Pending, ()) else { return };
    let _ = row.step(mv::Expire::by(&clock));
    let _ = row.step(mv::Expire::by(&clock));
}
