pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::{AnyRow, State, actor, guard, mv};

fn main() {
    let settlement = actor::Settlement::grant();
    let AnyRow::Pending(row) = AnyRow::read(State::Pending, ()) else { return };
    let evidence = guard::SettledOnChain::proven_by(&order::Receipt);
    let _ = row.step(mv::Succeed::by(&settlement, evidence));
}
