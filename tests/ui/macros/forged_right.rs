pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::mv;

struct Anyone;

impl order::may::Expire for Anyone {
    const NAME: &'static str = "anyone";
}

fn main() {
    let _ = mv::Expire::by(&Anyone);
}
