//! Moderation of texts and images: format O alone has it, so the provider always gets the client's bytes.

use std::ops::Range;

use bytes::Bytes;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::config::ProviderKind;
use crate::inbound::text_alone;
use crate::metering::{UsageReport, counted};
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::{Candidate, CatalogModel};
use crate::upstream::UpstreamAction;
use tollgate_api::ProxyBody;
use tollgate_api::generated::ops::moderations::CreateModerationHead;
use tollgate_formats::{Format, MalformedRequest};

use super::{
    InputLoad, UnaryContent, UnaryOutcome, UnaryProviderRequest, UnaryRequest, UnitBounds, model_splice, not_carried,
};

/// A moderation request.
#[derive(Debug)]
pub struct ModerationRequest {
    model: String,
    named: Option<Range<usize>>,
    bytes: Bytes,
    load: InputLoad,
}

#[derive(Deserialize)]
struct ModerationAnswer<'a> {
    results: Vec<IgnoredAny>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

impl ModerationRequest {
    /// Reads a body of format O; `usual` is the model where the client names none.
    ///
    /// # Errors
    /// When there is no model.
    pub fn new(body: ProxyBody<CreateModerationHead>, usual: Option<&str>) -> Result<Self, MalformedRequest> {
        let CreateModerationHead { model, input } = body.head;
        let named = model.as_ref().map(|model| model.span.clone());
        let model = model.and_then(|model| model.value).or_else(|| usual.map(str::to_owned)).ok_or_else(|| {
            let (expected, found) = ("present".to_owned(), "nothing".to_owned());
            MalformedRequest { at: "model".to_owned(), expected, found }
        })?;
        let text_alone = text_alone(&body.bytes[input.span.clone()], &["\"image_url"]);
        let load = InputLoad { bytes: input.span.len(), text_alone };
        Ok(Self { model, named, load, bytes: body.bytes })
    }
}

impl UnaryRequest for ModerationRequest {
    fn format(&self) -> Format {
        Format::Chat
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn most(&self, model: &CatalogModel) -> UnitBounds {
        self.load.most(model)
    }

    fn order(&self, candidate: &Candidate) -> Result<UnaryProviderRequest, CandidateError> {
        match candidate.upstream.kind() {
            ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses) => {}
            ProviderKind::Speaks(Format::Messages | Format::Generate)
            | ProviderKind::Pictures
            | ProviderKind::PicturesLater
            | ProviderKind::VideoA => {
                return Err(not_carried("model", "its provider gives no verdicts"));
            }
        }
        let named = self.named.clone().map(|place| (self.model.as_str(), place));
        let body = model_splice::with_model(&self.bytes, named, &candidate.model);
        Ok(UnaryProviderRequest { action: UpstreamAction::Moderate, body, boundary: None, dropped: Vec::new() })
    }

    fn outcome(&self, _: &Candidate, model: &CatalogModel, answer: &Bytes) -> Result<UnaryOutcome, CandidateError> {
        let ModerationAnswer { results, usage } =
            serde_json::from_slice(answer).map_err(|_| CandidateError::NoAnswer)?;
        if results.is_empty() {
            return Err(CandidateError::NoAnswer);
        }
        // Several inputs may be as long as the context each, so what was held for is what is possible.
        let possible = self.most(model).prompt;
        let read = |usage: &RawValue| UsageReport::read(Format::Chat, usage.get(), possible);
        let (reported, counted) = (usage.map(read), counted(self.load.bytes));
        Ok(UnaryOutcome { content: UnaryContent::Whole(answer.clone()), reported, counted })
    }
}
