//! Parts of messages and of results of calls.

use super::super::{mark, media};
use crate::json::{JsonObject, JsonValue};
use crate::{BlockKind, ContentBlock, MalformedRequest, MediaContent, MediaSource};

/// Reads content: a text, or parts.
pub fn read(content: &JsonValue<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    if content.starts_with('"') {
        return Ok(vec![ContentBlock {
            at: content.at.clone(),
            kind: BlockKind::Text(content.text()?),
            extra: Vec::new(),
        }]);
    }
    let parts = content.list().map_err(|_| content.wrong("a text or a list of parts"))?;
    parts.iter().map(part).collect()
}

/// The text of a reasoning item's `summary` or `content`.
pub fn thinking(parts: &JsonValue<'_>) -> Result<String, MalformedRequest> {
    let mut texts = Vec::new();
    for part in parts.list()? {
        texts.push(part.object()?.required(&["text"])?.text()?);
    }
    Ok(texts.join("\n\n"))
}

fn part(value: &JsonValue<'_>) -> Result<ContentBlock, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let kind = match name.as_str() {
        "input_text" | "output_text" | "text" => BlockKind::Text(object.required(&["text"])?.text()?),
        "refusal" => BlockKind::Refusal(object.required(&["refusal"])?.text()?),
        "input_image" => BlockKind::Image(image(&mut object)?),
        "input_file" => BlockKind::Document(file(&mut object)?),
        "input_audio" => BlockKind::Audio(audio(&mut object)?),
        _ => {
            let kind = BlockKind::Other { name, raw: value.raw.to_owned() };
            return Ok(ContentBlock { at: value.at.clone(), kind, extra: Vec::new() });
        }
    };
    Ok(ContentBlock { at: value.at.clone(), kind, extra: mark::quiet(object.rest(), &[]) })
}

fn image(object: &mut JsonObject<'_>) -> Result<MediaContent, MalformedRequest> {
    let (mime, source) = match (object.value(&["image_url"]), object.text(&["file_id"])?) {
        (Some(address), _) => media::of_address(&address)?,
        (None, Some(id)) => (None, MediaSource::FileId(id)),
        (None, None) => return Err(object.missing("image_url")),
    };
    Ok(MediaContent { mime, source, name: None, detail: object.text(&["detail"])? })
}

fn file(object: &mut JsonObject<'_>) -> Result<MediaContent, MalformedRequest> {
    let name = object.text(&["filename"])?;
    let (mime, source) = match (object.value(&["file_data"]), object.value(&["file_url"]), object.text(&["file_id"])?) {
        (Some(data), _, _) => bytes(&data, name.as_deref())?,
        (None, Some(address), _) => media::of_address(&address)?,
        (None, None, Some(id)) => (None, MediaSource::FileId(id)),
        (None, None, None) => return Err(object.missing("file_data")),
    };
    Ok(MediaContent { mime, source, name, detail: object.text(&["detail"])? })
}

/// A file's bytes: in a `data:` address, or in bare base64, which says nothing of their kind.
fn bytes(data: &JsonValue<'_>, name: Option<&str>) -> Result<(Option<String>, MediaSource), MalformedRequest> {
    match media::of_address(data)? {
        (_, MediaSource::Url(data)) => {
            Ok((Some(media::document_kind(name).to_owned()), MediaSource::Base64(media::standard(data))))
        }
        inline => Ok(inline),
    }
}

fn audio(object: &mut JsonObject<'_>) -> Result<MediaContent, MalformedRequest> {
    let mut audio = object.required(&["input_audio"])?.object()?;
    let data = audio.required(&["data"])?.text()?;
    let format = audio.required(&["format"])?.text()?;
    let mime = if format == "mp3" { "audio/mpeg".to_owned() } else { format!("audio/{format}") };
    Ok(MediaContent { mime: Some(mime), source: MediaSource::Base64(media::standard(data)), name: None, detail: None })
}
