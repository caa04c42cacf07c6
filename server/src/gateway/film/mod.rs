//! Videos, as providers are asked for them: an order, reports on it, and the video itself.
//!
//! Holds and charges nothing, and remembers nothing: who ordered a video, what it costs and what becomes of it is for the
//! room `video`. A kind of provider is a [`Studio`]; the way to it is the same for all and stands here.

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
use crate::credit::Price;
use crate::generated::limits;

use super::Gateway;
use super::config::{Kind, VideoTerms};
use super::error::GatewayError;
use super::exchange::{Format, NotCarried};
use super::failed::CandidateFailed;

pub use report::{Fault, Measures, Report, Stage};
pub use script::{Picture, Rest, Script, Size, WholeForm};
use studio::Studio;

/// Which provider makes a video, and where its tasks are found there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    /// The provider's name in the configuration.
    pub upstream: String,
    /// The model's name there.
    pub model: String,
    /// The path of its tasks.
    pub path: String,
}

/// A name of a task at its maker.
#[derive(Debug, Clone, Copy)]
pub enum TaskName<'a> {
    /// The provider's.
    Theirs(&'a str),
    /// Ours, which was sent with the order.
    Ours(&'a str),
}

/// An order that was taken.
#[derive(Debug)]
pub struct Filmed {
    /// By whom.
    pub maker: Maker,
    /// What it said; nothing where the order may have reached it, and nobody can tell yet. Our name for the task will.
    pub report: Option<Report>,
    /// Places of the client's request that it did not see.
    pub dropped: Vec<String>,
}

/// Keeps who is about to be asked, before it is asked.
pub trait Notes: Sync {
    /// Writes it down, durably.
    ///
    /// # Errors
    /// When it cannot be written down; then nobody is asked.
    fn note(&self, maker: &Maker) -> impl Future<Output = Result<(), GatewayError>> + Send;
}

/// What a maker says of a task.
#[derive(Debug)]
pub enum Heard {
    /// How it does.
    Report(Report),
    /// It knows of none by that name.
    Unknown,
    /// It cannot be asked by our name.
    Unnamed,
    /// It could not say; to be asked again later.
    Later,
}

impl Gateway {
    /// The model that films where a request names none.
    #[must_use]
    pub fn usual_video_model(&self) -> Option<String> {
        self.catalog.load().video_model().map(str::to_owned)
    }

    /// What a model films, and the caller's prices of what it films; a second is a unit of output.
    ///
    /// # Errors
    /// When there is no such model, the caller may not use it or has no prices, or it films nothing, or nothing as large.
    pub fn video_terms(
        &self,
        caller: &Principal,
        model: &str,
        large: bool,
    ) -> Result<(VideoTerms, Price), GatewayError> {
        let ratio = self.ratio(caller)?;
        let catalog = self.catalog.load();
        let found = catalog.find_for(caller, model)?;
        let terms = found.video.clone().ok_or_else(|| GatewayError::misfit(model, "makes videos"))?;
        let second = if large { terms.large_second } else { Some(terms.second) };
        let second = second.ok_or_else(|| GatewayError::misfit(model, "makes videos of this size"))?;
        let unit = found.tariff.base.per_unit(second);
        let price = Price { ratio, ..unit };
        Ok((terms, price))
    }
}

/// How a kind of provider films.
fn studio(kind: Kind) -> Option<&'static dyn Studio> {
    match kind {
        Kind::Speaks(Format::Chat | Format::Completions | Format::Responses) => Some(&o::O),
        Kind::VideoA => Some(&video_a::VideoA),
        Kind::Speaks(Format::Messages | Format::Generate) | Kind::Pictures | Kind::PicturesLater => None,
    }
}

fn films_nothing() -> CandidateFailed {
    let (at, reason) = ("model".to_owned(), "its provider films nothing".to_owned());
    CandidateFailed::NotCarried(NotCarried { at, reason })
}

/// Of a provider's answer about a task.
const ANSWER_BYTES: usize = limits::UPSTREAM_LINE;
