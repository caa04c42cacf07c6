//! Parts of messages and of results of calls.

use super::super::{mark, media};
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{BlockKind, ContentBlock, DropReport, MediaContent, MediaSource, MessageRole, Unsupported};

/// Kinds of picture that providers take.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Writes one part of a message of `role`.
pub fn write(
    block: &ContentBlock,
    role: MessageRole,
    carry: &mut DropReport,
    parts: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    if let BlockKind::Other { name, raw } = &block.kind {
        if !carry.same_format() {
            return Err(Unsupported::new(&block.at, format!("this model's provider knows no `{name}`; leave it out")));
        }
        parts.element(raw);
        return Ok(());
    }
    let mut object = parts.object();
    match &block.kind {
        BlockKind::Text(text) if role == MessageRole::Model => {
            object.member("type", "output_text").member("text", text);
            if !block.extra.iter().any(|extra| extra.name == "annotations") || !carry.same_format() {
                object.array("annotations").end();
            }
        }
        BlockKind::Refusal(text) if role == MessageRole::Model => {
            object.member("type", "refusal").member("refusal", text);
        }
        BlockKind::Text(text) | BlockKind::Refusal(text) => {
            object.member("type", "input_text").member("text", text);
        }
        BlockKind::Image(_) | BlockKind::Document(_) | BlockKind::Audio(_) | BlockKind::Video(_)
            if role == MessageRole::Model =>
        {
            return Err(Unsupported::new(&block.at, "this model's own turns are text; send it in a user's turn"));
        }
        BlockKind::Image(picture) => image(&block.at, picture, carry, &mut object)?,
        BlockKind::Document(document) => file(&block.at, document, carry, &mut object)?,
        BlockKind::Audio(sound) => audio(&block.at, sound, carry, &mut object)?,
        BlockKind::Video(_) => {
            return Err(Unsupported::new(&block.at, "this model's provider takes no film; send pictures"));
        }
        BlockKind::Call { .. }
        | BlockKind::CallResult { .. }
        | BlockKind::Thinking { .. }
        | BlockKind::ClosedThinking(_)
        | BlockKind::Compaction { .. }
        | BlockKind::Other { .. } => return Err(Unsupported::new(&block.at, "this content cannot be in a message")),
    }
    if carry.same_format() {
        object.extras(block.extra.iter().filter(|extra| mark::of_message(extra).is_none()));
    } else {
        carry.drop_extras(&block.extra);
    }
    object.end();
    Ok(())
}

/// Writes `output` of a call's result: a text alone as one, else parts. There is no flag for a failure: the text says it.
pub fn write_result(
    content: &[ContentBlock],
    failed: bool,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let prefix = if failed { "Error: " } else { "" };
    match content {
        [] => {
            object.member("output", prefix.trim_end());
        }
        [ContentBlock { kind: BlockKind::Text(text), extra, .. }] if extra.is_empty() || !carry.same_format() => {
            object.member("output", &[prefix, text].concat());
            carry.drop_extras(extra);
        }
        blocks => {
            let mut parts = object.array("output");
            if failed {
                let mut part = parts.object();
                part.member("type", "input_text").member("text", prefix.trim_end());
                part.end();
            }
            for block in blocks {
                write(block, MessageRole::User, carry, &mut parts)?;
            }
            parts.end();
        }
    }
    Ok(())
}

/// True if a text of the block has the word that providers look for before they write JSON.
pub fn says_json(block: &ContentBlock) -> bool {
    match &block.kind {
        BlockKind::Text(text) => text.to_ascii_lowercase().contains("json"),
        BlockKind::CallResult { content, .. } => content.iter().any(says_json),
        _ => false,
    }
}

fn image(
    at: &str,
    picture: &MediaContent,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    object.member("type", "input_image");
    carry.drop_name(at, picture);
    match &picture.source {
        MediaSource::Url(address) => object.member("image_url", address),
        MediaSource::Base64(data) => {
            let mime = picture.mime.as_deref().unwrap_or_else(|| media::picture_kind(data));
            if !carry.same_format() && !PICTURES.contains(&mime) {
                return Err(Unsupported::new(at, format!("this model takes no {mime}; send PNG, JPEG, GIF or WebP")));
            }
            object.member("image_url", &media::address(mime, data))
        }
        MediaSource::FileId(id) if carry.same_format() => object.member("file_id", id),
        MediaSource::FileId(_) => return Err(elsewhere(at)),
        MediaSource::Text(_) => return Err(Unsupported::new(at, "a picture is no text; send its bytes")),
    };
    object.maybe("detail", picture.detail.as_ref());
    Ok(())
}

fn file(
    at: &str,
    document: &MediaContent,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    if let MediaSource::Text(text) = &document.source {
        carry.drop_name(at, document);
        object.member("type", "input_text").member("text", text);
        return Ok(());
    }
    object.member("type", "input_file");
    let mut name = document.name.as_deref();
    match &document.source {
        MediaSource::Url(address) => object.member("file_url", address),
        MediaSource::Base64(data) => {
            let mime = document.mime.as_deref().unwrap_or_else(|| media::document_kind(name));
            if !carry.same_format() {
                // Without a name providers refuse the bytes.
                name = name.or(Some(if mime == "application/pdf" { "document.pdf" } else { "document.txt" }));
            }
            object.member("file_data", &media::address(mime, data))
        }
        MediaSource::FileId(id) if carry.same_format() => object.member("file_id", id),
        MediaSource::FileId(_) => return Err(elsewhere(at)),
        MediaSource::Text(_) => object,
    };
    object.maybe("filename", name).maybe("detail", document.detail.as_ref());
    Ok(())
}

fn audio(at: &str, sound: &MediaContent, carry: &DropReport, object: &mut ObjectWriter<'_>) -> Result<(), Unsupported> {
    let format = sound.mime.as_deref().and_then(|mime| mime.strip_prefix("audio/"));
    let format = match format {
        Some("mpeg" | "mp3") => "mp3",
        Some("wav" | "wave" | "x-wav") => "wav",
        Some(other) if carry.same_format() => other,
        _ => return Err(Unsupported::new(at, "this model takes sound as WAV or MP3 only")),
    };
    let MediaSource::Base64(data) = &sound.source else {
        return Err(Unsupported::new(at, "this model takes sound only as bytes in the request"));
    };
    object.member("type", "input_audio");
    let mut inner = object.object("input_audio");
    inner.member("data", data).member("format", format);
    inner.end();
    Ok(())
}

fn elsewhere(at: &str) -> Unsupported {
    Unsupported::new(at, "the file lies at another provider; send its bytes")
}
