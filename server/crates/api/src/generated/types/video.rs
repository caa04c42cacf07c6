// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `video`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// State of a video, from the machine `video_task`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/types/video.yaml: VideoStatus")]
pub enum VideoStatus {
    /// It waits.
    #[wire(name = "queued")]
    Queued,
    /// It is being made.
    #[wire(name = "in_progress")]
    InProgress,
    /// It can be fetched.
    #[wire(name = "completed")]
    Completed,
    /// It was not made and is not charged.
    #[wire(name = "failed")]
    Failed,
}

/// A video, as polled.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/video.yaml: VideoTask", open)]
pub struct VideoTask {
    /// Id of the task.
    pub task_id: String,
    /// Its state.
    pub status: VideoStatus,
    /// Address of the finished video.
    #[wire(optional)]
    pub url: Option<String>,
    /// Of the file, such as `mp4`.
    #[wire(optional)]
    pub format: Option<String>,
    /// Measures of the finished video. Absent until it is finished, and where the provider does not tell.
    #[wire(optional)]
    pub metadata: Option<VideoMetadata>,
    /// Only when it failed.
    #[wire(optional)]
    pub error: Option<VideoTaskError>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Measures of a finished video.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/video.yaml: VideoMetadata", open)]
pub struct VideoMetadata {
    /// Seconds.
    #[wire(optional, min = 0)]
    pub duration: Option<i64>,
    /// Frames of each second.
    #[wire(optional, min = 0)]
    pub fps: Option<i64>,
    /// Pixels.
    #[wire(optional, min = 0)]
    pub width: Option<i64>,
    /// Pixels.
    #[wire(optional, min = 0)]
    pub height: Option<i64>,
    /// Seed of the provider; equal seeds may give equal videos.
    #[wire(optional)]
    pub seed: Option<i64>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Reason for the failure of a video.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/video.yaml: VideoTaskError")]
pub struct VideoTaskError {
    /// The reason as a number, for programs.
    pub code: i64,
    /// The reason as a sentence, for people.
    pub message: String,
}
