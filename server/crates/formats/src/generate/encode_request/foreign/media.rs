//! Pictures, documents, sound and film of another format's client. Providers fetch pictures and documents from public https
//! addresses themselves; ids of files at other providers are no use to them.

use std::borrow::Cow;

use super::super::part::OutgoingPartBody;
use crate::generate::base64;
use crate::{DropReport, Format, MediaContent, MediaSource, Unsupported};

/// The kind of a picture behind an address that does not tell: the bytes tell the provider.
const SOME_PICTURE: &str = "image/jpeg";

/// A picture.
///
/// # Errors
/// When it is neither in the request nor behind an https address.
pub fn image<'a>(
    image: &'a MediaContent,
    at: &str,
    carry: &mut DropReport,
) -> Result<OutgoingPartBody<'a>, Unsupported> {
    if image.detail.as_deref().is_some_and(|detail| detail != "auto") {
        carry.drop(&format!("{at}.detail"));
    }
    match behind_address(image, SOME_PICTURE, PICTURES) {
        Some(body) => Ok(body),
        None => bytes(image, at),
    }
}

/// A document: text is said, PDF is sent.
///
/// # Errors
/// When it is neither in the request nor behind an https address, or is something else.
pub fn document<'a>(
    document: &'a MediaContent,
    at: &str,
    from: Format,
    carry: &mut DropReport,
) -> Result<OutgoingPartBody<'a>, Unsupported> {
    if document.name.is_some() {
        let word = if from == Format::Messages { "title" } else { "filename" };
        carry.drop(&format!("{at}.{word}"));
    }
    if let MediaSource::Text(text) = &document.source {
        return Ok(OutgoingPartBody::Text(text));
    }
    if let Some(body) = behind_address(document, PDF, DOCUMENTS) {
        return Ok(body);
    }
    let body = bytes(document, at)?;
    match &body {
        OutgoingPartBody::Inline { mime: Some(mime), .. } if *mime == PDF || mime.starts_with("text/") => Ok(body),
        _ => Err(Unsupported::new(at, "the model's provider takes documents as PDF or text; send one of them")),
    }
}

/// A medium whose bytes are in the request.
///
/// # Errors
/// When they are not, or nobody knows what they are.
pub fn bytes<'a>(media: &'a MediaContent, at: &str) -> Result<OutgoingPartBody<'a>, Unsupported> {
    match &media.source {
        MediaSource::Base64(data) => match media.mime.as_deref().or_else(|| base64::sniff(data)) {
            Some(mime) => Ok(OutgoingPartBody::Inline { mime: Some(mime), data: Cow::Borrowed(data), name: None }),
            None => Err(Unsupported::new(at, "the kind of file is not known; send its media type")),
        },
        MediaSource::Text(text) => Ok(OutgoingPartBody::Text(text)),
        MediaSource::Url(_) => {
            let reason =
                "the model's provider fetches pictures and documents from https addresses only; send the bytes";
            Err(Unsupported::new(at, reason))
        }
        MediaSource::FileId(_) => Err(Unsupported::new(at, "the file is kept at another provider; send the bytes")),
    }
}

const PDF: &str = "application/pdf";
/// Kinds by the endings of names.
type MimeByExtension = &'static [(&'static str, &'static str)];
const PICTURES: MimeByExtension = &[
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("webp", "image/webp"),
    ("heic", "image/heic"),
    ("heif", "image/heif"),
    ("gif", "image/gif"),
];
const DOCUMENTS: MimeByExtension = &[
    ("pdf", PDF),
    ("txt", "text/plain"),
    ("md", "text/markdown"),
    ("csv", "text/csv"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("xml", "text/xml"),
];

/// A medium behind an https address. Its kind is what the client says, else what the ending of the path tells, else `usual`.
fn behind_address<'a>(
    media: &'a MediaContent,
    usual: &'static str,
    endings: MimeByExtension,
) -> Option<OutgoingPartBody<'a>> {
    let MediaSource::Url(uri) = &media.source else { return None };
    let rest = uri.get(..8).filter(|scheme| scheme.eq_ignore_ascii_case("https://")).and_then(|_| uri.get(8..))?;
    let (_, path) = rest.split(['?', '#']).next().unwrap_or_default().split_once('/').unwrap_or_default();
    let ending = path.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
    let by_ending = endings.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, mime)| *mime);
    Some(OutgoingPartBody::File { mime: media.mime.as_deref().or(by_ending).or(Some(usual)), uri, name: None })
}
