//! Thinking of an assistant, read: `reasoning_content`, or `reasoning`, or `reasoning_details` with its signatures.
//!
//! None of them is in the format's own description; upstreams and clients know one or another.

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ContentBlock, Format, MalformedRequest, ThinkingSignature, UnknownMember};
use super::origin::MessageOrigin;
use super::signed;

/// Takes the thoughts of a message. Where details and plain text both stand, the details count: they are signed.
pub fn read(message: &mut JsonObject<'_>, origin: MessageOrigin<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    let mut blocks = details(message, origin)?;
    let told = |block: &ContentBlock| matches!(&block.kind, BlockKind::Thinking { text, .. } if !text.is_empty());
    if blocks.iter().any(told) {
        return Ok(blocks);
    }
    let Some(value) = message.value(&["reasoning_content"]).or_else(|| message.value(&["reasoning"])) else {
        return Ok(blocks);
    };
    if origin.is_lenient() && !value.starts_with('"') {
        return Ok(blocks);
    }
    let plain = value.text()?;
    let signed = blocks
        .iter_mut()
        .find_map(|block| if let BlockKind::Thinking { text, .. } = &mut block.kind { Some(text) } else { None });
    match signed {
        Some(text) => *text = plain,
        None if plain.is_empty() => {}
        None => {
            let kind = BlockKind::Thinking { text: plain, id: None, signature: origin.unsigned() };
            blocks.insert(0, ContentBlock { at: value.at, kind, extra: Vec::new() });
        }
    }
    Ok(blocks)
}

/// Takes the thoughts of a piece of a streamed answer: the plain text where there is one, and what the details add to
/// it.
pub fn read_delta(delta: &mut JsonObject<'_>, origin: MessageOrigin<'_>) -> Vec<ContentBlock> {
    let mut blocks = details(delta, origin).unwrap_or_default();
    let plain = delta.value(&["reasoning_content"]).or_else(|| delta.value(&["reasoning"]));
    let Some(plain) = plain.and_then(|value| value.text().ok()).filter(|text| !text.is_empty()) else { return blocks };
    for block in &mut blocks {
        if let BlockKind::Thinking { text, .. } = &mut block.kind {
            text.clear();
        }
    }
    let kind = BlockKind::Thinking { text: plain, id: None, signature: None };
    blocks.insert(0, ContentBlock { at: String::new(), kind, extra: Vec::new() });
    blocks
}

fn details(message: &mut JsonObject<'_>, origin: MessageOrigin<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    let list = message.list(&["reasoning_details"]);
    if origin.is_lenient() {
        return Ok(list.unwrap_or_default().iter().filter_map(|value| detail(value, origin).ok()).collect());
    }
    list?.iter().map(|value| detail(value, origin)).collect()
}

/// One detail: a thought in words, with its signature; or one that is closed.
pub fn detail(value: &JsonValue<'_>, origin: MessageOrigin<'_>) -> Result<ContentBlock, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["type"])?.text()?;
    let id = object.text(&["id"])?;
    let mut extra = Vec::new();
    let kind = match name.as_str() {
        "reasoning.text" => {
            let text = object.text(&["text"])?.unwrap_or_default();
            let signature = object.text(&["signature"])?.map(|text| origin.signature(id.as_deref(), text));
            BlockKind::Thinking { text, signature: signature.or_else(|| origin.unsigned()), id }
        }
        "reasoning.summary" => {
            let summary = object.required(&["summary"])?;
            // It stays beside the text, so that it can be written as a summary again.
            extra.push(UnknownMember { at: summary.at.clone(), name: "summary".into(), value: summary.raw.to_owned() });
            BlockKind::Thinking { text: summary.text()?, signature: origin.unsigned(), id }
        }
        "reasoning.encrypted" => {
            let data = object.required(&["data"])?.text()?;
            BlockKind::ClosedThinking(origin.signature(id.as_deref(), data))
        }
        _ => {
            return Ok(ContentBlock {
                at: value.at.clone(),
                kind: BlockKind::Other { name, raw: value.raw.to_owned() },
                extra,
            });
        }
    };
    extra.extend(object.rest());
    Ok(ContentBlock { at: value.at.clone(), kind, extra })
}

/// Gives signatures that came back on calls' ids to the thoughts that they were made for.
///
/// Formats A and R sign the thought before a call. A client of this format sends it back without its signature, or with
/// it in the details, or not at all. A thought that had no words is made anew; one whose words are lost is left out,
/// for its maker would refuse it.
pub fn restore_signatures(blocks: &mut Vec<ContentBlock>) {
    let mut thoughts: Vec<ContentBlock> = Vec::new();
    let split = blocks.iter().take_while(|block| is_thought(block)).count();
    let calls = blocks.split_off(split);
    thoughts.append(blocks);
    for mut call in calls {
        if let BlockKind::Call { signature: on_call, .. } = &mut call.kind
            && let Some(signature) = on_call.take_if(|signature| signs_thoughts(signature))
        {
            attach_signature(signature, &call.at, &mut thoughts);
        }
        blocks.push(call);
    }
    blocks.splice(0..0, thoughts);
}

fn attach_signature(mut signature: ThinkingSignature, at: &str, thoughts: &mut Vec<ContentBlock>) {
    let is_known = |thought: &ContentBlock| {
        signature_of(thought).is_some_and(|known| known.maker == signature.maker && known.text == signature.text)
    };
    if thoughts.iter().any(is_known) {
        return;
    }
    let words_count = signed::maker(&signature) == Some(Format::Messages);
    let length = if words_count { signature.item.take() } else { None };
    let fits = |text: &str| !words_count || length == Some(text.len().to_string());
    let item = signature.item.clone();
    if let [ContentBlock { kind: BlockKind::Thinking { text, id, signature: missing @ None }, .. }] =
        thoughts.as_mut_slice()
    {
        if fits(text) {
            *id = item;
            *missing = Some(signature);
        }
    } else if fits("") {
        let kind = BlockKind::Thinking { text: String::new(), id: item, signature: Some(signature) };
        thoughts.push(ContentBlock { at: format!("{at}.id"), kind, extra: Vec::new() });
    }
}

fn is_thought(block: &ContentBlock) -> bool {
    matches!(block.kind, BlockKind::Thinking { .. } | BlockKind::ClosedThinking(_))
}

fn signs_thoughts(signature: &ThinkingSignature) -> bool {
    matches!(signed::maker(signature), Some(Format::Messages | Format::Responses))
}

/// The signature of a thought.
pub fn signature_of(thought: &ContentBlock) -> Option<&ThinkingSignature> {
    if let BlockKind::ClosedThinking(signature) = &thought.kind {
        return Some(signature);
    }
    if let BlockKind::Thinking { signature, .. } = &thought.kind { signature.as_ref() } else { None }
}
