pub use tollgate_tests::api;

tollgate_macros::machine! {
    machine task,
    spec: "spec/machines/video.yaml: task",
    row: { table: "task", key: "id", state: "status" },
    states: { Queued = "queued", Done = "done" },
    start: Queued,
    final: [Dnoe],
    actors: { Upstream = "upstream" },
    guards: { Ready = "ready": sql "ready_at <= :now" },
    moves: {
        Finish = "finish" { from: [Qeued], to: Completed, by: [Upsteam], when: [Redy], does: [Credit] },
    },
}

fn main() {}
