//! Pictures as providers of format O answer them, and as each kind of client reads them. Each has a price of its own.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::credit::{Price, Usage};

use super::super::catalog::{Candidate, Model};
use super::super::config::Kind;
use super::super::exchange::Format;
use super::super::failed::CandidateFailed;
use super::super::meter::Reported;
use super::{Most, Outcome, not_carried};

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    created: i64,
    data: Vec<Picture>,
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
    model.image_price.map(|picture| model.price.per_unit(picture))
}

/// So many at the most.
pub(super) fn most(count: u64) -> Most {
    Most { prompt: 0, output: count }
}

/// So many, where no provider counts.
pub(super) fn counted(count: u64) -> Usage {
    Usage { completion: count, estimated: true, ..Usage::default() }
}

/// Sees that a candidate draws.
///
/// # Errors
/// When it does not.
pub(super) fn from(candidate: &Candidate) -> Result<(), CandidateFailed> {
    match candidate.upstream.kind() {
        Kind::Speaks(Format::Chat | Format::Completions | Format::Responses) => Ok(()),
        Kind::Speaks(Format::Messages | Format::Generate) | Kind::Pictures | Kind::VideoA => {
            Err(not_carried("model", "its provider draws no pictures"))
        }
    }
}

/// What came of a request for pictures: as it came, or written `anew` with every member that the source lists.
///
/// # Errors
/// When there is no picture in the answer.
pub(super) fn outcome(answer: &Bytes, anew: bool) -> Result<Outcome, CandidateFailed> {
    let read: Answer = serde_json::from_slice(answer).map_err(|_| CandidateFailed::NoAnswer)?;
    let delivered = u64::try_from(read.data.len()).unwrap_or(u64::MAX);
    if delivered == 0 {
        return Err(CandidateFailed::NoAnswer);
    }
    // Members that we do not know may ask for more of them in words of the provider's own, and it charges for all.
    let usage = Usage { completion: delivered, ..Usage::default() };
    let body = if anew { written(&read) } else { answer.clone() };
    Ok(Outcome { body, reported: Some(Reported::Figures(usage)) })
}

fn written(answer: &Answer) -> Bytes {
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
