// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `videos`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// A video that was ordered.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/videos.yaml: VideoJob", open)]
pub struct VideoJob {
    /// Id of the video, to poll and fetch it by.
    pub id: String,
    /// `object`.
    #[wire(literal = "video")]
    pub object: &'static str,
    /// The model that films.
    pub model: String,
    /// Its state.
    pub status: super::VideoStatus,
    /// Per cent.
    #[wire(min = 0, max = 100)]
    pub progress: i64,
    /// Time at which it was ordered.
    pub created_at: i64,
    /// Time at which it was finished. Null until then.
    #[wire(optional, nullable)]
    pub completed_at: Option<Option<i64>>,
    /// Length that was ordered.
    pub seconds: String,
    /// `<width>x<height>` that was ordered. Null where none was.
    #[wire(optional, nullable)]
    pub size: Option<Option<String>>,
    /// Description of the video, as it was ordered.
    #[wire(optional, nullable)]
    pub prompt: Option<Option<String>>,
    /// Only when it failed.
    #[wire(optional, nullable)]
    pub error: Option<Option<VideoJobError>>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Reason for the failure of a video.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/videos.yaml: VideoJobError", open)]
pub struct VideoJobError {
    /// The reason as a code, for programs.
    pub code: String,
    /// The reason as a sentence, for people.
    pub message: String,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// A page of videos.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/videos.yaml: VideoJobList")]
pub struct VideoJobList {
    /// `object`.
    #[wire(literal = "list")]
    pub object: &'static str,
    /// The videos of this page.
    pub data: Vec<VideoJob>,
    /// Id of the first video. Null when the page is empty.
    #[wire(nullable)]
    pub first_id: Option<String>,
    /// Id of the last video, for `after`. Null when the page is empty.
    #[wire(nullable)]
    pub last_id: Option<String>,
    /// True if there is a further page.
    pub has_more: bool,
}

/// In which order videos are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/videos.yaml: VideoOrder")]
pub enum VideoOrder {
    /// The oldest first.
    #[wire(name = "asc")]
    Asc,
    /// The newest first.
    #[wire(name = "desc")]
    Desc,
}

/// Content of a finished video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/videos.yaml: VideoVariant")]
pub enum VideoVariant {
    /// The video.
    #[wire(name = "video")]
    Video,
    /// A picture of it.
    #[wire(name = "thumbnail")]
    Thumbnail,
    /// Several pictures of it in one.
    #[wire(name = "spritesheet")]
    Spritesheet,
}

/// Says that a video is gone.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/videos.yaml: VideoDeleted")]
pub struct VideoDeleted {
    /// Id of the video that was forgotten.
    pub id: String,
    /// `object`.
    #[wire(literal = "video.deleted")]
    pub object: &'static str,
    /// Always true.
    pub deleted: bool,
}
