pub use tollgate_tests::api;
use tollgate_macros::Wire;

use tollgate_tests::api::wire::Rest;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml:4")]
pub struct Chat {
    #[wire(rest)]
    rest: Rest,
}

fn main() {}
