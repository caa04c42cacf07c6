//! Image generation from a text: format O's body, and one of messages with parameters.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;

use crate::api::ProxyBody;
use crate::credit::Tariff;
use crate::generated::ops::images::GenerateImageHead;

use super::super::candidate_error::CandidateError;
use super::super::catalog::{Candidate, CatalogModel};
use super::super::error::GatewayError;
use super::super::exchange::{Format, Unreadable};
use super::super::media_body::check_json;
use super::super::upstream::Action;
use super::brief::{Brief, wants_bytes, wrong};
use super::pictures::{Painter, Wanted};
use super::{Errand, Load, Most, Order, Outcome, drawn, pictures, splices};

/// A request for new images.
#[derive(Debug)]
pub struct Draw {
    model: String,
    bytes: Bytes,
    /// The most images.
    count: u64,
    /// The range of the model's name in `bytes`.
    place: Range<usize>,
    form: Form,
    /// The time of the request, in Unix seconds.
    created: i64,
}

/// The client's body format.
#[derive(Debug)]
enum Form {
    /// Format O's JSON.
    Prompt,
    /// Messages with parameters, parsed.
    Messages(Brief),
}

#[derive(Serialize)]
struct Asked<'a> {
    model: &'a str,
    prompt: &'a str,
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<&'a str>,
}

impl Draw {
    /// Reads a body of either format, received at `created`; one with `input` holds messages.
    ///
    /// # Errors
    /// When it has neither a prompt nor messages, wants a stream, or has a member that is not allowed.
    pub fn new(body: ProxyBody<GenerateImageHead>, created: i64) -> Result<Self, GatewayError> {
        let ProxyBody { bytes, head, .. } = body;
        if head.stream.is_some_and(|stream| stream.value == Some(true)) {
            return Err(Unreadable::new("stream", "false: pictures come whole", "true").into());
        }
        let (model, place) = (head.model.value, head.model.span);
        if head.input.is_some() {
            let brief = Brief::of_messages(&bytes)?;
            if !brief.images.is_empty() {
                return Err(wrong("texts alone: nothing is changed here", "an image").into());
            }
            return Ok(Self { model, bytes, count: brief.count, place, form: Form::Messages(brief), created });
        }
        if head.prompt.is_none() {
            return Err(Unreadable::new("prompt", "present", "nothing").into());
        }
        check_json(&bytes)?;
        let count = head.n.and_then(|count| count.value).and_then(|count| u64::try_from(count).ok()).unwrap_or(1);
        Ok(Self { model, bytes, count, place, form: Form::Prompt, created })
    }
}

impl Draw {
    fn wanted(&self) -> Wanted {
        Wanted { count: self.count, load: Load { bytes: self.bytes.len(), text_alone: true } }
    }
}

impl Errand for Draw {
    fn format(&self) -> Format {
        Format::Chat
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn tariff(&self, model: &CatalogModel) -> Option<Arc<Tariff>> {
        pictures::tariff(model)
    }

    fn most(&self, model: &CatalogModel) -> Most {
        self.wanted().most(model)
    }

    fn order(&self, candidate: &Candidate) -> Result<Order, CandidateError> {
        let model = &candidate.model;
        let (body, dropped) = match (&self.form, pictures::painter(candidate)?) {
            (Form::Prompt, Painter::Prompts) | (Form::Messages(_), Painter::Messages) => {
                let named = Some((self.model.as_str(), self.place.clone()));
                (splices::with_model(&self.bytes, named, model), Vec::new())
            }
            (Form::Messages(brief), Painter::Prompts) => {
                let size = brief.size.as_deref();
                let asked = Asked { model, prompt: &brief.text(), n: self.count, size };
                let body = serde_json::to_vec(&asked).expect("texts and numbers are JSON");
                (body.into(), brief.dropped_for_prompt())
            }
            (Form::Prompt, Painter::Messages) => {
                let brief = Brief::of_prompt(&self.bytes)?;
                (brief.written(model), brief.dropped)
            }
            (Form::Messages(brief), Painter::Tasks) => (brief.as_task(model), brief.dropped.clone()),
            (Form::Prompt, Painter::Tasks) => {
                let brief = Brief::of_prompt(&self.bytes)?;
                (brief.as_task(model), brief.dropped)
            }
        };
        Ok(Order { action: Action::Draw, body, boundary: None, dropped })
    }

    fn outcome(&self, candidate: &Candidate, model: &CatalogModel, answer: &Bytes) -> Result<Outcome, CandidateError> {
        match pictures::painter(candidate)? {
            Painter::Prompts => self.wanted().outcome(model, answer, matches!(self.form, Form::Messages(_))),
            Painter::Messages | Painter::Tasks => {
                drawn::outcome(model, answer, self.created, self.wanted(), wants_bytes(&self.bytes))
            }
        }
    }
}
