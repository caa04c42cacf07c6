pub use tollgate_tests::api;
use tollgate_macros::Wire;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml: Page")]
pub struct Page<T> {
    data: Vec<T>,
}

fn main() {}
