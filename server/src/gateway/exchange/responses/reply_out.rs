//! Writing a whole answer.

use super::super::json::ObjectWriter;
use super::super::{Block, Echo, Reply, Stop};
use super::item::{Body, Item};
use super::response::{Response, State};

/// Writes an answer. There is one choice: requests for more are not converted. A prompt that was blocked before an answer
/// was begun is an answer without output that the filter withheld.
#[must_use]
pub fn write(reply: &Reply, echo: &Echo) -> Vec<u8> {
    let (blocks, stop) = match reply.choices.first() {
        Some(choice) => (choice.blocks.as_slice(), &choice.stop),
        None => (&[][..], &Stop::Refused),
    };
    let items = items(blocks, echo);
    let mut body = Vec::with_capacity(2048);
    let state = State::Ended(seen(stop, &items));
    Response::new(echo).write(state, &items, reply.usage.as_ref(), ObjectWriter::new(&mut body));
    body
}

/// True if the format has an item for a block.
#[must_use]
pub fn has_place(block: &Block) -> bool {
    Item::of_block(block).is_some()
}

/// A refusal in words is a complete answer here; only one without words is told by its state.
pub fn seen<'s>(stop: &'s Stop, items: &[Item]) -> &'s Stop {
    let in_words = |item: &Item| matches!(&item.body, Body::Message(parts) if parts.iter().any(|part| part.refusal));
    if *stop == Stop::Refused && items.iter().any(in_words) { &Stop::Natural } else { stop }
}

/// Items of blocks: texts in a row are one message.
fn items(blocks: &[Block], echo: &Echo) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::with_capacity(blocks.len());
    for body in blocks.iter().filter_map(Item::of_block) {
        match (items.last_mut().map(|item| &mut item.body), body) {
            (Some(Body::Message(parts)), Body::Message(mut more)) => parts.append(&mut more),
            (_, body) => {
                let item = Item::new(Item::named(body, &echo.functions), &echo.id, items.len());
                items.push(Item { done: true, ..item });
            }
        }
    }
    items
}
