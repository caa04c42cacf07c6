//! Whole answers of providers.

use super::super::json::Value;
use super::super::{Block, Choice, Garbled, Kind, Reply};
use super::block_in::{self, Side};
use super::stop;
use super::usage::Told;

/// Reads an answer of the upstream of that name.
///
/// # Errors
/// When it is no answer: not JSON, an error with a status of success, or without any of the members of one.
pub fn read(body: &[u8], upstream: &str) -> Result<Reply, Garbled> {
    let document = Value::document(body)?;
    let mut object = document.object()?;
    if object.text(&["type"])?.as_deref() == Some("error") || object.has("error") {
        return Err(Garbled { at: "error".into(), expected: "an answer, but it is an error".into() });
    }
    for echoed in ["role", "model"] {
        object.raw(echoed);
    }
    let id = object.text(&["id"])?.unwrap_or_default();
    let blocks = block_in::content(&object.required(&["content"])?, Side::Upstream(upstream))?;
    let called = blocks.iter().any(is_call);
    let word = object.text(&["stop_reason"])?;
    let stop = stop::read(word.as_deref(), object.text(&["stop_sequence"])?, called);
    let mut told = Told::default();
    let mut extra = object.value(&["usage"]).map_or_else(Vec::new, |usage| told.take(&usage));
    extra.extend(object.rest());
    let choices = vec![Choice { blocks, stop, extra: Vec::new() }];
    Ok(Reply { id, choices, usage: told.usage(), extra })
}

fn is_call(block: &Block) -> bool {
    matches!(block.kind, Kind::Call { .. })
}
