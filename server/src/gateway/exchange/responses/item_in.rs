//! Items of a provider's answer.

use super::super::json::{Object, Value};
use super::super::{Block, Format, Kind, Media, Signature, Source, Unreadable};
use super::media;

/// Reads one item: a message gives a block for each part, anything else one.
///
/// # Errors
/// When it is not what its type says.
pub fn read(value: &Value<'_>, upstream: &str) -> Result<Vec<Block>, Unreadable> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    Ok(match name.as_str() {
        "message" => object.list(&["content"])?.iter().map(part).collect::<Result<_, _>>()?,
        "function_call" => vec![call(object, false)?],
        "custom_tool_call" => vec![call(object, true)?],
        "reasoning" => vec![reasoning(object, upstream)?],
        "compaction" => {
            let id = object.text(&["id"])?;
            vec![plain(Kind::Compaction { id, closed: object.required(&["encrypted_content"])?.text()? })]
        }
        "image_generation_call" => vec![picture(value, name, object)?],
        _ => vec![plain(Kind::Other { name, raw: value.raw.to_owned() })],
    })
}

const fn plain(kind: Kind) -> Block {
    Block { at: String::new(), kind, extra: Vec::new() }
}

fn part(value: &Value<'_>) -> Result<Block, Unreadable> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let kind = match name.as_str() {
        "output_text" | "text" => Kind::Text(object.text(&["text"])?.unwrap_or_default()),
        "refusal" => Kind::Refusal(object.text(&["refusal"])?.unwrap_or_default()),
        _ => return Ok(plain(Kind::Other { name, raw: value.raw.to_owned() })),
    };
    Ok(Block { at: String::new(), kind, extra: object.rest() })
}

/// Some providers leave out `call_id`; the item's own id then ties the result to the call.
fn call(mut object: Object<'_>, custom: bool) -> Result<Block, Unreadable> {
    let item = object.text(&["id"])?;
    let id =
        object.text(&["call_id"])?.filter(|id| !id.is_empty()).or(item).ok_or_else(|| object.missing("call_id"))?;
    let name = object.required(&["name"])?.text()?;
    let arguments = object.text(&[if custom { "input" } else { "arguments" }])?.unwrap_or_default();
    Ok(plain(Kind::Call { id, name, arguments, custom, signature: None }))
}

fn reasoning(mut object: Object<'_>, upstream: &str) -> Result<Block, Unreadable> {
    let id = object.text(&["id"])?;
    let mut texts = thinking(&mut object, "content")?;
    let summary = thinking(&mut object, "summary")?;
    if texts.is_empty() {
        texts = summary;
    }
    let signature = object.text(&["encrypted_content"])?.filter(|closed| !closed.is_empty());
    let signature = signature.map(|closed| Signature::made_by(upstream, Format::Responses, id.clone(), closed));
    Ok(plain(Kind::Thinking { text: texts.join("\n\n"), id, signature }))
}

fn thinking(object: &mut Object<'_>, name: &str) -> Result<Vec<String>, Unreadable> {
    object.list(&[name])?.iter().map(|part| Ok(part.object()?.text(&["text"])?.unwrap_or_default())).collect()
}

fn picture(value: &Value<'_>, name: String, mut object: Object<'_>) -> Result<Block, Unreadable> {
    let Some(data) = object.text(&["result"])? else {
        return Ok(plain(Kind::Other { name, raw: value.raw.to_owned() }));
    };
    let data = media::standard(data);
    let mime = object.text(&["output_format"])?.map(|format| format!("image/{format}"));
    let mime = mime.unwrap_or_else(|| media::picture_kind(&data).to_owned());
    Ok(plain(Kind::Image(Media { mime: Some(mime), source: Source::Base64(data), name: None, detail: None })))
}
