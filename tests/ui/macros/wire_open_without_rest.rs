pub use tollgate_tests::api;
use tollgate_macros::Wire;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml: Chat", open)]
pub struct Chat {
    model: String,
}

fn main() {}
