pub use tollgate_tests::api;
use tollgate_macros::Wire;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml: Role")]
pub enum Role {
    User,
}

fn main() {}
