//! Pictures, as providers of format O answer them and as each kind of client reads them. Each has a price of its own.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::credit::{Price, Usage};

use super::super::catalog::{Candidate, Model};
use super::super::config::Kind;
use super::super::exchange::Format;
use super::super::failed::CandidateFailed;
use super::super::meter::Reported;
use super::{Content, Most, Outcome, not_carried};

/// Pictures, with every member that the source lists.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Pictures {
    /// Unix seconds.
    #[serde(default)]
    pub created: i64,
    /// One or more.
    pub data: Vec<Picture>,
}

/// One of them. What does not apply is an empty text.
#[derive(Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Picture {
    /// Where it lies.
    #[serde(default, deserialize_with = "text_or_null")]
    pub url: String,
    /// The picture itself.
    #[serde(default, deserialize_with = "text_or_null")]
    pub b64_json: String,
    /// What the provider made of the text.
    #[serde(default, deserialize_with = "text_or_null")]
    pub revised_prompt: String,
}

/// In whose words a painter is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Painter {
    /// Format O's.
    OfPrompts,
    /// Messages with parameters.
    OfMessages,
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

/// How a candidate that draws is asked.
///
/// # Errors
/// When it does not.
pub(super) fn painter(candidate: &Candidate) -> Result<Painter, CandidateFailed> {
    match candidate.upstream.kind() {
        Kind::Speaks(Format::Chat | Format::Completions | Format::Responses) => Ok(Painter::OfPrompts),
        Kind::Pictures => Ok(Painter::OfMessages),
        Kind::Speaks(Format::Messages | Format::Generate) | Kind::VideoA => {
            Err(not_carried("model", "its provider draws no pictures"))
        }
    }
}

/// What came of a request for pictures in format O: as it came, or written `anew` with every member.
///
/// # Errors
/// When there is no picture in the answer.
pub(super) fn outcome(answer: &Bytes, anew: bool) -> Result<Outcome, CandidateFailed> {
    let read: Pictures = serde_json::from_slice(answer).map_err(|_| CandidateFailed::NoAnswer)?;
    let reported = delivered(&read)?;
    let body = if anew { read.written() } else { answer.clone() };
    Ok(Outcome { content: Content::Whole(body), reported: Some(reported) })
}

/// As many as were given are charged: members that we do not know may ask for more of them in words of the provider's own,
/// and it charges for all.
///
/// # Errors
/// When there is none.
pub(super) fn delivered(pictures: &Pictures) -> Result<Reported, CandidateFailed> {
    match u64::try_from(pictures.data.len()).unwrap_or(u64::MAX) {
        0 => Err(CandidateFailed::NoAnswer),
        count => Ok(Reported::Figures(Usage { completion: count, ..Usage::default() })),
    }
}

impl Pictures {
    /// As the client reads them.
    #[must_use]
    pub fn written(&self) -> Bytes {
        serde_json::to_vec(self).expect("texts and numbers are JSON").into()
    }
}

fn text_or_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
