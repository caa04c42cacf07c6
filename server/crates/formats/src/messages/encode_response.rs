//! Whole answers for clients.

use super::super::json::{ArrayWriter, ObjectWriter};
use super::super::{BlockKind, ChatResponse, ContentBlock, ResponseChoice, ResponseContext, StopReason, UnknownMember};
use super::{answer_block, call, nested, stop, usage};

/// Members of an answer that clients of this format know.
const KNOWN: [&str; 3] = ["container", "context_management", "stop_details"];
/// Members of its usage.
const KNOWN_OF_USAGE: [&str; 3] = ["usage.inference_geo", "usage.server_tool_use", "usage.service_tier"];

/// Writes an answer. There is one choice in the format: the first. A blocked prompt, which has none, is a refusal.
#[must_use]
pub fn write(reply: &ChatResponse, echo: &ResponseContext) -> Vec<u8> {
    let blocked = ResponseChoice { blocks: Vec::new(), stop: StopReason::Refused, extra: Vec::new() };
    let choice = reply.choices.first().unwrap_or(&blocked);
    let mut body = Vec::new();
    let mut object = ObjectWriter::new(&mut body);
    object.member("id", &id(echo)).member("type", "message").member("role", "assistant").member("model", &echo.model);
    let mut content = object.array("content");
    let mut said = false;
    for block in choice.blocks.iter().filter(|block| answer_block::has_word(block)) {
        if said && !echo.thinks && signs_text(block) {
            continue;
        }
        said |= matches!(block.kind, BlockKind::Text(_) | BlockKind::Refusal(_));
        write_block(block, &mut content);
    }
    content.end();
    let refused = choice.blocks.iter().any(|block| matches!(block.kind, BlockKind::Refusal(_)));
    let (reason, sequence) = stop::write(&choice.stop, refused);
    object.member("stop_reason", reason).member("stop_sequence", &sequence);
    object.extras(known(&reply.extra, &KNOWN));
    let mut counts = object.object("usage");
    usage::write(reply.usage, &mut counts);
    let of_usage: Vec<UnknownMember> = known(&reply.extra, &KNOWN_OF_USAGE).cloned().collect();
    nested::write(&of_usage, "usage", &mut counts);
    counts.end();
    object.end();
    body
}

/// True if the block is the signature of a text before it, which the format has no word for.
fn signs_text(block: &ContentBlock) -> bool {
    let BlockKind::Thinking { text, signature: Some(signature), id: _ } = &block.kind else { return false };
    text.is_empty() && signature.may_sign_text()
}

/// True if the format has a word for a block.
#[must_use]
pub fn has_place(block: &ContentBlock) -> bool {
    answer_block::has_word(block)
}

/// The answer's id.
pub(super) fn id(echo: &ResponseContext) -> String {
    format!("msg_{}", echo.id)
}

/// A call's signature, where it has one, stands before it in a block of its own: the client sends both back.
fn write_block(block: &ContentBlock, content: &mut ArrayWriter<'_>) {
    if let BlockKind::Call { id, signature: Some(signature), .. } = &block.kind {
        let mut carrier = content.object();
        answer_block::closed(&call::carrier(&call::id(id), signature), &mut carrier);
        carrier.end();
    }
    let mut object = content.object();
    answer_block::fill(block, &mut object);
    object.end();
}

fn known<'e>(extra: &'e [UnknownMember], names: &'e [&str]) -> impl Iterator<Item = &'e UnknownMember> {
    extra.iter().filter(|extra| names.contains(&extra.name.as_str()))
}
