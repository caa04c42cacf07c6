//! The adapter of a kind of video provider. Pure: it writes requests and reads answers.

use bytes::Bytes;
use http::StatusCode;

use crate::routing::candidate_error::CandidateError;

use super::report::VideoTaskReport;
use super::request::VideoRequest;

/// The adapter of a kind of video provider.
pub(super) trait VideoAdapter: Sync {
    /// The submission for a candidate; `ours` is our id of the task.
    ///
    /// # Errors
    /// When the kind lacks a part of the request that matters.
    fn order(&self, script: &VideoRequest, model: &str, ours: &str) -> Result<VideoSubmission, CandidateError>;

    /// Reads the answer to a submission or a poll.
    fn read(&self, status: StatusCode, body: &Bytes, asked: AnsweredRequest<'_>) -> VideoProviderReply;

    /// True if tasks can be looked up by our id, even when the provider's id never reached us.
    fn finds_by_our_id(&self) -> bool;

    /// The path of a finished video behind the path of its task; `None` where the report has a public URL.
    fn content(&self) -> Option<&'static str>;

    /// True if tasks can be deleted.
    fn can_delete(&self) -> bool;
}

/// A request for a video.
#[derive(Debug)]
pub(super) struct VideoSubmission {
    /// The path behind the base address, whose tasks are found under it too.
    pub(super) path: &'static str,
    /// The body.
    pub(super) body: Bytes,
    /// The content type of the body.
    pub(super) content_type: String,
    /// Places of the client's request that were left out without changing its result.
    pub(super) dropped: Vec<String>,
}

/// The request that a provider answered, to tell whether a refusal is about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnsweredRequest<'a> {
    /// The body that was sent.
    pub(super) request: &'a [u8],
    /// The model's name at the provider.
    pub(super) model: &'a str,
    /// The provider's Retry-After, in seconds.
    pub(super) retry_after_seconds: Option<u32>,
}

/// A provider's reply.
#[derive(Debug)]
pub(super) enum VideoProviderReply {
    /// The report on the task.
    Report(VideoTaskReport),
    /// The provider refuses the request.
    Refused {
        /// The status for the client.
        status: StatusCode,
        /// The provider's message, where it gave one.
        message: Option<String>,
    },
    /// There is no such task.
    Gone,
    /// Our token is too old or not valid yet; a new one may be accepted.
    Stale,
    /// The provider failed.
    Failed(CandidateError),
}
