pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::mv;

fn main() {
    let _ = <mv::Succeed as order::out_of::Settling>::due(&order::sealed::Key(()));
}
