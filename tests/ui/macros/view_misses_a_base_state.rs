pub use tollgate_tests::api;

#[path = "shared/order.rs"]
mod order;



tollgate_macros::machine! {
    view x402_order of crate::order,
    spec: "spec/machines/topup.yaml: x402_order",
    states: { Pending = "pending", Settled = "settled" },
    base: { Pending => Pending, Settling => Pending, Success => Settled },
    moves: { Create = "create" { from: [none], to: Pending, by: ["x402.create"] } },
}

fn main() {}
