//! A provider's whole answer, read.

use super::super::json::{JsonObject, JsonValue};
use super::super::{
    BlockKind, ChatResponse, ContentBlock, MalformedResponse, ResponseChoice, StopReason, UnknownMember,
};
use super::decode_parts::{self, PartDecoder};
use super::stop_reason;

/// Reads the answer of `:generateContent`. A blocked prompt gives an answer without choices; why is in its `extra`.
///
/// # Errors
/// [`MalformedResponse`] when it is an error after all, or not what the format says.
pub fn read(body: &[u8], upstream: &str) -> Result<ChatResponse, MalformedResponse> {
    let mut answer = JsonValue::document(body)?.object()?;
    if decode_parts::error(&mut answer).is_some() {
        return Err(decode_parts::not_an_answer());
    }
    let usage = decode_parts::usage(&mut answer);
    let id = answer.text(&["responseId", "response_id"]).ok().flatten().unwrap_or_default();
    let mut choices = Vec::new();
    for candidate in answer.list(&["candidates"])? {
        choices.push(choice(candidate.object()?, upstream, body)?);
    }
    if choices.is_empty() && !answer.has("promptFeedback") && !answer.has("prompt_feedback") {
        return Err(answer.missing("candidates").into());
    }
    choices.sort_by_key(|(index, _)| *index);
    answer.raw("modelVersion");
    Ok(ChatResponse {
        id,
        choices: choices.into_iter().map(|(_, choice)| choice).collect(),
        usage,
        extra: answer.rest(),
    })
}

fn choice(
    mut candidate: JsonObject<'_>,
    upstream: &str,
    body: &[u8],
) -> Result<(u64, ResponseChoice), MalformedResponse> {
    let index = candidate.whole(&["index"])?.unwrap_or(0);
    let mut parts = PartDecoder::new(upstream);
    let mut blocks = Vec::new();
    for part in decode_parts::parts(&mut candidate)? {
        for block in parts.blocks(&part, body)? {
            join(&mut blocks, block);
        }
    }
    let reason = candidate.text(&["finishReason", "finish_reason"])?.unwrap_or_default();
    let stop: StopReason = stop_reason::stop(&reason, parts.called());
    let extra: Vec<UnknownMember> = candidate.rest();
    Ok((index, ResponseChoice { blocks, stop, extra }))
}

/// Texts in a row are pieces of one, thoughts in a row too, up to a signature.
fn join(blocks: &mut Vec<ContentBlock>, block: ContentBlock) {
    match (blocks.last_mut().map(|last| &mut last.kind), block.kind) {
        (Some(BlockKind::Text(before)), BlockKind::Text(text)) => before.push_str(&text),
        (
            Some(BlockKind::Thinking { text: before, signature: signed @ None, .. }),
            BlockKind::Thinking { text, signature, .. },
        ) => {
            before.push_str(&text);
            *signed = signature;
        }
        (_, kind) => blocks.push(ContentBlock { kind, ..block }),
    }
}
