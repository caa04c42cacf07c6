//! A provider's whole answer, read.

use super::super::json::{Object, Value};
use super::super::{Block, Choice, Extra, Garbled, Kind, Reply, Stop};
use super::answer_in::{self, Parts};
use super::words;

/// Reads the answer of `:generateContent`. A blocked prompt gives an answer without choices; why is in its `extra`.
///
/// # Errors
/// [`Garbled`] when it is an error after all, or not what the format says.
pub fn read(body: &[u8], upstream: &str) -> Result<Reply, Garbled> {
    let mut answer = Value::document(body)?.object()?;
    if answer_in::error(&mut answer).is_some() {
        return Err(answer_in::not_an_answer());
    }
    let usage = answer_in::usage(&mut answer);
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
    Ok(Reply { id, choices: choices.into_iter().map(|(_, choice)| choice).collect(), usage, extra: answer.rest() })
}

fn choice(mut candidate: Object<'_>, upstream: &str, body: &[u8]) -> Result<(u64, Choice), Garbled> {
    let index = candidate.whole(&["index"])?.unwrap_or(0);
    let mut parts = Parts::new(upstream);
    let mut blocks = Vec::new();
    for part in answer_in::parts(&mut candidate)? {
        for block in parts.blocks(&part, body)? {
            join(&mut blocks, block);
        }
    }
    let reason = candidate.text(&["finishReason", "finish_reason"])?.unwrap_or_default();
    let stop: Stop = words::stop(&reason, parts.called());
    let extra: Vec<Extra> = candidate.rest();
    Ok((index, Choice { blocks, stop, extra }))
}

/// Texts in a row are pieces of one, thoughts in a row too, up to a signature.
fn join(blocks: &mut Vec<Block>, block: Block) {
    match (blocks.last_mut().map(|last| &mut last.kind), block.kind) {
        (Some(Kind::Text(before)), Kind::Text(text)) => before.push_str(&text),
        (
            Some(Kind::Thinking { text: before, signature: signed @ None, .. }),
            Kind::Thinking { text, signature, .. },
        ) => {
            before.push_str(&text);
            *signed = signature;
        }
        (_, kind) => blocks.push(Block { kind, ..block }),
    }
}
