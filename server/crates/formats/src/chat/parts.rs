//! The parts of a message's content, read. Their writer is in `encode_request`.

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ContentBlock, MalformedRequest, MediaContent, MediaSource, UnknownMember};
use super::data_url;
use super::native_members;

/// Content: a text, or a list of at least one part.
pub fn read(content: &JsonValue<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    if content.starts_with('"') {
        return Ok(vec![ContentBlock {
            at: content.at.clone(),
            kind: BlockKind::Text(content.text()?),
            extra: Vec::new(),
        }]);
    }
    if !content.starts_with('[') {
        return Err(content.wrong("a text or a list of parts"));
    }
    let parts = content.list()?;
    if parts.is_empty() {
        return Err(content.wrong("a text or a list of at least one part"));
    }
    parts.iter().map(part).collect()
}

/// One part. A type that this format does not have is kept whole.
pub fn part(value: &JsonValue<'_>) -> Result<ContentBlock, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let mut extra = Vec::new();
    let kind = match name.as_str() {
        "text" => BlockKind::Text(object.required(&["text"])?.text()?),
        "refusal" => BlockKind::Refusal(object.required(&["refusal"])?.text()?),
        "image_url" => BlockKind::Image(image(&object.required(&["image_url"])?, &mut extra)?),
        "input_audio" => BlockKind::Audio(audio(object.required(&["input_audio"])?.object()?, &mut extra)?),
        "file" => BlockKind::Document(file(object.required(&["file"])?.object()?, &mut extra)?),
        _ => {
            return Ok(ContentBlock {
                at: value.at.clone(),
                kind: BlockKind::Other { name, raw: value.raw.to_owned() },
                extra,
            });
        }
    };
    extra.extend(object.rest());
    Ok(ContentBlock { at: value.at.clone(), kind, extra })
}

/// A picture: its address alone or in an object. An answer of some upstreams holds such objects too.
pub fn image(value: &JsonValue<'_>, extra: &mut Vec<UnknownMember>) -> Result<MediaContent, MalformedRequest> {
    let (url, detail) = if value.starts_with('"') {
        (value.clone(), None)
    } else {
        let mut object = value.object()?;
        let taken = (object.required(&["url"])?, object.text(&["detail"])?);
        extra.extend(native_members::rest_of("image_url", object));
        taken
    };
    let (mime, source) = address(&url)?;
    Ok(MediaContent { mime, source, name: None, detail })
}

fn audio(mut object: JsonObject<'_>, extra: &mut Vec<UnknownMember>) -> Result<MediaContent, MalformedRequest> {
    let data = object.required(&["data"])?.text()?;
    let format = object.required(&["format"])?.text()?;
    extra.extend(native_members::rest_of("input_audio", object));
    let source = MediaSource::Base64(data_url::standard(&data).into_owned());
    Ok(MediaContent { mime: Some(format!("audio/{format}")), source, name: None, detail: None })
}

fn file(mut object: JsonObject<'_>, extra: &mut Vec<UnknownMember>) -> Result<MediaContent, MalformedRequest> {
    let name = object.text(&["filename"])?;
    let (mime, source) = match object.value(&["file_data"]) {
        Some(data) => file_data(&data)?,
        None => (None, MediaSource::FileId(object.required(&["file_id", "file_data"])?.text()?)),
    };
    extra.extend(native_members::rest_of("file", object));
    Ok(MediaContent { mime, source, name, detail: None })
}

/// A `data:` address; clients also send bare base64, and web addresses to providers that fetch them.
fn file_data(value: &JsonValue<'_>) -> Result<(Option<String>, MediaSource), MalformedRequest> {
    let text = value.text()?;
    if text.contains(':') {
        return address(value);
    }
    Ok((None, MediaSource::Base64(data_url::standard(&text).into_owned())))
}

fn address(value: &JsonValue<'_>) -> Result<(Option<String>, MediaSource), MalformedRequest> {
    data_url::read(&value.text()?).ok_or_else(|| value.wrong("a web address or a data address in base64"))
}
