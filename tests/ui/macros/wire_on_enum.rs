pub use tollgate_tests::api;
use tollgate_macros::Wire;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml:4")]
pub enum Role {
    User,
}

fn main() {}
