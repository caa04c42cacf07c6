//! Requests to providers of videos: submission, reports on the task, and download of the video.
//!
//! Holds, charges and stores nothing: owner, cost and state of a video belong to the room `video`. Each kind of provider has
//! a [`VideoAdapter`]; the HTTP requests are the same for all and are here.

mod adapter;
mod ask;
mod content;
mod format_o;
mod report;
mod request;
#[cfg(test)]
mod tests;
mod video_a;

use crate::Gateway;
use crate::config::{ProviderKind, VideoTerms};
use crate::error::GatewayError;
use crate::routing::candidate_error::CandidateError;
use tollgate_api::generated::limits;
use tollgate_base::Principal;
use tollgate_credit::TokenPrices;
use tollgate_formats::{Format, Unsupported};

use adapter::VideoAdapter;
pub use report::{VideoMeasures, VideoTaskFailure, VideoTaskReport, VideoTaskState};
pub use request::{ForwardedForm, FrameSize, RemainingMembers, StartImage, VideoRequest};

/// The provider that makes a video, and the path of its tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoSource {
    /// The provider's name in the configuration.
    pub upstream: String,
    /// The model's name there.
    pub model: String,
    /// The path of its tasks.
    pub path: String,
}

/// The id of a task at its provider.
#[derive(Debug, Clone, Copy)]
pub enum VideoTaskId<'a> {
    /// The provider's id.
    Theirs(&'a str),
    /// Our id, which was sent with the submission.
    Ours(&'a str),
}

/// A video task that a provider accepted.
#[derive(Debug)]
pub struct SubmittedVideo {
    /// The provider.
    pub maker: VideoSource,
    /// Its first report; `None` where the submission may have arrived without an answer. Then our id finds the task.
    pub report: Option<VideoTaskReport>,
    /// Places of the client's request that were left out.
    pub dropped: Vec<String>,
}

/// A record of the provider that is about to be asked, written before it is asked.
pub trait SubmissionJournal: Sync {
    /// Records the provider, durable when it returns.
    ///
    /// # Errors
    /// When it cannot be recorded; then no provider is asked.
    fn note(&self, maker: &VideoSource) -> impl Future<Output = Result<(), GatewayError>> + Send;
}

/// The result of a poll about a video task.
#[derive(Debug)]
pub enum VideoPollResult {
    /// The report on the task.
    Report(VideoTaskReport),
    /// The provider knows no task by that id.
    Unknown,
    /// The provider cannot look a task up by our id.
    Unnamed,
    /// The provider could not tell; it is polled again later.
    Later,
}

impl Gateway {
    /// The model of video requests that name none.
    #[must_use]
    pub fn usual_video_model(&self) -> Option<String> {
        self.catalog.load().video_model().map(str::to_owned)
    }

    /// The video terms of a model, and the caller's prices for them; a second is a unit of output.
    ///
    /// # Errors
    /// When there is no such model, the caller may not use it or has no prices, or it makes no videos, or none as large.
    pub fn video_terms(
        &self,
        caller: &Principal,
        model: &str,
        large: bool,
    ) -> Result<(VideoTerms, TokenPrices), GatewayError> {
        let catalog = self.catalog.load();
        let ratio = catalog.ratio_for(caller)?;
        let found = catalog.find_for(caller, model)?;
        let terms = found.video.clone().ok_or_else(|| GatewayError::misfit(model, "makes videos"))?;
        let second = if large { terms.large_second } else { Some(terms.second) };
        let second = second.ok_or_else(|| GatewayError::misfit(model, "makes videos of this size"))?;
        let unit = found.tariff.base.per_unit(second);
        let price = TokenPrices { ratio, ..unit };
        Ok((terms, price))
    }
}

/// The adapter of a kind of provider; `None` for one that makes no videos.
fn video_adapter(kind: ProviderKind) -> Option<&'static dyn VideoAdapter> {
    match kind {
        ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses) => Some(&format_o::FormatOAdapter),
        ProviderKind::VideoA => Some(&video_a::VideoAAdapter),
        ProviderKind::Speaks(Format::Messages | Format::Generate)
        | ProviderKind::Pictures
        | ProviderKind::PicturesLater => None,
    }
}

fn makes_no_videos() -> CandidateError {
    let (at, reason) = ("model".to_owned(), "its provider films nothing".to_owned());
    CandidateError::NotCarried(Unsupported { at, reason })
}

/// The most bytes of a provider's answer about a task.
const ANSWER_BYTES: usize = limits::UPSTREAM_LINE;
