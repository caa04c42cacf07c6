pub use tollgate_tests::api;
use tollgate_macros::Wire;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml: Pair")]
pub struct Pair(String, String);

fn main() {}
