pub use tollgate_tests::api;
use tollgate_macros::Wire;

use tollgate_tests::api::wire::Rest;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml: Chat")]
pub struct Chat {
    #[wire(rest)]
    rest: Rest,
}

fn main() {}
