pub use tollgate_tests::api;
use tollgate_macros::WireUnion;

#[derive(WireUnion)]
#[wire(by = "type", spec = "spec/types/chat.yaml: Block")]
pub enum Block {
    #[wire(name = "text")]
    Text(String),
}

fn main() {}
