// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! One video in the making. Its hold is made with the row, before the provider is called; its charge or its
//! release is made with the last move.

tollgate_macros::machine! {
    machine video_task,
    spec: "spec/machines/video.yaml: video_task",
    row: { table: "video_task", key: "task_id", state: "status", revision: "rev" },
    states: { Queued = "queued", InProgress = "in_progress", Completed = "completed", Failed = "failed" },
    start: Queued,
    final: [Completed, Failed],
    actors: { Upstream = "upstream", Clock = "clock" },
    guards: {
        /// The provider has had its time.
        PastDeadline = "past_deadline": sql "deadline_at <= :now",
    },
    effects: {
        /// The video is charged.
        SettleHold = "settle_hold": "in the transaction of the move, once per task",
        /// The held credit is given back.
        ReleaseHold = "release_hold": "in the transaction of the move, once per task",
    },
    moves: {
        /// The provider has begun.
        StartWork = "start_work" { from: [Queued], to: InProgress, by: [Upstream], spec: "spec/machines/video.yaml: video_task.start_work" },
        /// The video can be fetched.
        Complete = "complete" { from: [Queued, InProgress], to: Completed, by: [Upstream], does: [SettleHold], spec: "spec/machines/video.yaml: video_task.complete" },
        /// The provider could not make it.
        Fail = "fail" { from: [Queued, InProgress], to: Failed, by: [Upstream], does: [ReleaseHold], spec: "spec/machines/video.yaml: video_task.fail" },
        /// The provider never came to an end.
        GiveUp = "give_up" { from: [Queued, InProgress], to: Failed, by: [Clock], when: [PastDeadline], does: [ReleaseHold], spec: "spec/machines/video.yaml: video_task.give_up" },
    },
}
