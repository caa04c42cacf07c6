//! What a kind of provider that films has to be able to do. Pure: it writes requests and reads answers.

use bytes::Bytes;
use http::StatusCode;

use super::super::failed::CandidateFailed;
use super::report::Report;
use super::script::Script;

/// A kind of provider.
pub(super) trait Studio: Sync {
    /// What a candidate is sent; `ours` is our name for the task.
    ///
    /// # Errors
    /// When the kind has no word for something that matters.
    fn order(&self, script: &Script, model: &str, ours: &str) -> Result<Order, CandidateFailed>;

    /// Reads the answer to an order, or to a question about a task.
    fn read(&self, status: StatusCode, body: &Bytes, asked: Asked<'_>) -> Said;

    /// Whether a task can be asked for by our name for it, also when its own never reached us.
    fn knows_ours(&self) -> bool;

    /// Where a finished video is read, behind the path of its task; `None` where its address is anybody's to read.
    fn content(&self) -> Option<&'static str>;

    /// Whether a task can be forgotten there.
    fn forgets(&self) -> bool;
}

/// A request for a video.
#[derive(Debug)]
pub(super) struct Order {
    /// The path behind the base address, whose tasks are found under it too.
    pub(super) path: &'static str,
    /// The body.
    pub(super) body: Bytes,
    /// Of the body.
    pub(super) content_type: String,
    /// Places of the client's request that are not in it and do not change what the client gets.
    pub(super) dropped: Vec<String>,
}

/// What was asked, for telling whom a no is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The body that was sent.
    pub(super) request: &'a [u8],
    /// The model's name at the provider.
    pub(super) model: &'a str,
    /// The provider's wish, from its headers.
    pub(super) retry_after_seconds: Option<u32>,
}

/// What a provider said.
#[derive(Debug)]
pub(super) enum Said {
    /// How the task does.
    Report(Report),
    /// The request is at fault.
    Refused {
        /// The status for the client.
        status: StatusCode,
        /// The provider's message, where it gave one.
        message: Option<String>,
    },
    /// There is no such task.
    Gone,
    /// Our signature is too old or too young; another may be taken.
    Stale,
    /// It failed.
    Failed(CandidateFailed),
}
