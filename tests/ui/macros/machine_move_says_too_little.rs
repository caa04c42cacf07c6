pub use tollgate_tests::api;

tollgate_macros::machine! {
    machine task,
    spec: "spec/machines/video.yaml: task",
    row: { table: "task", key: "id", state: "status" },
    states: { Queued = "queued", Done = "done" },
    start: Queued,
    final: [Done],
    actors: { Upstream = "upstream" },
    guards: { Ready = "ready": sql "ready_at <= :now" },
    moves: {
        Finish = "finish" {},
        Cancel = "cancel" { from: [], to: Done, by: ["upstream"] },
    },
}

fn main() {}
