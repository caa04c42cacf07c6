//! Image edits from images and a text: format O's multipart form, its JSON with references, and a body of messages with
//! parameters. URLs of the client are not fetched here: the provider gets them as the client wrote them.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;

use crate::api::{MultipartForm, ProxyBody};
use crate::credit::Tariff;
use crate::generated::ops::images::EditImageHead;

use super::super::candidate_error::CandidateError;
use super::super::catalog::{Candidate, CatalogModel};
use super::super::error::GatewayError;
use super::super::exchange::{Format, Unreadable};
use super::super::media_body::{check_json, check_parts};
use super::super::splice::JsonSplice;
use super::super::upstream::Action;
use super::brief::{Brief, wants_bytes, wrong};
use super::pictures::{Painter, Wanted};
use super::{Errand, Load, Most, Order, Outcome, drawn, pictures, splices};

/// A request for edited images.
#[derive(Debug)]
pub struct Edit {
    model: String,
    bytes: Bytes,
    /// The most images.
    count: u64,
    /// The range of the model's name in `bytes`.
    place: Range<usize>,
    body: Body,
    /// The time of the request, in Unix seconds.
    created: i64,
}

/// The client's body format.
#[derive(Debug)]
enum Body {
    /// Format O's multipart form.
    Parts(MultipartForm),
    /// Format O's JSON, with references to images.
    References,
    /// Messages with parameters, parsed.
    Messages(Brief),
}

#[derive(Serialize)]
struct Asked<'a> {
    model: &'a str,
    prompt: &'a str,
    images: Vec<Reference<'a>>,
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<&'a str>,
}

#[derive(Serialize)]
struct Reference<'a> {
    image_url: &'a str,
}

impl Edit {
    /// Reads a body of any of these formats, received at `created`; JSON with `input` holds messages.
    ///
    /// # Errors
    /// When it lacks an image or a prompt, wants a stream, or has a member that is not allowed.
    pub fn new(body: ProxyBody<EditImageHead>, created: i64) -> Result<Self, GatewayError> {
        let ProxyBody { bytes, form, head } = body;
        if head.stream.is_some_and(|stream| stream.value == Some(true)) {
            return Err(Unreadable::new("stream", "false: pictures come whole", "true").into());
        }
        let missing = |at| GatewayError::from(Unreadable::new(at, "present", "nothing"));
        let (model, place) = (head.model.value, head.model.span);
        if form.is_none() && head.input.is_some() {
            let brief = Brief::of_messages(&bytes)?;
            if brief.images.is_empty() {
                return Err(wrong("an image to change", "none").into());
            }
            return Ok(Self { model, bytes, count: brief.count, place, body: Body::Messages(brief), created });
        }
        if head.prompt.is_none() {
            return Err(missing("prompt"));
        }
        let count = head.n.and_then(|count| count.value).and_then(|count| u64::try_from(count).ok()).unwrap_or(1);
        let body = match form {
            Some(form) => {
                check_parts(form.parts.iter().map(|part| part.name.as_str()))?;
                check_files(&form)?;
                Body::Parts(form)
            }
            None if head.images.is_some() => {
                check_json(&bytes)?;
                Body::References
            }
            None => return Err(missing("images")),
        };
        Ok(Self { model, bytes, count, place, body, created })
    }
}

/// Checks that a form has an image and at most one mask, and that both are files.
fn check_files(form: &MultipartForm) -> Result<(), Unreadable> {
    let mut images = form.parts.iter().filter(|part| is_image(&part.name)).peekable();
    if images.peek().is_none() {
        return Err(Unreadable::new("image", "present", "nothing"));
    }
    if images.any(|image| image.file_name.is_none()) {
        return Err(Unreadable::new("image", "a file", "a text"));
    }
    let masks: Vec<_> = form.named("mask").collect();
    match masks[..] {
        [] => Ok(()),
        [mask] if mask.file_name.is_some() => Ok(()),
        [_] => Err(Unreadable::new("mask", "a file", "a text")),
        _ => Err(Unreadable::new("mask", "one file", "the part twice")),
    }
}

/// True for the name of an image part. Clients write a list of images in three ways.
fn is_image(name: &str) -> bool {
    match name.strip_prefix("image") {
        Some("" | "[]") => true,
        Some(index) => {
            let index = index.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            index.is_some_and(|index| index.bytes().all(|digit| digit.is_ascii_digit()))
        }
        None => false,
    }
}

impl Edit {
    fn wanted(&self) -> Wanted {
        // References to images are shorter than their tokens, and the bytes of a form are no text.
        Wanted { count: self.count, load: Load { bytes: self.bytes.len(), text_alone: false } }
    }
}

impl Errand for Edit {
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
        let (body, boundary, dropped) = match (&self.body, pictures::painter(candidate)?) {
            (Body::Parts(form), Painter::Prompts) => {
                let mut splice = JsonSplice::default();
                if self.model != *model {
                    splice.replace(self.place.clone(), model.clone());
                }
                (splice.apply(&self.bytes), Some(form.boundary.clone()), Vec::new())
            }
            (Body::References, Painter::Prompts) | (Body::Messages(_), Painter::Messages) => {
                let named = Some((self.model.as_str(), self.place.clone()));
                (splices::with_model(&self.bytes, named, model), None, Vec::new())
            }
            (Body::Messages(brief), Painter::Prompts) => (asked(brief, model), None, brief.dropped_for_prompt()),
            (Body::Messages(brief), Painter::Tasks) => (brief.as_task(model), None, brief.dropped.clone()),
            (Body::Parts(_) | Body::References, Painter::Messages) => {
                let brief = self.brief()?;
                (brief.written(model), None, brief.dropped)
            }
            (Body::Parts(_) | Body::References, Painter::Tasks) => {
                let brief = self.brief()?;
                (brief.as_task(model), None, brief.dropped)
            }
        };
        Ok(Order { action: Action::Edit, body, boundary, dropped })
    }

    fn outcome(&self, candidate: &Candidate, model: &CatalogModel, answer: &Bytes) -> Result<Outcome, CandidateError> {
        match pictures::painter(candidate)? {
            Painter::Prompts => self.wanted().outcome(model, answer, matches!(self.body, Body::Messages(_))),
            Painter::Messages | Painter::Tasks => {
                drawn::outcome(model, answer, self.created, self.wanted(), self.wants_bytes())
            }
        }
    }
}

impl Edit {
    /// The prompt of a body of format O.
    fn brief(&self) -> Result<Brief, CandidateError> {
        match &self.body {
            Body::Parts(form) => Brief::of_form(form, &self.bytes, is_image),
            Body::References | Body::Messages(_) => Brief::of_prompt(&self.bytes),
        }
    }

    fn wants_bytes(&self) -> bool {
        match &self.body {
            Body::Parts(form) => {
                form.named("response_format").any(|part| &self.bytes[part.span.clone()] == b"b64_json")
            }
            Body::References | Body::Messages(_) => wants_bytes(&self.bytes),
        }
    }
}

/// Format O's JSON for a prompt that came in messages.
fn asked(brief: &Brief, model: &str) -> Bytes {
    let images = brief.images.iter().map(|image_url| Reference { image_url }).collect();
    let size = brief.size.as_deref();
    let asked = Asked { model, prompt: &brief.text(), images, n: brief.count, size };
    serde_json::to_vec(&asked).expect("texts and numbers are JSON").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_pictures_has_three_spellings() {
        for (name, expected) in [
            ("image", true),
            ("image[]", true),
            ("image[0]", true),
            ("image[12]", true),
            ("image[a]", false),
            ("image_url", false),
            ("Image", false),
            ("mask", false),
        ] {
            assert_eq!(is_image(name), expected, "{name}");
        }
    }
}
