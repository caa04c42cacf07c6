pub use tollgate_tests::api;
use tollgate_macros::Wire;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml: Chat")]
pub struct Chat {
    #[wire(min_len = 1)]
    n: i64,
    #[wire(max = 1)]
    model: String,
    #[wire(min_items = 1)]
    flag: bool,
}

fn main() {}
