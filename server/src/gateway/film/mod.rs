//! Requests to providers of videos: submission, reports on the task, and download of the video.
//!
//! Holds, charges and stores nothing: owner, cost and state of a video belong to the room `video`. Each kind of provider has
//! a [`Studio`]; the HTTP requests are the same for all and are here.

mod ask;
mod content;
mod o;
mod report;
mod script;
mod studio;
#[cfg(test)]
mod tests;
mod video_a;

use crate::base::Principal;
use crate::credit::TokenPrices;
use crate::generated::limits;

use super::Gateway;
use super::candidate_error::CandidateError;
use super::config::{Kind, VideoTerms};
use super::error::GatewayError;
use super::exchange::{Format, NotCarried};

pub use report::{Fault, Measures, Report, Stage};
pub use script::{Picture, Rest, Script, Size, WholeForm};
use studio::Studio;

/// The provider that makes a video, and the path of its tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    /// The provider's name in the configuration.
    pub upstream: String,
    /// The model's name there.
    pub model: String,
    /// The path of its tasks.
    pub path: String,
}

/// The id of a task at its provider.
#[derive(Debug, Clone, Copy)]
pub enum TaskName<'a> {
    /// The provider's id.
    Theirs(&'a str),
    /// Our id, which was sent with the submission.
    Ours(&'a str),
}

/// A video task that a provider accepted.
#[derive(Debug)]
pub struct Filmed {
    /// The provider.
    pub maker: Maker,
    /// Its first report; `None` where the submission may have arrived without an answer. Then our id finds the task.
    pub report: Option<Report>,
    /// Places of the client's request that were left out.
    pub dropped: Vec<String>,
}

/// A record of the provider that is about to be asked, written before it is asked.
pub trait Notes: Sync {
    /// Records the provider, durable when it returns.
    ///
    /// # Errors
    /// When it cannot be recorded; then no provider is asked.
    fn note(&self, maker: &Maker) -> impl Future<Output = Result<(), GatewayError>> + Send;
}

/// The result of a poll about a video task.
#[derive(Debug)]
pub enum Heard {
    /// The report on the task.
    Report(Report),
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
        let ratio = self.ratio(caller)?;
        let catalog = self.catalog.load();
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
fn studio(kind: Kind) -> Option<&'static dyn Studio> {
    match kind {
        Kind::Speaks(Format::Chat | Format::Completions | Format::Responses) => Some(&o::O),
        Kind::VideoA => Some(&video_a::VideoA),
        Kind::Speaks(Format::Messages | Format::Generate) | Kind::Pictures | Kind::PicturesLater => None,
    }
}

fn films_nothing() -> CandidateError {
    let (at, reason) = ("model".to_owned(), "its provider films nothing".to_owned());
    CandidateError::NotCarried(NotCarried { at, reason })
}

/// The most bytes of a provider's answer about a task.
const ANSWER_BYTES: usize = limits::UPSTREAM_LINE;
