pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::at;

fn main() {
    let _: order::Row<at::Success, ()> = order::Row::new(());
    let _ = order::effect::CreditBalance::due();
}
