// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Money for an order, under the name that the world outside knows it by. It is named before it moves, so that
//! it is found again whatever happens.

tollgate_macros::machine! {
    machine payment,
    spec: "spec/machines/payments.yaml: payment",
    row: { table: "payments", key: "id", state: "state", revision: "rev" },
    states: { Claimed = "claimed", Paid = "paid", Void = "void", Surplus = "surplus" },
    start: Claimed,
    final: [Paid, Surplus],
    actors: { Settlement = "settlement" },
    moves: {
        /// The money is there for certain, and its order is credited with it.
        Pay = "pay" { from: [Claimed, Void], to: Paid, by: [Settlement], spec: "spec/machines/payments.yaml: payment.pay" },
        /// It is certain that this money did not come. Where it comes all the same, it counts.
        GiveUp = "give_up" { from: [Claimed], to: Void, by: [Settlement], spec: "spec/machines/payments.yaml: payment.give_up" },
        /// The money is there, and its order was credited with other money, or it is not what the order asks for. A
        /// person decides.
        SetAside = "set_aside" { from: [Claimed, Void], to: Surplus, by: [Settlement], spec: "spec/machines/payments.yaml: payment.set_aside" },
    },
}
