//! The parts of a message's content, read. Their writer is in `ask_out`.

use super::super::json::{Object, Value};
use super::super::{Block, Extra, Kind, Media, Source, Unreadable};
use super::data_url;
use super::kept;

/// Content: a text, or a list of at least one part.
pub fn read(content: &Value<'_>) -> Result<Vec<Block>, Unreadable> {
    if content.starts_with('"') {
        return Ok(vec![Block { at: content.at.clone(), kind: Kind::Text(content.text()?), extra: Vec::new() }]);
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
pub fn part(value: &Value<'_>) -> Result<Block, Unreadable> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let mut extra = Vec::new();
    let kind = match name.as_str() {
        "text" => Kind::Text(object.required(&["text"])?.text()?),
        "refusal" => Kind::Refusal(object.required(&["refusal"])?.text()?),
        "image_url" => Kind::Image(image(&object.required(&["image_url"])?, &mut extra)?),
        "input_audio" => Kind::Audio(audio(object.required(&["input_audio"])?.object()?, &mut extra)?),
        "file" => Kind::Document(file(object.required(&["file"])?.object()?, &mut extra)?),
        _ => return Ok(Block { at: value.at.clone(), kind: Kind::Other { name, raw: value.raw.to_owned() }, extra }),
    };
    extra.extend(object.rest());
    Ok(Block { at: value.at.clone(), kind, extra })
}

/// A picture: its address alone or in an object. An answer of some upstreams holds such objects too.
pub fn image(value: &Value<'_>, extra: &mut Vec<Extra>) -> Result<Media, Unreadable> {
    let (url, detail) = if value.starts_with('"') {
        (value.clone(), None)
    } else {
        let mut object = value.object()?;
        let taken = (object.required(&["url"])?, object.text(&["detail"])?);
        extra.extend(kept::rest_of("image_url", object));
        taken
    };
    let (mime, source) = address(&url)?;
    Ok(Media { mime, source, name: None, detail })
}

fn audio(mut object: Object<'_>, extra: &mut Vec<Extra>) -> Result<Media, Unreadable> {
    let data = object.required(&["data"])?.text()?;
    let format = object.required(&["format"])?.text()?;
    extra.extend(kept::rest_of("input_audio", object));
    let source = Source::Base64(data_url::standard(&data).into_owned());
    Ok(Media { mime: Some(format!("audio/{format}")), source, name: None, detail: None })
}

fn file(mut object: Object<'_>, extra: &mut Vec<Extra>) -> Result<Media, Unreadable> {
    let name = object.text(&["filename"])?;
    let (mime, source) = match object.value(&["file_data"]) {
        Some(data) => file_data(&data)?,
        None => (None, Source::FileId(object.required(&["file_id", "file_data"])?.text()?)),
    };
    extra.extend(kept::rest_of("file", object));
    Ok(Media { mime, source, name, detail: None })
}

/// A `data:` address; clients also send bare base64, and web addresses to providers that fetch them.
fn file_data(value: &Value<'_>) -> Result<(Option<String>, Source), Unreadable> {
    let text = value.text()?;
    if text.contains(':') {
        return address(value);
    }
    Ok((None, Source::Base64(data_url::standard(&text).into_owned())))
}

fn address(value: &Value<'_>) -> Result<(Option<String>, Source), Unreadable> {
    data_url::read(&value.text()?).ok_or_else(|| value.wrong("a web address or a data address in base64"))
}
