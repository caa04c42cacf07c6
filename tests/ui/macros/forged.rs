pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::{AnyRow, State, actor, at, guard, mv};

struct Anything;

fn main() {
    let _ = actor::Clock { _granted: () };
    let _ = guard::SettledOnChain { _proven: () };
    let _ = guard::SettledOnChain::proven_by(&Anything);
    let _ = order::effect::CreditBalance::due();
    let _: order::Row<at::Success, ()> = order::Row::new(());
    let _ = <mv::Succeed as order::out_of::Settling>::due(&order::sealed::Key(()));
}
