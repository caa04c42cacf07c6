//! `instructions` and `input`.

use super::super::mark;
use super::content;
use super::items::ItemListEncoder;
use crate::json::ObjectWriter;
use crate::{BlockKind, ChatRequest, ContentBlock, ConversionTarget, DropReport, Format, OutputShape, Unsupported};

/// Writes instructions and conversation.
pub fn write(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let (own, lifted) = instructions(ask, carry);
    // A provider wants a question: instructions alone are written as one item.
    let as_item = ask.turns.is_empty() && lifted.is_empty() && !carry.same_format();
    let text = joined(&own, carry)?;
    if !own.is_empty() && !as_item {
        object.member("instructions", &text);
    }
    let mut items = ItemListEncoder::new(ask, target, carry, object.array("input"));
    if as_item {
        items.developer(&text);
    }
    if asks_for_json_without_a_word(ask) {
        items.developer("Answer with one JSON object.");
    }
    for message in lifted.chunk_by(|_, next| mark::word(&next.extra, "message.role").is_none()) {
        items.lifted(message)?;
    }
    for turn in &ask.turns {
        items.turn(turn)?;
    }
    items.end();
    Ok(())
}

/// Blocks for `instructions`, and those that were items of this format before the conversation.
fn instructions<'a>(ask: &'a ChatRequest, carry: &DropReport) -> (Vec<&'a ContentBlock>, Vec<&'a ContentBlock>) {
    ask.system.iter().partition(|block| !carry.same_format() || block.at == "instructions")
}

fn joined(blocks: &[&ContentBlock], carry: &mut DropReport) -> Result<String, Unsupported> {
    let mut texts = Vec::with_capacity(blocks.len());
    for block in blocks {
        let BlockKind::Text(text) = &block.kind else {
            return Err(Unsupported::new(&block.at, "instructions are text for this model; send it in a user's turn"));
        };
        texts.push(text.as_str());
        carry.drop_extras(&block.extra);
    }
    Ok(texts.join("\n\n"))
}

/// Providers refuse to write JSON without a schema unless the conversation says the word.
fn asks_for_json_without_a_word(ask: &ChatRequest) -> bool {
    let asked = ask.from != Format::Responses
        && matches!(ask.shape.as_ref().map(|shape| &shape.value), Some(OutputShape::JsonObject));
    asked && !ask.turns.iter().flat_map(|turn| &turn.blocks).any(content::says_json)
}
