// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Credit set aside for one model request. It ends once, with a charge or without.

tollgate_macros::machine! {
    machine hold,
    spec: "spec/machines/holds.yaml:5",
    row: { table: "holds", key: "id", state: "state" },
    states: { Held = "held", Settled = "settled", Released = "released" },
    start: Held,
    final: [Settled, Released],
    actors: { Gateway = "gateway", Clock = "clock" },
    guards: {
        /// The hold has outlived its request.
        PastExpiry = "past_expiry": sql "expires_at <= :now",
    },
    moves: {
        /// The cost is charged and the rest given back.
        Settle = "settle" { from: [Held], to: Settled, by: [Gateway], spec: "spec/machines/holds.yaml:14" },
        /// Nothing is charged.
        Release = "release" { from: [Held], to: Released, by: [Gateway], spec: "spec/machines/holds.yaml:15" },
        /// Nobody came back for it; nothing is charged.
        Lapse = "lapse" { from: [Held], to: Released, by: [Clock], when: [PastExpiry], spec: "spec/machines/holds.yaml:16" },
    },
}
