//! The content of a message, written.

use data_encoding::BASE64;

use super::super::data_url;
use super::super::instructions;
use super::super::native_members::NativeMembers;
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{BlockKind, ContentBlock, DropReport, MediaContent, MediaSource, Unsupported};

/// The name of a document that has none; upstreams refuse one without a name.
const DOCUMENT_NAME: &str = "document.pdf";

/// Writes `content`: as one text where it is no more than that, else in parts.
pub fn write(
    blocks: &[&ContentBlock],
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    if let [ContentBlock { at, kind: BlockKind::Text(text), extra }] = blocks {
        // A client's part stays a part: the same bytes reach the provider's cache.
        let was_part = carry.same_format() && at.ends_with(']');
        if !was_part {
            object.member("content", text);
            NativeMembers::of(extra, carry);
            return Ok(());
        }
    }
    let mut list = object.array("content");
    for block in blocks {
        part(block, carry, &mut list)?;
    }
    list.end();
    Ok(())
}

fn part(block: &ContentBlock, carry: &mut DropReport, list: &mut ArrayWriter<'_>) -> Result<(), Unsupported> {
    let at = block.at.as_str();
    match &block.kind {
        BlockKind::Text(text) => simple("text", text, &own(block, carry), list.object()),
        BlockKind::Refusal(text) => simple("refusal", text, &own(block, carry), list.object()),
        BlockKind::Image(media) => {
            carry.drop_name(at, media);
            image(at, media, own(block, carry), list)?;
        }
        BlockKind::Audio(media) => audio(at, media, carry.same_format(), own(block, carry), list)?,
        BlockKind::Document(media) if carry.same_format() => file(media, own(block, carry), list),
        BlockKind::Document(media) => {
            if plain_text(media).is_some() {
                carry.drop_name(at, media);
            }
            document(at, media, own(block, carry), list)?;
        }
        BlockKind::Video(_) => {
            return Err(Unsupported::new(at, "the model's provider takes no film; send pictures or text"));
        }
        BlockKind::Other { raw, .. } if carry.same_format() => {
            list.element(raw);
        }
        BlockKind::Other { .. } | BlockKind::Compaction { .. } => {
            let reason = "only a model of the client's own format takes this; send text";
            return Err(Unsupported::new(at, reason));
        }
        BlockKind::Call { .. } | BlockKind::CallResult { .. } => {
            return Err(Unsupported::new(at, "a call or its result cannot stand here; put it into the conversation"));
        }
        BlockKind::Thinking { .. } | BlockKind::ClosedThinking(_) => carry.drop(at),
    }
    Ok(())
}

/// The part's own members, without those of the message that are kept on it.
fn own<'e>(block: &'e ContentBlock, carry: &mut DropReport) -> NativeMembers<'e> {
    let mut extra = NativeMembers::of(&block.extra, carry);
    extra.inside(instructions::MESSAGE);
    extra
}

fn simple(kind: &str, text: &str, extra: &NativeMembers<'_>, mut part: ObjectWriter<'_>) {
    part.member("type", kind).member(kind, text);
    extra.write(&mut part);
    part.end();
}

fn image(
    at: &str,
    media: &MediaContent,
    mut extra: NativeMembers<'_>,
    list: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    let url = match &media.source {
        MediaSource::Base64(data) => data_url::write(media.mime.as_deref(), data),
        MediaSource::Url(url) => url.clone(),
        MediaSource::Text(_) | MediaSource::FileId(_) => return Err(lives_elsewhere(at, "picture")),
    };
    let inside = extra.inside("image_url");
    let mut part = list.object();
    part.member("type", "image_url");
    let mut inner = part.object("image_url");
    inner.member("url", &url).maybe("detail", media.detail.as_ref());
    inside.write(&mut inner);
    inner.end();
    extra.write(&mut part);
    part.end();
    Ok(())
}

fn audio(
    at: &str,
    media: &MediaContent,
    same: bool,
    mut extra: NativeMembers<'_>,
    list: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    let MediaSource::Base64(data) = &media.source else { return Err(lives_elsewhere(at, "sound")) };
    let word = media.mime.as_deref().and_then(|mime| mime.strip_prefix("audio/")).unwrap_or_default();
    let format = match word {
        "wav" | "x-wav" | "wave" | "vnd.wave" => "wav",
        "mp3" | "mpeg" => "mp3",
        other if same => other,
        _ => return Err(Unsupported::new(at, "the model's provider takes sound as wav or mp3; send one of these")),
    };
    let inside = extra.inside("input_audio");
    let mut part = list.object();
    part.member("type", "input_audio");
    let mut inner = part.object("input_audio");
    inner.member("data", data).member("format", format);
    inside.write(&mut inner);
    inner.end();
    extra.write(&mut part);
    part.end();
    Ok(())
}

/// Another format's document: one that is text, as text, else as a file with its bytes.
fn document(
    at: &str,
    media: &MediaContent,
    extra: NativeMembers<'_>,
    list: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    if let Some(text) = plain_text(media) {
        simple("text", &text, &extra, list.object());
        return Ok(());
    }
    if !matches!(media.source, MediaSource::Base64(_)) {
        return Err(lives_elsewhere(at, "document"));
    }
    let name = media.name.clone().or_else(|| Some(DOCUMENT_NAME.to_owned()));
    file(&MediaContent { name, ..media.clone() }, extra, list);
    Ok(())
}

fn file(media: &MediaContent, mut extra: NativeMembers<'_>, list: &mut ArrayWriter<'_>) {
    let inside = extra.inside("file");
    let mut part = list.object();
    part.member("type", "file");
    let mut inner = part.object("file");
    inner.maybe("filename", media.name.as_ref());
    match (&media.source, &media.mime) {
        (MediaSource::Base64(data), Some(mime)) => inner.member("file_data", &data_url::write(Some(mime), data)),
        (MediaSource::Base64(text) | MediaSource::Text(text) | MediaSource::Url(text), _) => {
            inner.member("file_data", text)
        }
        (MediaSource::FileId(id), _) => inner.member("file_id", id),
    };
    inside.write(&mut inner);
    inner.end();
    extra.write(&mut part);
    part.end();
}

fn plain_text(media: &MediaContent) -> Option<String> {
    match &media.source {
        MediaSource::Text(text) => Some(text.clone()),
        MediaSource::Base64(data) if media.mime.as_deref().is_some_and(|mime| mime.starts_with("text/")) => {
            String::from_utf8(BASE64.decode(data.as_bytes()).ok()?).ok()
        }
        MediaSource::Base64(_) | MediaSource::Url(_) | MediaSource::FileId(_) => None,
    }
}

fn lives_elsewhere(at: &str, what: &str) -> Unsupported {
    Unsupported::new(at, format!("the model's provider cannot fetch this {what}; send its bytes in base64"))
}
