// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! A thing opens and closes.

tollgate_macros::machine! {
    machine thing,
    spec: "spec/mini.yaml: thing",
    row: { table: "things", key: "id", state: "state", revision: "rev" },
    states: { Fresh = "fresh", Open = "open", Closed = "closed" },
    start: Fresh,
    final: [Closed],
    actors: { ThingsTell = "things.tell", Clock = "clock" },
    guards: {
        /// It is not too late.
        InTime = "in_time": sql "expires_at > :now",
        /// Somebody said so.
        Told = "told": proof Word,
    },
    effects: {
        /// It creaks.
        MakeNoise = "make_noise": "in the transaction of the move",
    },
    moves: {
        /// It opens.
        Open = "open" { from: [Fresh], to: Open, by: [ThingsTell], when: [InTime], spec: "spec/mini.yaml: thing.open" },
        /// It closes.
        Close = "close" { from: [Fresh, Open], to: Closed, by: [Clock], when: [Told], does: [MakeNoise], spec: "spec/mini.yaml: thing.close" },
    },
}
