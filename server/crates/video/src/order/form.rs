//! Format O's order: a form, or the same fields as JSON.

use std::str;

use bytes::Bytes;
use indexmap::IndexMap;
use serde_json::value::RawValue;

use tollgate_api::generated::ops::videos::CreateVideoHead;
use tollgate_api::{MultipartForm, ProxyBody};
use tollgate_gateway::{ForwardedForm, GatewayError, RemainingMembers, StartImage, check_json, check_parts};

use super::{VideoRequestDraft, kind_of, missing, picture_at, priced, size, wrong};

const REFERENCE: &str = "input_reference";
const ADDRESS: &str = "input_reference[image_url]";
/// Members that have a meaning here.
const KNOWN: [&str; 6] = ["prompt", "model", "seconds", "size", REFERENCE, ADDRESS];

/// Reads an order. `usual` is the model where it names none.
///
/// # Errors
/// When it is none.
pub(crate) fn read(body: ProxyBody<CreateVideoHead>, usual: Option<String>) -> Result<VideoRequestDraft, GatewayError> {
    let ProxyBody { bytes, form, head } = body;
    let named = head.model.as_ref().map(|model| model.value.clone());
    let model = named.or(usual).ok_or_else(|| missing("model"))?;
    let seconds = head.seconds.as_ref().map(|seconds| length(&bytes[seconds.span.clone()])).transpose()?;
    let shown_size = head.size.map(|size| size.value);
    let size = shown_size.as_deref().map(|text| size("size", text)).transpose()?;
    let (picture, rest) = match form {
        Some(form) => {
            let names = || form.parts.iter().map(|part| part.name.as_str());
            check_parts(names())?;
            priced(names())?;
            let picture = picture_in(&form, &bytes)?;
            let others = form.parts.iter().map(|part| part.name.clone());
            let whole = ForwardedForm {
                model: head.model.map(|model| model.span),
                says_seconds: seconds.is_some(),
                others: others.filter(|name| !KNOWN.contains(&name.as_str())).collect(),
                boundary: form.boundary,
                bytes,
            };
            (picture, RemainingMembers::Form(whole))
        }
        None => {
            let mut members: IndexMap<String, Box<RawValue>> =
                serde_json::from_slice(&bytes).map_err(|error| wrong("body", "an object", &error.to_string()))?;
            check_json(&bytes)?;
            // Its members may become parts of a form.
            check_parts(members.keys().map(String::as_str))?;
            priced(members.keys().map(String::as_str))?;
            if members.contains_key(ADDRESS) {
                return Err(wrong(ADDRESS, "absent: input_reference names the picture", "present"));
            }
            let picture = members.get(REFERENCE).map(|value| reference(value)).transpose()?.flatten();
            members.retain(|name, _| !KNOWN.contains(&name.as_str()));
            (picture, RemainingMembers::O(members.into_iter().collect()))
        }
    };
    let large = size.is_some_and(tollgate_gateway::FrameSize::is_large);
    let prompt = head.prompt.value;
    Ok(VideoRequestDraft { model, prompt, seconds, seconds_at: "seconds", shown_size, size, large, picture, rest })
}

/// The length in seconds: a number, or one in a text; in a form, the text itself.
fn length(raw: &[u8]) -> Result<u32, GatewayError> {
    let text = str::from_utf8(raw).unwrap_or_default();
    let text = serde_json::from_str::<String>(text).unwrap_or_else(|_| text.to_owned());
    text.parse().map_err(|_| wrong("seconds", "a number of seconds", "something else"))
}

/// The picture of a form: a file, or the address of one.
fn picture_in(form: &MultipartForm, bytes: &Bytes) -> Result<Option<StartImage>, GatewayError> {
    let mut found = form.parts.iter().filter(|part| [REFERENCE, ADDRESS].contains(&part.name.as_str()));
    let Some(part) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(wrong(REFERENCE, "one picture", "several"));
    }
    let content = &bytes[part.span.clone()];
    let text = || str::from_utf8(content).map_err(|_| wrong(&part.name, "UTF-8 text", "other bytes"));
    let picture = match (part.name.as_str(), &part.file_name) {
        (REFERENCE, Some(_)) if content.is_empty() => return Err(wrong(REFERENCE, "a picture", "an empty file")),
        (REFERENCE, Some(_)) => {
            let media_type = kind_of(content).to_owned();
            StartImage::Bytes { media_type, bytes: bytes.slice(part.span.clone()) }
        }
        (_, Some(_)) => return Err(wrong(&part.name, "text", "a file")),
        (_, None) => picture_at(&part.name, text()?)?,
    };
    Ok(Some(picture))
}

/// The picture of a body in JSON: its address, or an object that names it.
fn reference(value: &RawValue) -> Result<Option<StartImage>, GatewayError> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum ReferenceInput {
        Text(String),
        Object { image_url: String },
    }
    if value.get() == "null" {
        return Ok(None);
    }
    match serde_json::from_str(value.get()) {
        Ok(ReferenceInput::Text(text)) => picture_at(REFERENCE, &text).map(Some),
        Ok(ReferenceInput::Object { image_url: address }) => picture_at(ADDRESS, &address).map(Some),
        Err(_) => Err(wrong(REFERENCE, "an address, or an object with image_url", "something else")),
    }
}
