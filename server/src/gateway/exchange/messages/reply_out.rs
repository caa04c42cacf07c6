//! Whole answers for clients.

use super::super::json::{ArrayWriter, ObjectWriter};
use super::super::{Block, Choice, Echo, Extra, Kind, Reply, Stop};
use super::{answer_block, call, nested, stop, usage};

/// Members of an answer that clients of this format know.
const KNOWN: [&str; 3] = ["container", "context_management", "stop_details"];
/// Members of its usage.
const KNOWN_OF_USAGE: [&str; 3] = ["usage.inference_geo", "usage.server_tool_use", "usage.service_tier"];

/// Writes an answer. There is one choice in the format: the first. A blocked prompt, which has none, is a refusal.
#[must_use]
pub fn write(reply: &Reply, echo: &Echo) -> Vec<u8> {
    let blocked = Choice { blocks: Vec::new(), stop: Stop::Refused, extra: Vec::new() };
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
        said |= matches!(block.kind, Kind::Text(_) | Kind::Refusal(_));
        write_block(block, &mut content);
    }
    content.end();
    let refused = choice.blocks.iter().any(|block| matches!(block.kind, Kind::Refusal(_)));
    let (reason, sequence) = stop::write(&choice.stop, refused);
    object.member("stop_reason", reason).member("stop_sequence", &sequence);
    object.extras(known(&reply.extra, &KNOWN));
    let mut counts = object.object("usage");
    usage::write(reply.usage, &mut counts);
    let of_usage: Vec<Extra> = known(&reply.extra, &KNOWN_OF_USAGE).cloned().collect();
    nested::write(&of_usage, "usage", &mut counts);
    counts.end();
    object.end();
    body
}

/// True if the block is the signature of a text before it, which the format has no word for.
fn signs_text(block: &Block) -> bool {
    let Kind::Thinking { text, signature: Some(signature), id: _ } = &block.kind else { return false };
    text.is_empty() && signature.may_sign_text()
}

/// True if the format has a word for a block.
#[must_use]
pub fn has_place(block: &Block) -> bool {
    answer_block::has_word(block)
}

/// The answer's id.
pub(super) fn id(echo: &Echo) -> String {
    format!("msg_{}", echo.id)
}

/// A call's signature, where it has one, stands before it in a block of its own: the client sends both back.
fn write_block(block: &Block, content: &mut ArrayWriter<'_>) {
    if let Kind::Call { id, signature: Some(signature), .. } = &block.kind {
        let mut carrier = content.object();
        answer_block::closed(&call::carrier(&call::id(id), signature), &mut carrier);
        carrier.end();
    }
    let mut object = content.object();
    answer_block::fill(block, &mut object);
    object.end();
}

fn known<'e>(extra: &'e [Extra], names: &'e [&str]) -> impl Iterator<Item = &'e Extra> {
    extra.iter().filter(|extra| names.contains(&extra.name.as_str()))
}
