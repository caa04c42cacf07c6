//! The content of a message, written.

use data_encoding::BASE64;

use super::super::super::json::{ArrayWriter, ObjectWriter};
use super::super::super::{Block, Carry, Kind, Media, NotCarried, Source};
use super::super::data_url;
use super::super::instructions;
use super::super::kept::Kept;

/// The name of a document that has none; upstreams refuse one without a name.
const DOCUMENT_NAME: &str = "document.pdf";

/// Writes `content`: as one text where it is no more than that, else in parts.
pub fn write(blocks: &[&Block], carry: &mut Carry, object: &mut ObjectWriter<'_>) -> Result<(), NotCarried> {
    if let [Block { at, kind: Kind::Text(text), extra }] = blocks {
        // A client's part stays a part: the same bytes reach the provider's cache.
        let was_part = carry.same_format() && at.ends_with(']');
        if !was_part {
            object.member("content", text);
            Kept::of(extra, carry);
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

fn part(block: &Block, carry: &mut Carry, list: &mut ArrayWriter<'_>) -> Result<(), NotCarried> {
    let at = block.at.as_str();
    match &block.kind {
        Kind::Text(text) => simple("text", text, &own(block, carry), list.object()),
        Kind::Refusal(text) => simple("refusal", text, &own(block, carry), list.object()),
        Kind::Image(media) => {
            carry.drop_name(at, media);
            image(at, media, own(block, carry), list)?;
        }
        Kind::Audio(media) => audio(at, media, carry.same_format(), own(block, carry), list)?,
        Kind::Document(media) if carry.same_format() => file(media, own(block, carry), list),
        Kind::Document(media) => {
            if plain_text(media).is_some() {
                carry.drop_name(at, media);
            }
            document(at, media, own(block, carry), list)?;
        }
        Kind::Video(_) => return Err(NotCarried::new(at, "the model's provider takes no film; send pictures or text")),
        Kind::Other { raw, .. } if carry.same_format() => {
            list.element(raw);
        }
        Kind::Other { .. } | Kind::Compaction { .. } => {
            let reason = "only a model of the client's own format takes this; send text";
            return Err(NotCarried::new(at, reason));
        }
        Kind::Call { .. } | Kind::CallResult { .. } => {
            return Err(NotCarried::new(at, "a call or its result cannot stand here; put it into the conversation"));
        }
        Kind::Thinking { .. } | Kind::ClosedThinking(_) => carry.drop(at),
    }
    Ok(())
}

/// The part's own members, without those of the message that are kept on it.
fn own<'e>(block: &'e Block, carry: &mut Carry) -> Kept<'e> {
    let mut extra = Kept::of(&block.extra, carry);
    extra.inside(instructions::MESSAGE);
    extra
}

fn simple(kind: &str, text: &str, extra: &Kept<'_>, mut part: ObjectWriter<'_>) {
    part.member("type", kind).member(kind, text);
    extra.write(&mut part);
    part.end();
}

fn image(at: &str, media: &Media, mut extra: Kept<'_>, list: &mut ArrayWriter<'_>) -> Result<(), NotCarried> {
    let url = match &media.source {
        Source::Base64(data) => data_url::write(media.mime.as_deref(), data),
        Source::Url(url) => url.clone(),
        Source::Text(_) | Source::FileId(_) => return Err(lives_elsewhere(at, "picture")),
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
    media: &Media,
    same: bool,
    mut extra: Kept<'_>,
    list: &mut ArrayWriter<'_>,
) -> Result<(), NotCarried> {
    let Source::Base64(data) = &media.source else { return Err(lives_elsewhere(at, "sound")) };
    let word = media.mime.as_deref().and_then(|mime| mime.strip_prefix("audio/")).unwrap_or_default();
    let format = match word {
        "wav" | "x-wav" | "wave" | "vnd.wave" => "wav",
        "mp3" | "mpeg" => "mp3",
        other if same => other,
        _ => return Err(NotCarried::new(at, "the model's provider takes sound as wav or mp3; send one of these")),
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
fn document(at: &str, media: &Media, extra: Kept<'_>, list: &mut ArrayWriter<'_>) -> Result<(), NotCarried> {
    if let Some(text) = plain_text(media) {
        simple("text", &text, &extra, list.object());
        return Ok(());
    }
    if !matches!(media.source, Source::Base64(_)) {
        return Err(lives_elsewhere(at, "document"));
    }
    let name = media.name.clone().or_else(|| Some(DOCUMENT_NAME.to_owned()));
    file(&Media { name, ..media.clone() }, extra, list);
    Ok(())
}

fn file(media: &Media, mut extra: Kept<'_>, list: &mut ArrayWriter<'_>) {
    let inside = extra.inside("file");
    let mut part = list.object();
    part.member("type", "file");
    let mut inner = part.object("file");
    inner.maybe("filename", media.name.as_ref());
    match (&media.source, &media.mime) {
        (Source::Base64(data), Some(mime)) => inner.member("file_data", &data_url::write(Some(mime), data)),
        (Source::Base64(text) | Source::Text(text) | Source::Url(text), _) => inner.member("file_data", text),
        (Source::FileId(id), _) => inner.member("file_id", id),
    };
    inside.write(&mut inner);
    inner.end();
    extra.write(&mut part);
    part.end();
}

fn plain_text(media: &Media) -> Option<String> {
    match &media.source {
        Source::Text(text) => Some(text.clone()),
        Source::Base64(data) if media.mime.as_deref().is_some_and(|mime| mime.starts_with("text/")) => {
            String::from_utf8(BASE64.decode(data.as_bytes()).ok()?).ok()
        }
        Source::Base64(_) | Source::Url(_) | Source::FileId(_) => None,
    }
}

fn lives_elsewhere(at: &str, what: &str) -> NotCarried {
    NotCarried::new(at, format!("the model's provider cannot fetch this {what}; send its bytes in base64"))
}
