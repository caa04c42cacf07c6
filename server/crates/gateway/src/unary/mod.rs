//! Unary requests, with one whole answer, that are no turns of a conversation: embeddings, moderations, images.
//!
//! A [`UnaryRequest`] is pure: it writes the request for a candidate and reads the answer. The steps that it shares with a turn
//! (hold, settlement) are in [`run`], in the same order and by the same rules; candidates are tried by the same loop. Images
//! that a provider only gave addresses of are fetched there too, and tasks of providers are polled until they are over.

mod embeddings;
mod image_answer;
mod image_download;
mod image_edit;
mod image_generation;
mod image_list;
mod image_prompt;
mod image_task;
mod image_type;
mod images;
mod model_splice;
mod moderation;
mod poll_schedule;
mod run;
mod task_polling;

use std::sync::Arc;

use bytes::Bytes;

use crate::metering::UsageReport;
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::{Candidate, CatalogModel};
use crate::routing::token_bounds;
use crate::upstream::{UpstreamAction, WholeAnswer};
use tollgate_credit::{BilledUsage, MediaKinds, Tariff};
use tollgate_formats::{Format, MalformedResponse, Unsupported};

pub use embeddings::{ContentBatching, EmbeddingRequest};
pub use image_edit::ImageEdit;
pub use image_generation::ImageGeneration;
use image_list::ImageList;
pub use moderation::ModerationRequest;

/// A unary request: its body for each candidate, its bounds and the reading of its answer.
pub trait UnaryRequest: std::fmt::Debug + Send + Sync + 'static {
    /// The client's format: of its body, of the answer, of every error.
    fn format(&self) -> Format;

    /// The model as the client named it.
    fn model(&self) -> &str;

    /// The prices that it is charged by; `None` where the model has no price for images, and so makes none.
    fn tariff(&self, model: &CatalogModel) -> Option<Arc<Tariff>> {
        Some(model.tariff.clone())
    }

    /// The most units that it can use.
    fn most(&self, model: &CatalogModel) -> UnitBounds;

    /// The request for a candidate.
    ///
    /// # Errors
    /// When the candidate's format lacks a part of the request that matters.
    fn order(&self, candidate: &Candidate) -> Result<UnaryProviderRequest, CandidateError>;

    /// The answer for the client, made of a candidate's successful answer.
    ///
    /// # Errors
    /// When the candidate's answer has no result.
    fn outcome(
        &self,
        candidate: &Candidate,
        model: &CatalogModel,
        answer: &Bytes,
    ) -> Result<UnaryOutcome, CandidateError>;
}

/// Upper bounds of a request's use, in units of the price (tokens or images).
#[derive(Debug, Clone, Copy)]
pub struct UnitBounds {
    /// The most units of input.
    pub prompt: u64,
    /// The most units of output.
    pub output: u64,
    /// The kinds of media that there may be beside text.
    pub kinds: MediaKinds,
}

/// A request for a provider.
#[derive(Debug)]
pub struct UnaryProviderRequest {
    /// The service that is asked for, which decides the path.
    pub action: UpstreamAction,
    /// The body.
    pub body: Bytes,
    /// The boundary of a multipart body; `None` for JSON.
    pub boundary: Option<String>,
    /// Places of the client's request that were left out without changing its result.
    pub dropped: Vec<String>,
}

/// An answer, ready for the client.
#[derive(Debug)]
pub struct UnaryOutcome {
    /// The body.
    pub content: UnaryContent,
    /// The provider's own usage figures, if it gave any.
    pub reported: Option<UsageReport>,
    /// The gateway's own count, used where it gave none.
    pub counted: BilledUsage,
}

impl UnaryOutcome {
    /// The response with its memory accounted to `answer`, of which it was made. Its body is no larger than `answer` but
    /// for names.
    fn counted(self, answer: WholeAnswer) -> Self {
        let content = match self.content {
            UnaryContent::Whole(body) => UnaryContent::Whole(answer.counted(|_| body)),
            fetched @ UnaryContent::ToFetch { .. } => fetched,
        };
        Self { content, ..self }
    }
}

/// The body of a unary response.
#[derive(Debug)]
pub enum UnaryContent {
    /// The whole body, in the client's format.
    Whole(Bytes),
    /// Images of which the client wants the bytes, and the provider gave addresses.
    ToFetch {
        /// The images as the provider listed them.
        pictures: ImageList,
        /// The number of images that the client asked for.
        wanted: u64,
    },
}

/// The size of the input, which bounds its tokens, and is counted where no provider counts.
#[derive(Debug, Clone, Copy)]
pub struct InputLoad {
    /// The size in bytes of JSON.
    pub bytes: usize,
    /// True if the input is text alone, so that its size bounds its tokens; images break that.
    pub text_alone: bool,
}

impl InputLoad {
    /// An upper bound of its use, without output.
    /// Each of several inputs may be as long as the model's context, so the context does not bound their sum.
    #[must_use]
    pub fn most(&self, model: &CatalogModel) -> UnitBounds {
        let by_size = token_bounds::tokens_max(self.bytes, false);
        let prompt = if self.text_alone { by_size } else { by_size.max(model.context_tokens) };
        UnitBounds { prompt, output: 0, kinds: MediaKinds { prompt: !self.text_alone, ..MediaKinds::default() } }
    }
}

/// An error for a place of the request that the candidate's format lacks.
fn not_carried(at: &str, reason: &str) -> CandidateError {
    CandidateError::NotCarried(Unsupported { at: at.to_owned(), reason: reason.to_owned() })
}

/// An error for an answer that does not fit its format.
fn garbled(at: &str, expected: &str) -> CandidateError {
    CandidateError::Garbled(MalformedResponse { at: at.to_owned(), expected: expected.to_owned() })
}
