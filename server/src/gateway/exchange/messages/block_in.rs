//! Blocks, read: those of a client's turns and those of a provider's answer.

use super::super::json::{Object, Value};
use super::super::{Block, Extra, Format, Kind, Signature, Unreadable};
use super::{call, media_in};

/// The writer of a content that is read.
#[derive(Debug, Clone, Copy)]
pub enum Side<'a> {
    /// A client: what its format requires has to be there.
    Client,
    /// The upstream of this name: what is missing is taken for empty.
    Upstream(&'a str),
}

/// A content: one text, or a list of blocks.
///
/// # Errors
/// When it is neither, or a block is broken.
pub fn content(value: &Value<'_>, side: Side<'_>) -> Result<Vec<Block>, Unreadable> {
    if value.starts_with('"') {
        return Ok(vec![Block { at: place(value, side), kind: Kind::Text(value.text()?), extra: Vec::new() }]);
    }
    let blocks = value.list().map_err(|_| value.wrong("a text or a list of blocks"))?;
    blocks.iter().map(|block| read(block, side)).collect()
}

/// One block. A kind that nobody knows is kept byte for byte.
///
/// # Errors
/// When it has no type, or lacks what its type requires.
pub fn read(value: &Value<'_>, side: Side<'_>) -> Result<Block, Unreadable> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let mut extra = Vec::new();
    let known = match name.as_str() {
        "text" => Some(Kind::Text(text(&mut object, "text", side)?)),
        "image" => media_in::read(&mut object)?.map(|(media, kept)| {
            extra = kept;
            Kind::Image(media)
        }),
        "document" => document(&mut object, &mut extra)?,
        "thinking" => Some(thinking(&mut object, side)?),
        "redacted_thinking" => Some(Kind::ClosedThinking(signature(&text(&mut object, "data", side)?, side))),
        "tool_use" => Some(tool_use(&mut object, side)?),
        "tool_result" => Some(tool_result(&mut object, side)?),
        "compaction" => compaction(&mut object),
        _ => None,
    };
    let at = place(value, side);
    let Some(kind) = known else {
        return Ok(Block { at, kind: Kind::Other { name, raw: value.raw.to_owned() }, extra: Vec::new() });
    };
    extra.extend(object.rest());
    Ok(Block { at, kind, extra })
}

/// A signature as `side` sent it.
pub fn signature(text: &str, side: Side<'_>) -> Signature {
    match side {
        Side::Client => Signature::read(text),
        Side::Upstream(upstream) => Signature::made_by(upstream, Format::Messages, None, text.to_owned()),
    }
}

fn document(object: &mut Object<'_>, extra: &mut Vec<Extra>) -> Result<Option<Kind>, Unreadable> {
    let Some((mut media, kept)) = media_in::read(object)? else { return Ok(None) };
    media.name = object.text(&["title"])?;
    *extra = kept;
    Ok(Some(Kind::Document(media)))
}

fn thinking(object: &mut Object<'_>, side: Side<'_>) -> Result<Kind, Unreadable> {
    let text = text(object, "thinking", side)?;
    let signed = object.text(&["signature"])?.filter(|signed| !signed.is_empty());
    let signature = signed.map(|signed| signature(&signed, side));
    Ok(Kind::Thinking { text, id: signature.as_ref().and_then(|signature| signature.item.clone()), signature })
}

fn tool_use(object: &mut Object<'_>, side: Side<'_>) -> Result<Kind, Unreadable> {
    let (id, signature) = off_id(text(object, "id", side)?, side);
    let name = object.required(&["name"])?.text()?;
    let arguments = match (object.value(&["input"]), side) {
        // Some providers send the arguments as text.
        (Some(input), Side::Upstream(_)) if input.starts_with('"') => input.text()?,
        (Some(input), _) => call::arguments(&input)?,
        (None, Side::Upstream(_)) => "{}".to_owned(),
        (None, Side::Client) => return Err(object.missing("input")),
    };
    Ok(Kind::Call { id, name, arguments, custom: false, signature })
}

fn tool_result(object: &mut Object<'_>, side: Side<'_>) -> Result<Kind, Unreadable> {
    let (id, _) = off_id(text(object, "tool_use_id", side)?, side);
    let content = object.value(&["content"]).map(|value| content(&value, side)).transpose()?;
    let failed = object.flag(&["is_error"])?;
    Ok(Kind::CallResult { id, name: None, content: content.unwrap_or_default(), failed })
}

/// A compaction that failed holds null, which only this format has a word for.
fn compaction(object: &mut Object<'_>) -> Option<Kind> {
    let closed = object.value(&["content"])?.text().ok()?;
    Some(Kind::Compaction { id: None, closed })
}

fn off_id(id: String, side: Side<'_>) -> (String, Option<Signature>) {
    match side {
        Side::Client => {
            let (id, signature) = Signature::off_id(&id);
            (id.to_owned(), signature)
        }
        Side::Upstream(_) => (id, None),
    }
}

fn text(object: &mut Object<'_>, name: &str, side: Side<'_>) -> Result<String, Unreadable> {
    match side {
        Side::Client => object.required(&[name])?.text(),
        Side::Upstream(_) => Ok(object.text(&[name])?.unwrap_or_default()),
    }
}

/// Places are told to clients; those in answers tell nobody anything.
fn place(value: &Value<'_>, side: Side<'_>) -> String {
    match side {
        Side::Client => value.at.clone(),
        Side::Upstream(_) => String::new(),
    }
}
