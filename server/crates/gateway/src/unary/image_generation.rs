//! Image generation from a text: format O's body, and one of messages with parameters.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;

use crate::error::GatewayError;
use crate::inbound::check_json;
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::{Candidate, CatalogModel};
use crate::upstream::UpstreamAction;
use tollgate_api::ProxyBody;
use tollgate_api::generated::ops::images::GenerateImageHead;
use tollgate_credit::Tariff;
use tollgate_formats::{Format, MalformedRequest};

use super::image_prompt::{ImagePrompt, wants_bytes, wrong};
use super::images::{ImageProtocol, WantedImages};
use super::{
    InputLoad, UnaryOutcome, UnaryProviderRequest, UnaryRequest, UnitBounds, image_answer, images, model_splice,
};

/// A request for new images.
#[derive(Debug)]
pub struct ImageGeneration {
    model: String,
    bytes: Bytes,
    /// The most images.
    count: u64,
    /// The range of the model's name in `bytes`.
    place: Range<usize>,
    form: GenerationBody,
    /// The time of the request, in Unix seconds.
    created: i64,
}

/// The client's body format.
#[derive(Debug)]
enum GenerationBody {
    /// Format O's JSON.
    Prompt,
    /// Messages with parameters, parsed.
    Messages(ImagePrompt),
}

#[derive(Serialize)]
struct GenerationJson<'a> {
    model: &'a str,
    prompt: &'a str,
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<&'a str>,
}

impl ImageGeneration {
    /// Reads a body of either format, received at `created`; one with `input` holds messages.
    ///
    /// # Errors
    /// When it has neither a prompt nor messages, wants a stream, or has a member that is not allowed.
    pub fn new(body: ProxyBody<GenerateImageHead>, created: i64) -> Result<Self, GatewayError> {
        let ProxyBody { bytes, head, .. } = body;
        if head.stream.is_some_and(|stream| stream.value == Some(true)) {
            return Err(MalformedRequest::new("stream", "false: pictures come whole", "true").into());
        }
        let (model, place) = (head.model.value, head.model.span);
        if head.input.is_some() {
            let brief = ImagePrompt::of_messages(&bytes)?;
            if !brief.images.is_empty() {
                return Err(wrong("texts alone: nothing is changed here", "an image").into());
            }
            return Ok(Self {
                model,
                bytes,
                count: brief.count,
                place,
                form: GenerationBody::Messages(brief),
                created,
            });
        }
        if head.prompt.is_none() {
            return Err(MalformedRequest::new("prompt", "present", "nothing").into());
        }
        check_json(&bytes)?;
        let count = head.n.and_then(|count| count.value).and_then(|count| u64::try_from(count).ok()).unwrap_or(1);
        Ok(Self { model, bytes, count, place, form: GenerationBody::Prompt, created })
    }
}

impl ImageGeneration {
    fn wanted(&self) -> WantedImages {
        WantedImages { count: self.count, load: InputLoad { bytes: self.bytes.len(), text_alone: true } }
    }
}

impl UnaryRequest for ImageGeneration {
    fn format(&self) -> Format {
        Format::Chat
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn tariff(&self, model: &CatalogModel) -> Option<Arc<Tariff>> {
        images::tariff(model)
    }

    fn most(&self, model: &CatalogModel) -> UnitBounds {
        self.wanted().most(model)
    }

    fn order(&self, candidate: &Candidate) -> Result<UnaryProviderRequest, CandidateError> {
        let model = &candidate.model;
        let (body, dropped) = match (&self.form, images::image_protocol(candidate)?) {
            (GenerationBody::Prompt, ImageProtocol::Prompts)
            | (GenerationBody::Messages(_), ImageProtocol::Messages) => {
                let named = Some((self.model.as_str(), self.place.clone()));
                (model_splice::with_model(&self.bytes, named, model), Vec::new())
            }
            (GenerationBody::Messages(brief), ImageProtocol::Prompts) => {
                let size = brief.size.as_deref();
                let asked = GenerationJson { model, prompt: &brief.text(), n: self.count, size };
                let body = serde_json::to_vec(&asked).expect("texts and numbers are JSON");
                (body.into(), brief.dropped_for_prompt())
            }
            (GenerationBody::Prompt, ImageProtocol::Messages) => {
                let brief = ImagePrompt::of_prompt(&self.bytes)?;
                (brief.written(model), brief.dropped)
            }
            (GenerationBody::Messages(brief), ImageProtocol::Tasks) => (brief.as_task(model), brief.dropped.clone()),
            (GenerationBody::Prompt, ImageProtocol::Tasks) => {
                let brief = ImagePrompt::of_prompt(&self.bytes)?;
                (brief.as_task(model), brief.dropped)
            }
        };
        Ok(UnaryProviderRequest { action: UpstreamAction::Draw, body, boundary: None, dropped })
    }

    fn outcome(
        &self,
        candidate: &Candidate,
        model: &CatalogModel,
        answer: &Bytes,
    ) -> Result<UnaryOutcome, CandidateError> {
        match images::image_protocol(candidate)? {
            ImageProtocol::Prompts => {
                self.wanted().outcome(model, answer, matches!(self.form, GenerationBody::Messages(_)))
            }
            ImageProtocol::Messages | ImageProtocol::Tasks => {
                image_answer::outcome(model, answer, self.created, self.wanted(), wants_bytes(&self.bytes))
            }
        }
    }
}
