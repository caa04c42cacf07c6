// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! The same, in other words.

tollgate_macros::machine! {
    view door of super::thing,
    spec: "spec/mini.yaml: door",
    states: { Shut = "shut", Ajar = "ajar" },
    base: { Fresh => Shut, Open => Ajar, Closed => none },
    moves: {
        /// It is pushed.
        Push = "push" { from: [Shut], to: Ajar, by: ["things.tell"], spec: "spec/mini.yaml: door.push" },
    },
}
