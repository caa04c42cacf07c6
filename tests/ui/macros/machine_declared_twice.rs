pub use tollgate_tests::api;

tollgate_macros::machine! {
    machine task,
    spec: "spec/machines/video.yaml: task",
    row: { table: "task", key: "id", state: "status" },
    states: { Queued = "queued", Done = "done", Done = "ended", Finished = "done" },
    start: Queued,
    final: [Done],
    actors: { Upstream = "upstream" },
    guards: { Ready = "ready": sql "ready_at <= :now" },
    moves: {
        Finish = "finish" { from: [Queued, Queued], to: Done, by: [Upstream] },
        Finish = "finish" { from: [Queued], to: Done, by: [Upstream] },
    },
}

fn main() {}
