//! Requests with one whole answer that are no turns of a conversation: embeddings, verdicts, pictures.
//!
//! An [`Errand`] is pure: it writes the request for a candidate and reads the answer. What it has in common with a turn
//! (hold, settlement) is done in [`run`], in the same order and by the same rules; candidates are asked by the same loop.
//! Pictures that a provider only gave addresses of are fetched there too, and those that it answers with later are awaited.

mod awaited;
mod brief;
mod draw;
mod drawn;
mod edit;
mod embed;
mod fetched;
mod moderate;
mod pace;
mod pictures;
mod run;
mod sniff;
mod splices;
mod task;

use std::sync::Arc;

use bytes::Bytes;

use crate::credit::{Kinds, Tariff, Usage};

use super::bound;
use super::catalog::{Candidate, Model};
use super::exchange::Format;
use super::failed::CandidateFailed;
use super::meter::Reported;
use super::upstream::{Action, WholeAnswer};

pub use draw::Draw;
pub use edit::Edit;
pub use embed::{Contents, Embed};
pub use moderate::Moderate;
use pictures::Pictures;

/// One request of this kind.
pub trait Errand: std::fmt::Debug + Send + Sync + 'static {
    /// The client's format: of its body, of the answer, of every error.
    fn format(&self) -> Format;

    /// The model as the client named it.
    fn model(&self) -> &str;

    /// What it is charged by; `None` where the model has no price for pictures, and so makes none.
    fn tariff(&self, model: &Model) -> Option<Arc<Tariff>> {
        Some(model.tariff.clone())
    }

    /// The most that it can use.
    fn most(&self, model: &Model) -> Most;

    /// What a candidate is asked.
    ///
    /// # Errors
    /// When its format has no word for something that matters.
    fn order(&self, candidate: &Candidate) -> Result<Order, CandidateFailed>;

    /// What the client gets, out of what the candidate answered with success.
    ///
    /// # Errors
    /// When that is no answer.
    fn outcome(&self, candidate: &Candidate, model: &Model, answer: &Bytes) -> Result<Outcome, CandidateFailed>;
}

/// Bounds in units of the price.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Of the input.
    pub prompt: u64,
    /// Of the output.
    pub output: u64,
    /// What there may be beside text.
    pub kinds: Kinds,
}

/// A request for a provider.
#[derive(Debug)]
pub struct Order {
    /// Which of its paths is asked.
    pub action: Action,
    /// The body.
    pub body: Bytes,
    /// What stands between its parts where it is a form; else it is JSON.
    pub boundary: Option<String>,
    /// Places of the client's request that are not in it and do not change what the client gets.
    pub dropped: Vec<String>,
}

/// An answer, ready for the client.
#[derive(Debug)]
pub struct Outcome {
    /// The body.
    pub content: Content,
    /// The provider's own figures, if it gave any.
    pub reported: Option<Reported>,
    /// Our own count, where it gave none.
    pub counted: Usage,
}

impl Outcome {
    /// The same, made of this answer and in its memory: what is written anew is no larger than it, but for names.
    fn counted(self, answer: WholeAnswer) -> Self {
        let content = match self.content {
            Content::Whole(body) => Content::Whole(answer.counted(|_| body)),
            fetched @ Content::ToFetch { .. } => fetched,
        };
        Self { content, ..self }
    }
}

/// What is in an answer.
#[derive(Debug)]
pub enum Content {
    /// All of it, in the client's format.
    Whole(Bytes),
    /// Pictures of which the client wants the bytes, and the provider gave addresses.
    ToFetch {
        /// As they came.
        pictures: Pictures,
        /// How many the client asked for.
        wanted: u64,
    },
}

/// What is sent to be worked on: its size bounds the tokens, and is what is counted where no provider counts.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// In bytes of JSON.
    pub bytes: usize,
    /// Whether the size says how many tokens it is; pictures do not tell.
    pub text_alone: bool,
}

impl Load {
    /// An upper bound; no output is told in tokens. Each of several inputs may be as long as the model's context, so that
    /// is no bound of their sum.
    #[must_use]
    pub fn most(&self, model: &Model) -> Most {
        let by_size = bound::tokens_max(self.bytes, false);
        let prompt = if self.text_alone { by_size } else { by_size.max(model.context_tokens) };
        Most { prompt, output: 0, kinds: Kinds { prompt: !self.text_alone, ..Kinds::default() } }
    }
}

/// What a format has no word for.
fn not_carried(at: &str, reason: &str) -> CandidateFailed {
    CandidateFailed::NotCarried(super::exchange::NotCarried { at: at.to_owned(), reason: reason.to_owned() })
}

/// An answer that is none of its format.
fn garbled(at: &str, expected: &str) -> CandidateFailed {
    CandidateFailed::Garbled(super::exchange::Garbled { at: at.to_owned(), expected: expected.to_owned() })
}
