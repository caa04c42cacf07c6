pub use tollgate_tests::api;
use tollgate_macros::WireEnum;

#[derive(WireEnum)]
#[wire(spec = "spec/types/chat.yaml: Role", open)]
pub enum Role {
    #[wire(name = "user")]
    User,
    #[wire(name = "user")]
    Person,
    Assistant,
    #[wire(name = "tool")]
    Tool(String),
    #[wire(other)]
    Unknown,
    #[wire(other)]
    Other(String),
    #[wire(other)]
    More(String),
}

fn main() {}
