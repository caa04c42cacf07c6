pub use tollgate_tests::api;
use tollgate_macros::WireUnion;

#[derive(WireUnion)]
#[wire(spec = "spec/types/chat.yaml:60")]
pub enum Block {
    #[wire(name = "ping")]
    Ping,
}

fn main() {}
