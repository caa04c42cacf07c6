//! Pictures, documents, sound and film of another format's client: bytes only, because addresses and ids are no use to this
//! provider.

use std::borrow::Cow;

use super::super::super::super::{Carry, Format, Media, NotCarried, Source};
use super::super::super::base64;
use super::super::part::Body;

/// A picture.
///
/// # Errors
/// When its bytes are not in the request.
pub fn image<'a>(image: &'a Media, at: &str, carry: &mut Carry) -> Result<Body<'a>, NotCarried> {
    if image.detail.as_deref().is_some_and(|detail| detail != "auto") {
        carry.drop(&format!("{at}.detail"));
    }
    bytes(image, at)
}

/// A document: text is said, PDF is sent.
///
/// # Errors
/// When its bytes are not in the request, or are something else.
pub fn document<'a>(document: &'a Media, at: &str, from: Format, carry: &mut Carry) -> Result<Body<'a>, NotCarried> {
    if document.name.is_some() {
        let word = if from == Format::Messages { "title" } else { "filename" };
        carry.drop(&format!("{at}.{word}"));
    }
    if let Source::Text(text) = &document.source {
        return Ok(Body::Text(text));
    }
    let body = bytes(document, at)?;
    match &body {
        Body::Inline { mime: Some(mime), .. } if *mime == "application/pdf" || mime.starts_with("text/") => Ok(body),
        _ => Err(NotCarried::new(at, "the model's provider takes documents as PDF or text; send one of them")),
    }
}

/// A medium whose bytes are in the request.
///
/// # Errors
/// When they are not, or nobody knows what they are.
pub fn bytes<'a>(media: &'a Media, at: &str) -> Result<Body<'a>, NotCarried> {
    match &media.source {
        Source::Base64(data) => match media.mime.as_deref().or_else(|| base64::sniff(data)) {
            Some(mime) => Ok(Body::Inline { mime: Some(mime), data: Cow::Borrowed(data), name: None }),
            None => Err(NotCarried::new(at, "nobody says what kind of file it is; send its media type")),
        },
        Source::Text(text) => Ok(Body::Text(text)),
        Source::Url(_) => {
            Err(NotCarried::new(at, "the model's provider fetches nothing from other addresses; send the bytes"))
        }
        Source::FileId(_) => Err(NotCarried::new(at, "the file is kept at another provider; send the bytes")),
    }
}
