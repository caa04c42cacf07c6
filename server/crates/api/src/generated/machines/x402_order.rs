// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! A top-up order in the words of the x402 pay operation. No second copy of the truth.

tollgate_macros::machine! {
    view x402_order of super::topup_order,
    spec: "spec/machines/topup.yaml: x402_order",
    states: { Pending = "pending", CreditPending = "credit_pending", Settled = "settled" },
    base: { Pending => Pending, Settling => CreditPending, Success => Settled, Failed => none, Expired => none },
    moves: {
        /// An order is opened.
        Create = "create" { from: [none], to: Pending, by: ["x402.create", "x402.resume"], spec: "spec/machines/topup.yaml: x402_order.create" },
        /// The payment is settled while the client waits.
        Settle = "settle" { from: [Pending], to: Settled, by: ["x402.pay", "x402.handshake"], spec: "spec/machines/topup.yaml: x402_order.settle" },
        /// The payment is on its way when the client is answered.
        AwaitChain = "await_chain" { from: [Pending], to: CreditPending, by: ["x402.pay", "x402.handshake"], spec: "spec/machines/topup.yaml: x402_order.await_chain" },
    },
}
