//! Blocks, read: those of a client's turns and those of a provider's answer.

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ContentBlock, Format, MalformedRequest, ThinkingSignature, UnknownMember};
use super::{call, decode_media};

/// The writer of a content that is read.
#[derive(Debug, Clone, Copy)]
pub enum BlockOrigin<'a> {
    /// A client: what its format requires has to be there.
    Client,
    /// The upstream of this name: what is missing is taken for empty.
    Upstream(&'a str),
}

/// A content: one text, or a list of blocks.
///
/// # Errors
/// When it is neither, or a block is broken.
pub fn content(value: &JsonValue<'_>, side: BlockOrigin<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    if value.starts_with('"') {
        return Ok(vec![ContentBlock {
            at: place(value, side),
            kind: BlockKind::Text(value.text()?),
            extra: Vec::new(),
        }]);
    }
    let blocks = value.list().map_err(|_| value.wrong("a text or a list of blocks"))?;
    blocks.iter().map(|block| read(block, side)).collect()
}

/// One block. A kind that nobody knows is kept byte for byte.
///
/// # Errors
/// When it has no type, or lacks what its type requires.
pub fn read(value: &JsonValue<'_>, side: BlockOrigin<'_>) -> Result<ContentBlock, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let mut extra = Vec::new();
    let known = match name.as_str() {
        "text" => Some(BlockKind::Text(text(&mut object, "text", side)?)),
        "image" => decode_media::read(&mut object)?.map(|(media, kept)| {
            extra = kept;
            BlockKind::Image(media)
        }),
        "document" => document(&mut object, &mut extra)?,
        "thinking" => Some(thinking(&mut object, side)?),
        "redacted_thinking" => Some(BlockKind::ClosedThinking(signature(&text(&mut object, "data", side)?, side))),
        "tool_use" => Some(tool_use(&mut object, side)?),
        "tool_result" => Some(tool_result(&mut object, side)?),
        "compaction" => compaction(&mut object),
        _ => None,
    };
    let at = place(value, side);
    let Some(kind) = known else {
        return Ok(ContentBlock { at, kind: BlockKind::Other { name, raw: value.raw.to_owned() }, extra: Vec::new() });
    };
    extra.extend(object.rest());
    Ok(ContentBlock { at, kind, extra })
}

/// A signature as `side` sent it.
pub fn signature(text: &str, side: BlockOrigin<'_>) -> ThinkingSignature {
    match side {
        BlockOrigin::Client => ThinkingSignature::read(text),
        BlockOrigin::Upstream(upstream) => {
            ThinkingSignature::made_by(upstream, Format::Messages, None, text.to_owned())
        }
    }
}

fn document(
    object: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<Option<BlockKind>, MalformedRequest> {
    let Some((mut media, kept)) = decode_media::read(object)? else { return Ok(None) };
    media.name = object.text(&["title"])?;
    *extra = kept;
    Ok(Some(BlockKind::Document(media)))
}

fn thinking(object: &mut JsonObject<'_>, side: BlockOrigin<'_>) -> Result<BlockKind, MalformedRequest> {
    let text = text(object, "thinking", side)?;
    let signed = object.text(&["signature"])?.filter(|signed| !signed.is_empty());
    let signature = signed.map(|signed| signature(&signed, side));
    Ok(BlockKind::Thinking { text, id: signature.as_ref().and_then(|signature| signature.item.clone()), signature })
}

fn tool_use(object: &mut JsonObject<'_>, side: BlockOrigin<'_>) -> Result<BlockKind, MalformedRequest> {
    let (id, signature) = off_id(text(object, "id", side)?, side);
    let name = object.required(&["name"])?.text()?;
    let arguments = match (object.value(&["input"]), side) {
        // Some providers send the arguments as text.
        (Some(input), BlockOrigin::Upstream(_)) if input.starts_with('"') => input.text()?,
        (Some(input), _) => call::arguments(&input)?,
        (None, BlockOrigin::Upstream(_)) => "{}".to_owned(),
        (None, BlockOrigin::Client) => return Err(object.missing("input")),
    };
    Ok(BlockKind::Call { id, name, arguments, custom: false, signature })
}

fn tool_result(object: &mut JsonObject<'_>, side: BlockOrigin<'_>) -> Result<BlockKind, MalformedRequest> {
    let (id, _) = off_id(text(object, "tool_use_id", side)?, side);
    let content = object.value(&["content"]).map(|value| content(&value, side)).transpose()?;
    let failed = object.flag(&["is_error"])?;
    Ok(BlockKind::CallResult { id, name: None, content: content.unwrap_or_default(), failed })
}

/// A compaction that failed holds null, which only this format has a word for.
fn compaction(object: &mut JsonObject<'_>) -> Option<BlockKind> {
    let closed = object.value(&["content"])?.text().ok()?;
    Some(BlockKind::Compaction { id: None, closed })
}

fn off_id(id: String, side: BlockOrigin<'_>) -> (String, Option<ThinkingSignature>) {
    match side {
        BlockOrigin::Client => {
            let (id, signature) = ThinkingSignature::split_from_id(&id);
            (id.to_owned(), signature)
        }
        BlockOrigin::Upstream(_) => (id, None),
    }
}

fn text(object: &mut JsonObject<'_>, name: &str, side: BlockOrigin<'_>) -> Result<String, MalformedRequest> {
    match side {
        BlockOrigin::Client => object.required(&[name])?.text(),
        BlockOrigin::Upstream(_) => Ok(object.text(&[name])?.unwrap_or_default()),
    }
}

/// Places are told to clients; those in answers tell nobody anything.
fn place(value: &JsonValue<'_>, side: BlockOrigin<'_>) -> String {
    match side {
        BlockOrigin::Client => value.at.clone(),
        BlockOrigin::Upstream(_) => String::new(),
    }
}
