//! Pictures and documents: which of them providers take, and how they are written.

use std::borrow::Cow;

use data_encoding::BASE64;

use super::super::nested;
use crate::json::ObjectWriter;
use crate::{ContentBlock, MediaContent, MediaSource, UnknownMember, Unsupported};

/// The pictures that providers take.
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
/// The first letters of known kinds of file, in base64.
const BEGINNINGS: [(&str, &str); 5] = [
    ("/9j/", "image/jpeg"),
    ("iVBORw0KGgo", "image/png"),
    ("R0lGOD", "image/gif"),
    ("UklGR", "image/webp"),
    ("JVBERi0", PDF),
];
const PDF: &str = "application/pdf";
const PLAIN: &str = "text/plain";

/// Writes where the bytes are, and those of `extra` that belong there.
pub fn source(media: &MediaContent, extra: &[UnknownMember], object: &mut ObjectWriter<'_>) {
    let mut source = object.object("source");
    match &media.source {
        MediaSource::Base64(data) => {
            source.member("type", "base64").maybe("media_type", media.mime.as_deref()).member("data", data);
        }
        MediaSource::Text(text) => {
            let mime = media.mime.as_deref().unwrap_or(PLAIN);
            source.member("type", "text").member("media_type", mime).member("data", text);
        }
        MediaSource::Url(url) => {
            source.member("type", "url").member("url", url);
        }
        MediaSource::FileId(id) => {
            source.member("type", "file").member("file_id", id);
        }
    }
    nested::write(extra, "source", &mut source);
    source.end();
}

/// A picture of another format's client as providers take it.
///
/// # Errors
/// When they do not.
pub fn picture<'m>(block: &ContentBlock, media: &'m MediaContent) -> Result<Cow<'m, MediaContent>, Unsupported> {
    let data = match &media.source {
        MediaSource::Url(_) => return Ok(Cow::Borrowed(media)),
        MediaSource::FileId(_) => return Err(file_id(block)),
        MediaSource::Text(_) => {
            return Err(Unsupported::new(&block.at, "a picture is no text; send its bytes or address"));
        }
        MediaSource::Base64(data) => data,
    };
    let mime = mime(media, data);
    match PICTURES.iter().find(|picture| Some(**picture) == mime) {
        Some(picture) => Ok(typed(media, picture)),
        None => Err(Unsupported::new(&block.at, "the model's provider takes pictures as JPEG, PNG, GIF or WebP only")),
    }
}

/// A document of another format's client as providers take it.
///
/// # Errors
/// When they do not.
pub fn document<'m>(block: &ContentBlock, media: &'m MediaContent) -> Result<Cow<'m, MediaContent>, Unsupported> {
    let data = match &media.source {
        MediaSource::Url(_) => return Ok(Cow::Borrowed(media)),
        MediaSource::FileId(_) => return Err(file_id(block)),
        MediaSource::Text(_) => return Ok(typed(media, PLAIN)),
        MediaSource::Base64(data) => data,
    };
    match mime(media, data) {
        Some(PDF) => Ok(typed(media, PDF)),
        Some(text) if text.starts_with("text/") || text == "application/json" => as_text(block, media, data),
        _ => Err(Unsupported::new(&block.at, "the model's provider takes documents as PDF or text only")),
    }
}

fn as_text<'m>(block: &ContentBlock, media: &MediaContent, data: &str) -> Result<Cow<'m, MediaContent>, Unsupported> {
    let text = BASE64.decode(data.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or_else(|| Unsupported::new(&block.at, "the document is said to be text and is not UTF-8"))?;
    Ok(Cow::Owned(MediaContent { mime: Some(PLAIN.into()), source: MediaSource::Text(text), ..media.clone() }))
}

/// The media type that the client states, else the one that the first bytes tell.
fn mime<'m>(media: &'m MediaContent, data: &str) -> Option<&'m str> {
    match media.mime.as_deref() {
        Some("image/jpg") => Some("image/jpeg"),
        Some(mime) if mime != "application/octet-stream" => Some(mime.split(';').next().unwrap_or(mime).trim()),
        _ => BEGINNINGS.iter().find(|(beginning, _)| data.starts_with(beginning)).map(|(_, mime)| *mime),
    }
}

fn typed<'m>(media: &'m MediaContent, mime: &str) -> Cow<'m, MediaContent> {
    if media.mime.as_deref() == Some(mime) {
        return Cow::Borrowed(media);
    }
    Cow::Owned(MediaContent { mime: Some(mime.to_owned()), ..media.clone() })
}

fn file_id(block: &ContentBlock) -> Unsupported {
    Unsupported::new(&block.at, "the file lives at another provider; send its bytes or its address")
}
