pub use tollgate_tests::api;
use tollgate_macros::Wire;

pub struct Opaque;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml:4")]
pub struct Chat {
    model: Opaque,
}

fn main() {}
