pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::{actor, guard, mv};

fn main() {
    let _ = actor::Clock { _granted: () };
    let _ = guard::SettledOnChain { _proven: () };
    let _ = order::effect::CreditBalance { _due: () };
    let _ = mv::Expire { by: "clock" };
}
