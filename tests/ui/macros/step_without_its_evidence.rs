pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;

use order::{actor, mv};

fn main() {
    let _ = mv::Succeed::by(&actor::Settlement::grant());
}
