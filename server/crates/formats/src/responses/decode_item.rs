//! Items of a provider's answer.

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ContentBlock, Format, MalformedRequest, MediaContent, MediaSource, ThinkingSignature};
use super::media;

/// Reads one item: a message gives a block for each part, anything else one.
///
/// # Errors
/// When it is not what its type says.
pub fn read(value: &JsonValue<'_>, upstream: &str) -> Result<Vec<ContentBlock>, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    Ok(match name.as_str() {
        "message" => object.list(&["content"])?.iter().map(part).collect::<Result<_, _>>()?,
        "function_call" => vec![call(object, false)?],
        "custom_tool_call" => vec![call(object, true)?],
        "reasoning" => vec![reasoning(object, upstream)?],
        "compaction" => {
            let id = object.text(&["id"])?;
            vec![plain(BlockKind::Compaction { id, closed: object.required(&["encrypted_content"])?.text()? })]
        }
        "image_generation_call" => vec![picture(value, name, object)?],
        _ => vec![plain(BlockKind::Other { name, raw: value.raw.to_owned() })],
    })
}

const fn plain(kind: BlockKind) -> ContentBlock {
    ContentBlock { at: String::new(), kind, extra: Vec::new() }
}

fn part(value: &JsonValue<'_>) -> Result<ContentBlock, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let kind = match name.as_str() {
        "output_text" | "text" => BlockKind::Text(object.text(&["text"])?.unwrap_or_default()),
        "refusal" => BlockKind::Refusal(object.text(&["refusal"])?.unwrap_or_default()),
        _ => return Ok(plain(BlockKind::Other { name, raw: value.raw.to_owned() })),
    };
    Ok(ContentBlock { at: String::new(), kind, extra: object.rest() })
}

/// Some providers leave out `call_id`; the item's own id then ties the result to the call.
fn call(mut object: JsonObject<'_>, custom: bool) -> Result<ContentBlock, MalformedRequest> {
    let item = object.text(&["id"])?;
    let id =
        object.text(&["call_id"])?.filter(|id| !id.is_empty()).or(item).ok_or_else(|| object.missing("call_id"))?;
    let name = object.required(&["name"])?.text()?;
    let arguments = object.text(&[if custom { "input" } else { "arguments" }])?.unwrap_or_default();
    Ok(plain(BlockKind::Call { id, name, arguments, custom, signature: None }))
}

fn reasoning(mut object: JsonObject<'_>, upstream: &str) -> Result<ContentBlock, MalformedRequest> {
    let id = object.text(&["id"])?;
    let mut texts = thinking(&mut object, "content")?;
    let summary = thinking(&mut object, "summary")?;
    if texts.is_empty() {
        texts = summary;
    }
    let signature = object.text(&["encrypted_content"])?.filter(|closed| !closed.is_empty());
    let signature = signature.map(|closed| ThinkingSignature::made_by(upstream, Format::Responses, id.clone(), closed));
    Ok(plain(BlockKind::Thinking { text: texts.join("\n\n"), id, signature }))
}

fn thinking(object: &mut JsonObject<'_>, name: &str) -> Result<Vec<String>, MalformedRequest> {
    object.list(&[name])?.iter().map(|part| Ok(part.object()?.text(&["text"])?.unwrap_or_default())).collect()
}

fn picture(value: &JsonValue<'_>, name: String, mut object: JsonObject<'_>) -> Result<ContentBlock, MalformedRequest> {
    let Some(data) = object.text(&["result"])? else {
        return Ok(plain(BlockKind::Other { name, raw: value.raw.to_owned() }));
    };
    let data = media::standard(data);
    let mime = object.text(&["output_format"])?.map(|format| format!("image/{format}"));
    let mime = mime.unwrap_or_else(|| media::picture_kind(&data).to_owned());
    Ok(plain(BlockKind::Image(MediaContent {
        mime: Some(mime),
        source: MediaSource::Base64(data),
        name: None,
        detail: None,
    })))
}
