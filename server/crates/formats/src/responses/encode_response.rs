//! Writing a whole answer.

use super::super::json::ObjectWriter;
use super::super::{ChatResponse, ContentBlock, ResponseContext, StopReason};
use super::item::{ItemBody, ResponseItem};
use super::response::{ResponseObject, ResponseState};

/// Writes an answer. There is one choice: requests for more are not converted. A prompt that was blocked before an answer
/// was begun is an answer without output that the filter withheld.
#[must_use]
pub fn write(reply: &ChatResponse, echo: &ResponseContext) -> Vec<u8> {
    let (blocks, stop) = match reply.choices.first() {
        Some(choice) => (choice.blocks.as_slice(), &choice.stop),
        None => (&[][..], &StopReason::Refused),
    };
    let items = items(blocks, echo);
    let mut body = Vec::with_capacity(2048);
    let state = ResponseState::Ended(seen(stop, &items));
    ResponseObject::new(echo).write(state, &items, reply.usage.as_ref(), ObjectWriter::new(&mut body));
    body
}

/// True if the format has an item for a block.
#[must_use]
pub fn has_place(block: &ContentBlock) -> bool {
    ResponseItem::of_block(block).is_some()
}

/// A refusal in words is a complete answer here; only one without words is told by its state.
pub fn seen<'s>(stop: &'s StopReason, items: &[ResponseItem]) -> &'s StopReason {
    let in_words =
        |item: &ResponseItem| matches!(&item.body, ItemBody::Message(parts) if parts.iter().any(|part| part.refusal));
    if *stop == StopReason::Refused && items.iter().any(in_words) { &StopReason::Natural } else { stop }
}

/// Items of blocks: texts in a row are one message.
fn items(blocks: &[ContentBlock], echo: &ResponseContext) -> Vec<ResponseItem> {
    let mut items: Vec<ResponseItem> = Vec::with_capacity(blocks.len());
    for body in blocks.iter().filter_map(ResponseItem::of_block) {
        match (items.last_mut().map(|item| &mut item.body), body) {
            (Some(ItemBody::Message(parts)), ItemBody::Message(mut more)) => parts.append(&mut more),
            (_, body) => {
                let item = ResponseItem::new(ResponseItem::named(body, &echo.functions), &echo.id, items.len());
                items.push(ResponseItem { done: true, ..item });
            }
        }
    }
    items
}
