pub use tollgate_tests::api;
use tollgate_macros::WireUnion;

#[derive(WireUnion)]
#[wire(spec = "spec/types/chat.yaml: Block")]
pub enum Block {
    #[wire(name = "ping")]
    Ping,
}

fn main() {}
