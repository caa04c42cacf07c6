pub use tollgate_tests::api;

tollgate_macros::machine! {
    machine task,
    spec: "spec/machines/video.yaml: task",
    row: { table: "task; DROP", key: "id", state: "status" },
    states: { Queued = "queued", Done = "done" },
    start: Queued,
    final: [Done],
    actors: { Upstream = "upstream" },
    guards: { Ready = "ready": sql "ready_at <= $1 AND a = :nwo" },
    moves: {
        Finish = "finish" { from: [Queued], to: Done, by: [Upstream] },
    },
}

fn main() {}
