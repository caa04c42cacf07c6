//! Pictures and documents, read.

use super::super::json::{JsonObject, JsonValue};
use super::super::{MalformedRequest, MediaContent, MediaSource, UnknownMember};
use super::nested;

/// The medium in a `source`, and the members of it that are not known.
pub type DecodedMedia = (MediaContent, Vec<UnknownMember>);

/// The medium of an image or document; `None` where its source is of a kind that only this format knows.
///
/// # Errors
/// When the source is missing, or a member of it.
pub fn read(block: &mut JsonObject<'_>) -> Result<Option<DecodedMedia>, MalformedRequest> {
    let mut source = block.required(&["source"])?.object()?;
    let word = source.required(&["type"])?.text()?;
    let (mime, place) = match word.as_str() {
        "base64" => (Some(text(&mut source, "media_type")?), MediaSource::Base64(text(&mut source, "data")?)),
        "text" => (source.text(&["media_type"])?, MediaSource::Text(text(&mut source, "data")?)),
        "url" => {
            let url = source.required(&["url"])?;
            match inline(&url)? {
                Some((mime, data)) => (Some(mime), MediaSource::Base64(data)),
                None => (None, MediaSource::Url(url.text()?)),
            }
        }
        "file" => (None, MediaSource::FileId(text(&mut source, "file_id")?)),
        _ => return Ok(None),
    };
    let media = MediaContent { mime, source: place, name: None, detail: None };
    Ok(Some((media, nested::kept(source, "source").collect())))
}

/// Type and data of a `data:` address.
fn inline(url: &JsonValue<'_>) -> Result<Option<(String, String)>, MalformedRequest> {
    let address = url.text()?;
    let Some(rest) = address.strip_prefix("data:") else { return Ok(None) };
    let parts = rest.split_once(";base64,").map(|(mime, data)| (mime.to_owned(), data.to_owned()));
    parts.map(Some).ok_or_else(|| url.wrong("an address, or `data:` with a media type and base64"))
}

fn text(object: &mut JsonObject<'_>, name: &str) -> Result<String, MalformedRequest> {
    object.required(&[name])?.text()
}
