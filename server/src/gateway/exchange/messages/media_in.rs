//! Pictures and documents, read.

use super::super::json::{Object, Value};
use super::super::{Extra, Media, Source, Unreadable};
use super::nested;

/// The medium in a `source`, and the members of it that are not known.
pub type Found = (Media, Vec<Extra>);

/// The medium of an image or document; `None` where its source is of a kind that only this format knows.
///
/// # Errors
/// When the source is missing, or a member of it.
pub fn read(block: &mut Object<'_>) -> Result<Option<Found>, Unreadable> {
    let mut source = block.required(&["source"])?.object()?;
    let word = source.required(&["type"])?.text()?;
    let (mime, place) = match word.as_str() {
        "base64" => (Some(text(&mut source, "media_type")?), Source::Base64(text(&mut source, "data")?)),
        "text" => (source.text(&["media_type"])?, Source::Text(text(&mut source, "data")?)),
        "url" => {
            let url = source.required(&["url"])?;
            match inline(&url)? {
                Some((mime, data)) => (Some(mime), Source::Base64(data)),
                None => (None, Source::Url(url.text()?)),
            }
        }
        "file" => (None, Source::FileId(text(&mut source, "file_id")?)),
        _ => return Ok(None),
    };
    let media = Media { mime, source: place, name: None, detail: None };
    Ok(Some((media, nested::kept(source, "source").collect())))
}

/// Type and data of a `data:` address.
fn inline(url: &Value<'_>) -> Result<Option<(String, String)>, Unreadable> {
    let address = url.text()?;
    let Some(rest) = address.strip_prefix("data:") else { return Ok(None) };
    let parts = rest.split_once(";base64,").map(|(mime, data)| (mime.to_owned(), data.to_owned()));
    parts.map(Some).ok_or_else(|| url.wrong("an address, or `data:` with a media type and base64"))
}

fn text(object: &mut Object<'_>, name: &str) -> Result<String, Unreadable> {
    object.required(&[name])?.text()
}
