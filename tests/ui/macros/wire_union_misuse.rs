pub use tollgate_tests::api;
use tollgate_macros::WireUnion;

#[derive(WireUnion)]
#[wire(by = "type", spec = "spec/types/chat.yaml: Block")]
pub enum Block {
    #[wire(name = "ping")]
    Ping,
    #[wire(name = "ping")]
    Pong,
    #[wire(name = "text")]
    Text { text: String },
    #[wire(name = "pair")]
    Pair(String, String),
    Image(String),
    #[wire(othr)]
    Other(String),
}

fn main() {}
