//! Moderation of texts and images: format O alone has it, so the provider always gets the client's bytes.

use std::ops::Range;

use bytes::Bytes;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::api::ProxyBody;
use crate::generated::ops::moderations::CreateModerationHead;

use super::super::candidate_error::CandidateError;
use super::super::catalog::{Candidate, CatalogModel};
use super::super::config::Kind;
use super::super::exchange::{Format, Unreadable};
use super::super::inbound::text_alone;
use super::super::metering::{UsageReport, counted};
use super::super::upstream::Action;
use super::{Content, Errand, Load, Most, Order, Outcome, not_carried, splices};

/// A moderation request.
#[derive(Debug)]
pub struct Moderate {
    model: String,
    named: Option<Range<usize>>,
    bytes: Bytes,
    load: Load,
}

#[derive(Deserialize)]
struct Answer<'a> {
    results: Vec<IgnoredAny>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

impl Moderate {
    /// Reads a body of format O; `usual` is the model where the client names none.
    ///
    /// # Errors
    /// When there is no model.
    pub fn new(body: ProxyBody<CreateModerationHead>, usual: Option<&str>) -> Result<Self, Unreadable> {
        let CreateModerationHead { model, input } = body.head;
        let named = model.as_ref().map(|model| model.span.clone());
        let model = model.and_then(|model| model.value).or_else(|| usual.map(str::to_owned)).ok_or_else(|| {
            let (expected, found) = ("present".to_owned(), "nothing".to_owned());
            Unreadable { at: "model".to_owned(), expected, found }
        })?;
        let text_alone = text_alone(&body.bytes[input.span.clone()], &["\"image_url"]);
        let load = Load { bytes: input.span.len(), text_alone };
        Ok(Self { model, named, load, bytes: body.bytes })
    }
}

impl Errand for Moderate {
    fn format(&self) -> Format {
        Format::Chat
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn most(&self, model: &CatalogModel) -> Most {
        self.load.most(model)
    }

    fn order(&self, candidate: &Candidate) -> Result<Order, CandidateError> {
        match candidate.upstream.kind() {
            Kind::Speaks(Format::Chat | Format::Completions | Format::Responses) => {}
            Kind::Speaks(Format::Messages | Format::Generate) | Kind::Pictures | Kind::PicturesLater | Kind::VideoA => {
                return Err(not_carried("model", "its provider gives no verdicts"));
            }
        }
        let named = self.named.clone().map(|place| (self.model.as_str(), place));
        let body = splices::with_model(&self.bytes, named, &candidate.model);
        Ok(Order { action: Action::Moderate, body, boundary: None, dropped: Vec::new() })
    }

    fn outcome(&self, _: &Candidate, model: &CatalogModel, answer: &Bytes) -> Result<Outcome, CandidateError> {
        let Answer { results, usage } = serde_json::from_slice(answer).map_err(|_| CandidateError::NoAnswer)?;
        if results.is_empty() {
            return Err(CandidateError::NoAnswer);
        }
        // Several inputs may be as long as the context each, so what was held for is what is possible.
        let possible = self.most(model).prompt;
        let read = |usage: &RawValue| UsageReport::read(Format::Chat, usage.get(), possible, None);
        let (reported, counted) = (usage.map(read), counted(self.load.bytes));
        Ok(Outcome { content: Content::Whole(answer.clone()), reported, counted })
    }
}
