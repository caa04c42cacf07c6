pub use tollgate_tests::api;
use tollgate_macros::Wire;

use tollgate_tests::api::wire::Rest;

#[derive(Wire)]
#[wire(spec = "spec/types/chat.yaml: Chat", open, opne)]
pub struct Chat {
    #[wire(nmae = "model")]
    model: String,
    #[wire(name = "model")]
    other: String,
    #[wire(optional)]
    n: i64,
    user: Option<String>,
    #[wire(optional, nullable)]
    seed: Option<i64>,
    #[wire(min = 5, max = 3)]
    top: i64,
    #[wire(min_len = "3")]
    name: String,
    #[wire(optional, optional)]
    doubled: Option<i64>,
    #[wire(optional, default = "1")]
    defaulted: Option<i64>,
    #[wire(literal = "x", min_len = 1)]
    constant: &'static str,
    #[wire(rest)]
    rest: Rest,
    #[wire(rest)]
    more: Rest,
}

fn main() {}
