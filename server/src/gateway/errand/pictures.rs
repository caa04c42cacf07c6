//! Pictures as providers of format O answer them, and as each kind of client reads them. Each has a price of its own, or
//! its tokens have one.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::credit::{Kinds, Media, Price, Usage};

use super::super::catalog::{Candidate, Model};
use super::super::exchange::Format;
use super::super::failed::CandidateFailed;
use super::super::meter::{Reported, counted as counted_text};
use super::{Load, Most, Outcome, not_carried};

/// How many pictures are wanted, and out of what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// How many at the most.
    pub(super) count: u64,
    /// What the provider reads.
    pub(super) load: Load,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(default)]
    created: i64,
    data: Vec<Picture>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Picture {
    url: Option<String>,
    b64_json: Option<String>,
    revised_prompt: Option<String>,
}

#[derive(Serialize)]
struct Written<'a> {
    created: i64,
    data: Vec<WrittenPicture<'a>>,
}

/// What does not apply is an empty text.
#[derive(Serialize)]
struct WrittenPicture<'a> {
    url: &'a str,
    b64_json: &'a str,
    revised_prompt: &'a str,
}

/// What they are charged by.
pub(super) fn price(model: &Model) -> Option<Price> {
    match model.image_price {
        Some(picture) => Some(model.price.per_picture(picture)),
        None => model.media_prices.image_completion.then(|| model.price.clone()),
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

    /// The same, where no provider counts: nobody can tell the tokens of a picture by its size.
    pub(super) fn counted(self, model: &Model) -> Usage {
        let completion = self.most(model).output;
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
        let read: Answer<'_> = serde_json::from_slice(answer).map_err(|_| CandidateFailed::NoAnswer)?;
        let delivered = u64::try_from(read.data.len()).unwrap_or(u64::MAX);
        if delivered == 0 {
            return Err(CandidateFailed::NoAnswer);
        }
        let reported = match model.image_price {
            // Members that we do not know may ask for more of them in words of the provider's own, and it charges for all.
            Some(_) => Some(Reported::Figures(Usage { completion: delivered, ..Usage::default() })),
            None => read.usage.map(|usage| self.tokens(model, usage)),
        };
        let body = if anew { written(&read) } else { answer.clone() };
        Ok(Outcome { body, reported })
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

/// An answer whose output is pictures, unless the provider says what else is in it.
fn drawn(usage: Usage) -> Usage {
    match usage.media {
        Media { audio_completion: 0, image_completion: 0, .. } => {
            Usage { media: Media { image_completion: usage.completion, ..usage.media }, ..usage }
        }
        _ => usage,
    }
}

/// Sees that a candidate's format has pictures.
///
/// # Errors
/// When it has none.
pub(super) fn from(candidate: &Candidate) -> Result<(), CandidateFailed> {
    match candidate.upstream.format() {
        Format::Chat | Format::Completions | Format::Responses => Ok(()),
        Format::Messages | Format::Generate => Err(not_carried("model", "its format draws no pictures")),
    }
}

fn written(answer: &Answer<'_>) -> Bytes {
    let written = Written { created: answer.created, data: answer.data.iter().map(WrittenPicture::from).collect() };
    serde_json::to_vec(&written).expect("texts and numbers are JSON").into()
}

impl<'a> From<&'a Picture> for WrittenPicture<'a> {
    fn from(picture: &'a Picture) -> Self {
        Self {
            url: picture.url.as_deref().unwrap_or_default(),
            b64_json: picture.b64_json.as_deref().unwrap_or_default(),
            revised_prompt: picture.revised_prompt.as_deref().unwrap_or_default(),
        }
    }
}
