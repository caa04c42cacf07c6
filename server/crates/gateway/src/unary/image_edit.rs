//! Image edits from images and a text: format O's multipart form, its JSON with references, and a body of messages with
//! parameters. URLs of the client are not fetched here: the provider gets them as the client wrote them.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;

use crate::error::GatewayError;
use crate::inbound::{check_json, check_parts};
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::{Candidate, CatalogModel};
use crate::upstream::UpstreamAction;
use tollgate_api::generated::ops::images::EditImageHead;
use tollgate_api::{MultipartForm, ProxyBody};
use tollgate_credit::Tariff;
use tollgate_formats::wire::splice::JsonSplice;
use tollgate_formats::{Format, MalformedRequest};

use super::image_prompt::{ImagePrompt, wants_bytes, wrong};
use super::images::{ImageProtocol, WantedImages};
use super::{
    InputLoad, UnaryOutcome, UnaryProviderRequest, UnaryRequest, UnitBounds, image_answer, images, model_splice,
};

/// A request for edited images.
#[derive(Debug)]
pub struct ImageEdit {
    model: String,
    bytes: Bytes,
    /// The most images.
    count: u64,
    /// The range of the model's name in `bytes`.
    place: Range<usize>,
    body: ImageEditBody,
    /// The time of the request, in Unix seconds.
    created: i64,
}

/// The client's body format.
#[derive(Debug)]
enum ImageEditBody {
    /// Format O's multipart form.
    Parts(MultipartForm),
    /// Format O's JSON, with references to images.
    References,
    /// Messages with parameters, parsed.
    Messages(ImagePrompt),
}

#[derive(Serialize)]
struct ImageEditJson<'a> {
    model: &'a str,
    prompt: &'a str,
    images: Vec<ImageReferenceJson<'a>>,
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<&'a str>,
}

#[derive(Serialize)]
struct ImageReferenceJson<'a> {
    image_url: &'a str,
}

impl ImageEdit {
    /// Reads a body of any of these formats, received at `created`; JSON with `input` holds messages.
    ///
    /// # Errors
    /// When it lacks an image or a prompt, wants a stream, or has a member that is not allowed.
    pub fn new(body: ProxyBody<EditImageHead>, created: i64) -> Result<Self, GatewayError> {
        let ProxyBody { bytes, form, head } = body;
        if head.stream.is_some_and(|stream| stream.value == Some(true)) {
            return Err(MalformedRequest::new("stream", "false: pictures come whole", "true").into());
        }
        let missing = |at| GatewayError::from(MalformedRequest::new(at, "present", "nothing"));
        let (model, place) = (head.model.value, head.model.span);
        if form.is_none() && head.input.is_some() {
            let brief = ImagePrompt::of_messages(&bytes)?;
            if brief.images.is_empty() {
                return Err(wrong("an image to change", "none").into());
            }
            return Ok(Self { model, bytes, count: brief.count, place, body: ImageEditBody::Messages(brief), created });
        }
        if head.prompt.is_none() {
            return Err(missing("prompt"));
        }
        let count = head.n.and_then(|count| count.value).and_then(|count| u64::try_from(count).ok()).unwrap_or(1);
        let body = match form {
            Some(form) => {
                check_parts(form.parts.iter().map(|part| part.name.as_str()))?;
                check_files(&form)?;
                ImageEditBody::Parts(form)
            }
            None if head.images.is_some() => {
                check_json(&bytes)?;
                ImageEditBody::References
            }
            None => return Err(missing("images")),
        };
        Ok(Self { model, bytes, count, place, body, created })
    }
}

/// Checks that a form has an image and at most one mask, and that both are files.
fn check_files(form: &MultipartForm) -> Result<(), MalformedRequest> {
    let mut images = form.parts.iter().filter(|part| is_image(&part.name)).peekable();
    if images.peek().is_none() {
        return Err(MalformedRequest::new("image", "present", "nothing"));
    }
    if images.any(|image| image.file_name.is_none()) {
        return Err(MalformedRequest::new("image", "a file", "a text"));
    }
    let masks: Vec<_> = form.named("mask").collect();
    match masks[..] {
        [] => Ok(()),
        [mask] if mask.file_name.is_some() => Ok(()),
        [_] => Err(MalformedRequest::new("mask", "a file", "a text")),
        _ => Err(MalformedRequest::new("mask", "one file", "the part twice")),
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

impl ImageEdit {
    fn wanted(&self) -> WantedImages {
        // References to images are shorter than their tokens, and the bytes of a form are no text.
        WantedImages { count: self.count, load: InputLoad { bytes: self.bytes.len(), text_alone: false } }
    }
}

impl UnaryRequest for ImageEdit {
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
        let (body, boundary, dropped) = match (&self.body, images::image_protocol(candidate)?) {
            (ImageEditBody::Parts(form), ImageProtocol::Prompts) => {
                let mut splice = JsonSplice::default();
                if self.model != *model {
                    splice.replace(self.place.clone(), model.clone());
                }
                (splice.apply(&self.bytes), Some(form.boundary.clone()), Vec::new())
            }
            (ImageEditBody::References, ImageProtocol::Prompts)
            | (ImageEditBody::Messages(_), ImageProtocol::Messages) => {
                let named = Some((self.model.as_str(), self.place.clone()));
                (model_splice::with_model(&self.bytes, named, model), None, Vec::new())
            }
            (ImageEditBody::Messages(brief), ImageProtocol::Prompts) => {
                (asked(brief, model), None, brief.dropped_for_prompt())
            }
            (ImageEditBody::Messages(brief), ImageProtocol::Tasks) => {
                (brief.as_task(model), None, brief.dropped.clone())
            }
            (ImageEditBody::Parts(_) | ImageEditBody::References, ImageProtocol::Messages) => {
                let brief = self.brief()?;
                (brief.written(model), None, brief.dropped)
            }
            (ImageEditBody::Parts(_) | ImageEditBody::References, ImageProtocol::Tasks) => {
                let brief = self.brief()?;
                (brief.as_task(model), None, brief.dropped)
            }
        };
        Ok(UnaryProviderRequest { action: UpstreamAction::Edit, body, boundary, dropped })
    }

    fn outcome(
        &self,
        candidate: &Candidate,
        model: &CatalogModel,
        answer: &Bytes,
    ) -> Result<UnaryOutcome, CandidateError> {
        match images::image_protocol(candidate)? {
            ImageProtocol::Prompts => {
                self.wanted().outcome(model, answer, matches!(self.body, ImageEditBody::Messages(_)))
            }
            ImageProtocol::Messages | ImageProtocol::Tasks => {
                image_answer::outcome(model, answer, self.created, self.wanted(), self.wants_bytes())
            }
        }
    }
}

impl ImageEdit {
    /// The prompt of a body of format O.
    fn brief(&self) -> Result<ImagePrompt, CandidateError> {
        match &self.body {
            ImageEditBody::Parts(form) => ImagePrompt::of_form(form, &self.bytes, is_image),
            ImageEditBody::References | ImageEditBody::Messages(_) => ImagePrompt::of_prompt(&self.bytes),
        }
    }

    fn wants_bytes(&self) -> bool {
        match &self.body {
            ImageEditBody::Parts(form) => {
                form.named("response_format").any(|part| &self.bytes[part.span.clone()] == b"b64_json")
            }
            ImageEditBody::References | ImageEditBody::Messages(_) => wants_bytes(&self.bytes),
        }
    }
}

/// Format O's JSON for a prompt that came in messages.
fn asked(brief: &ImagePrompt, model: &str) -> Bytes {
    let images = brief.images.iter().map(|image_url| ImageReferenceJson { image_url }).collect();
    let size = brief.size.as_deref();
    let asked = ImageEditJson { model, prompt: &brief.text(), images, n: brief.count, size };
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
