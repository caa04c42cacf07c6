pub use tollgate_tests::api;
use tollgate_macros::WireEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, WireEnum)]
#[wire(spec = "spec/types/chat.yaml: Role")]
pub enum Role {
    #[wire(name = "user")]
    User,
    #[wire(name = "assistant")]
    Assistant,
}

fn main() {
    match Role::User {
        Role::User => {}
    }
}
