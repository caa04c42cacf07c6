//! Signatures, put where the service looks for them: on the first call of a turn, else on what was said.
//!
//! Other formats keep a call's signature in thinking that stands before it, and that of a text in thinking after it.

use std::borrow::Cow;

use super::super::part::{OutgoingPart, OutgoingPartBody};
use crate::generate::signing::BYPASS;

/// Settles one turn of the model.
pub fn place_signatures(parts: &mut Vec<OutgoingPart<'_>>) {
    // The part after the thoughts that are being passed, going backwards.
    let mut next = None;
    for index in (0..parts.len()).rev() {
        if !matches!(parts[index].body, OutgoingPartBody::Thought(_)) {
            next = Some(index);
        } else if parts[index].signature.is_some() {
            move_signature(parts, index, next);
        }
    }
    parts.retain(|part| !matches!(part.body, OutgoingPartBody::Thought("")) || part.signature.is_some());
    let first = parts.iter_mut().find(|part| matches!(part.body, OutgoingPartBody::Call { .. }));
    if let Some(call) = first.filter(|call| call.signature.is_none()) {
        call.signature = Some(Cow::Borrowed(BYPASS));
    }
}

/// Moves a signature from a thought to its call, or from an empty thought to what was said before it.
fn move_signature(parts: &mut [OutgoingPart<'_>], thought: usize, next: Option<usize>) {
    let call = next.filter(|next| matches!(parts[*next].body, OutgoingPartBody::Call { .. }));
    let said = thought.checked_sub(1).filter(|before| {
        let empty = matches!(parts[thought].body, OutgoingPartBody::Thought(""));
        empty && matches!(parts[*before].body, OutgoingPartBody::Text(_) | OutgoingPartBody::Inline { .. })
    });
    let to = call.or(said).filter(|to| parts[*to].signature.is_none());
    if let Some(to) = to {
        parts[to].signature = parts[thought].signature.take();
    }
}
