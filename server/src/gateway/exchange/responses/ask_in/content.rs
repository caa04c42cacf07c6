//! Parts of messages and of results of calls.

use super::super::super::json::{Object, Value};
use super::super::super::{Block, Kind, Media, Source, Unreadable};
use super::super::{mark, media};

/// Reads content: a text, or parts.
pub fn read(content: &Value<'_>) -> Result<Vec<Block>, Unreadable> {
    if content.starts_with('"') {
        return Ok(vec![Block { at: content.at.clone(), kind: Kind::Text(content.text()?), extra: Vec::new() }]);
    }
    let parts = content.list().map_err(|_| content.wrong("a text or a list of parts"))?;
    parts.iter().map(part).collect()
}

/// The text of a reasoning item's `summary` or `content`.
pub fn thinking(parts: &Value<'_>) -> Result<String, Unreadable> {
    let mut texts = Vec::new();
    for part in parts.list()? {
        texts.push(part.object()?.required(&["text"])?.text()?);
    }
    Ok(texts.join("\n\n"))
}

fn part(value: &Value<'_>) -> Result<Block, Unreadable> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let kind = match name.as_str() {
        "input_text" | "output_text" | "text" => Kind::Text(object.required(&["text"])?.text()?),
        "refusal" => Kind::Refusal(object.required(&["refusal"])?.text()?),
        "input_image" => Kind::Image(image(&mut object)?),
        "input_file" => Kind::Document(file(&mut object)?),
        "input_audio" => Kind::Audio(audio(&mut object)?),
        _ => {
            let kind = Kind::Other { name, raw: value.raw.to_owned() };
            return Ok(Block { at: value.at.clone(), kind, extra: Vec::new() });
        }
    };
    Ok(Block { at: value.at.clone(), kind, extra: mark::quiet(object.rest(), &[]) })
}

fn image(object: &mut Object<'_>) -> Result<Media, Unreadable> {
    let (mime, source) = match (object.value(&["image_url"]), object.text(&["file_id"])?) {
        (Some(address), _) => media::of_address(&address)?,
        (None, Some(id)) => (None, Source::FileId(id)),
        (None, None) => return Err(object.missing("image_url")),
    };
    Ok(Media { mime, source, name: None, detail: object.text(&["detail"])? })
}

fn file(object: &mut Object<'_>) -> Result<Media, Unreadable> {
    let name = object.text(&["filename"])?;
    let (mime, source) = match (object.value(&["file_data"]), object.value(&["file_url"]), object.text(&["file_id"])?) {
        (Some(data), _, _) => bytes(&data, name.as_deref())?,
        (None, Some(address), _) => media::of_address(&address)?,
        (None, None, Some(id)) => (None, Source::FileId(id)),
        (None, None, None) => return Err(object.missing("file_data")),
    };
    Ok(Media { mime, source, name, detail: object.text(&["detail"])? })
}

/// A file's bytes: in a `data:` address, or in bare base64, which says nothing of their kind.
fn bytes(data: &Value<'_>, name: Option<&str>) -> Result<(Option<String>, Source), Unreadable> {
    match media::of_address(data)? {
        (_, Source::Url(data)) => {
            Ok((Some(media::document_kind(name).to_owned()), Source::Base64(media::standard(data))))
        }
        inline => Ok(inline),
    }
}

fn audio(object: &mut Object<'_>) -> Result<Media, Unreadable> {
    let mut audio = object.required(&["input_audio"])?.object()?;
    let data = audio.required(&["data"])?.text()?;
    let format = audio.required(&["format"])?.text()?;
    let mime = if format == "mp3" { "audio/mpeg".to_owned() } else { format!("audio/{format}") };
    Ok(Media { mime: Some(mime), source: Source::Base64(media::standard(data)), name: None, detail: None })
}
