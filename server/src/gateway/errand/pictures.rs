//! Pictures as providers of format O answer them, and as each kind of client reads them. Each has a price of its own, or
//! its tokens have one.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::credit::{Kinds, Media, Tariff, Usage};

use super::super::catalog::{Candidate, Model};
use super::super::config::Kind;
use super::super::exchange::Format;
use super::super::failed::CandidateFailed;
use super::super::meter::{Reported, counted as counted_text};
use super::{Content, Load, Most, Outcome, not_carried};

/// How many pictures are wanted, and out of what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// How many at the most.
    pub(super) count: u64,
    /// What the provider reads.
    pub(super) load: Load,
}

/// Pictures, with every member that the source lists.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(bound(deserialize = "T: Deserialize<'de> + Default"))]
pub struct Pictures<T = String> {
    /// Unix seconds.
    #[serde(default)]
    pub created: i64,
    /// One or more.
    pub data: Vec<Picture<T>>,
}

/// What a provider tells beside them.
#[derive(Deserialize)]
struct Told<'a> {
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

/// One of them. What does not apply is an empty text.
#[derive(Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(bound(deserialize = "T: Deserialize<'de> + Default"))]
pub struct Picture<T = String> {
    /// Where it lies.
    #[serde(default, deserialize_with = "text_or_null")]
    pub url: T,
    /// The picture itself.
    #[serde(default, deserialize_with = "text_or_null")]
    pub b64_json: T,
    /// What the provider made of the text.
    #[serde(default, deserialize_with = "text_or_null")]
    pub revised_prompt: T,
}

/// A text that is looked at and not kept: a picture is large, and that it is there is enough.
#[derive(Debug, Default)]
struct Passed;

impl<'de> Deserialize<'de> for Passed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Self)
    }
}

impl Visitor<'_> for Passed {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }
}

/// In whose words a painter is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Painter {
    /// Format O's.
    Prompts,
    /// Messages with parameters.
    Messages,
    /// A prompt with parameters, to be worked on as a task.
    Tasks,
}

/// What they are charged by.
pub(super) fn tariff(model: &Model) -> Option<Arc<Tariff>> {
    match model.image_price {
        Some(picture) => Some(Arc::new(model.tariff.base.per_unit(picture).into())),
        None => model.media_prices.image_completion.then(|| model.tariff.clone()),
    }
}

impl Wanted {
    /// So many pictures, or the longest output of the model for each.
    pub(super) fn most(self, model: &Model) -> Most {
        match model.image_price {
            Some(_) => Most { prompt: 0, output: self.count, kinds: Kinds::default() },
            None => {
                let Most { prompt, kinds, .. } = self.load.most(model);
                let output = self.count.saturating_mul(model.max_output_tokens);
                Most { prompt, output, kinds: Kinds { image: true, ..kinds } }
            }
        }
    }

    /// The same for those that were `delivered`, where no provider counts: nobody can tell the tokens of a picture by its
    /// size. What came beyond what was wanted was not promised for a guess.
    pub(super) fn counted(self, model: &Model, delivered: u64) -> Usage {
        let completion = Self { count: self.count.min(delivered), ..self }.most(model).output;
        match model.image_price {
            Some(_) => Usage { completion, estimated: true, ..Usage::default() },
            None => drawn(Usage { completion, ..counted_text(self.load.bytes) }),
        }
    }

    /// What came of it: as it came, or written `anew` with every member that the source lists.
    ///
    /// # Errors
    /// When there is no picture in the answer.
    pub(super) fn outcome(self, model: &Model, answer: &Bytes, anew: bool) -> Result<Outcome, CandidateFailed> {
        let (body, delivered) = match anew {
            true => read::<String>(answer).map(|read| (read.written(), read.data.len()))?,
            false => read::<Passed>(answer).map(|read| (answer.clone(), read.data.len()))?,
        };
        let delivered = u64::try_from(delivered).unwrap_or(u64::MAX);
        if delivered == 0 {
            return Err(CandidateFailed::NoAnswer);
        }
        let reported = match model.image_price {
            // Members that we do not know may ask for more of them in words of the provider's own, and it charges for all.
            Some(_) => Some(Reported::Figures(Usage { completion: delivered, ..Usage::default() })),
            None => {
                let told: Told<'_> = serde_json::from_slice(answer).map_err(|_| CandidateFailed::NoAnswer)?;
                told.usage.map(|usage| self.tokens(model, usage))
            }
        };
        Ok(Outcome { content: Content::Whole(body), reported, counted: self.counted(model, delivered) })
    }

    /// The provider's own figures, which have the names of format R.
    fn tokens(self, model: &Model, usage: &RawValue) -> Reported {
        let Most { prompt, output, .. } = self.most(model);
        let possible = prompt.max(output).max(model.context_tokens);
        match Reported::read(Format::Responses, usage.get(), possible, None) {
            Reported::Figures(usage) => Reported::Figures(drawn(usage)),
            Reported::Absurd => Reported::Absurd,
        }
    }
}

fn read<T: DeserializeOwned + Default>(answer: &[u8]) -> Result<Pictures<T>, CandidateFailed> {
    serde_json::from_slice(answer).map_err(|_| CandidateFailed::NoAnswer)
}

/// An answer whose output is pictures, unless the provider says what else is in it.
fn drawn(usage: Usage) -> Usage {
    match usage.media {
        Media { audio_completion: 0, image_completion: 0, .. } => {
            Usage { media: Media { image_completion: usage.completion, ..usage.media }, ..usage }
        }
        _ => usage,
    }
}

/// How a candidate that draws is asked.
///
/// # Errors
/// When it does not.
pub(super) fn painter(candidate: &Candidate) -> Result<Painter, CandidateFailed> {
    match candidate.upstream.kind() {
        Kind::Speaks(Format::Chat | Format::Completions | Format::Responses) => Ok(Painter::Prompts),
        Kind::Pictures => Ok(Painter::Messages),
        Kind::PicturesLater => Ok(Painter::Tasks),
        Kind::Speaks(Format::Messages | Format::Generate) | Kind::VideoA => {
            Err(not_carried("model", "its provider draws no pictures"))
        }
    }
}

impl Pictures {
    /// As the client reads them.
    #[must_use]
    pub fn written(&self) -> Bytes {
        serde_json::to_vec(self).expect("texts and numbers are JSON").into()
    }
}

fn text_or_null<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
