pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::guard;

struct Anything;

fn main() {
    let _ = guard::SettledOnChain::proven_by(&Anything);
}
