// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `video_a`.

use tollgate_macros::Wire;

use crate::api;

/// A video to make.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/video_a.yaml: TextVideoRequest", open)]
pub struct TextVideoRequest {
    /// Description of the video.
    #[wire(min_len = 1, max_len = 32000)]
    pub prompt: String,
    /// Frames of each second. Absent means the provider's choice.
    #[wire(optional, min = 1)]
    pub fps: Option<i64>,
    /// Model that makes the video.
    #[wire(min_len = 1, max_len = 256)]
    pub model: String,
    /// Seconds. Absent means the model's usual length.
    #[wire(optional, min = 1, max = 600)]
    pub duration: Option<i64>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    #[wire(optional, min = 1, max = 16384)]
    pub width: Option<i64>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    #[wire(optional, min = 1, max = 16384)]
    pub height: Option<i64>,
    /// `std` or `pro`; `pro` is charged as a large video.
    #[wire(optional)]
    pub mode: Option<String>,
    /// Only absent, false or `off`: sound has no price here.
    #[wire(optional)]
    pub sound: Option<api::Json>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// A video to make, beginning with an image.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/video_a.yaml: ImageVideoRequest", open)]
pub struct ImageVideoRequest {
    /// Description of the video. Absent means the provider's choice.
    #[wire(optional, max_len = 32000)]
    pub prompt: Option<String>,
    /// Address of an image or its base64 bytes.
    #[wire(min_len = 1)]
    pub image: String,
    /// Model that makes the video.
    #[wire(min_len = 1, max_len = 256)]
    pub model: String,
    /// Seconds. Absent means the model's usual length.
    #[wire(optional, min = 1, max = 600)]
    pub duration: Option<i64>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    #[wire(optional, min = 1, max = 16384)]
    pub width: Option<i64>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    #[wire(optional, min = 1, max = 16384)]
    pub height: Option<i64>,
    /// `std` or `pro`; `pro` is charged as a large video.
    #[wire(optional)]
    pub mode: Option<String>,
    /// Only absent, false or `off`: sound has no price here.
    #[wire(optional)]
    pub sound: Option<api::Json>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// The task to poll.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/video_a.yaml: VideoTaskCreated", open)]
pub struct VideoTaskCreated {
    /// Id of the task, to poll it by.
    pub task_id: String,
    /// Its state; `queued` in this answer.
    pub status: super::VideoStatus,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
