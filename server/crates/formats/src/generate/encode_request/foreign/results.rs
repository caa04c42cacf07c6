//! Results and their calls: the service wants as many as there were calls, in the very next turn.

use std::collections::{BTreeMap, VecDeque};

use super::super::part::{OutgoingPart, OutgoingPartBody};
use super::super::turn::OutgoingContent;
use crate::Unsupported;

/// Puts the results of each turn first and in the order of their calls.
///
/// # Errors
/// When a call has no result in the next turn, or a result no call in the last one.
pub fn arrange(contents: &mut [OutgoingContent<'_>]) -> Result<(), Unsupported> {
    for index in 0..contents.len() {
        if contents[index].model {
            continue;
        }
        let (before, from_here) = contents.split_at_mut(index);
        let calls = before.last().map_or(&[][..], |content| content.parts.as_slice());
        let calls: Vec<&OutgoingPart<'_>> =
            calls.iter().filter(|part| matches!(part.body, OutgoingPartBody::Call { .. })).collect();
        answer(&calls, &mut from_here[0].parts)?;
    }
    Ok(())
}

fn answer<'a>(calls: &[&OutgoingPart<'a>], parts: &mut Vec<OutgoingPart<'a>>) -> Result<(), Unsupported> {
    let mut results: BTreeMap<&'a str, VecDeque<OutgoingPart<'a>>> = BTreeMap::new();
    let mut others = Vec::with_capacity(parts.len());
    for part in parts.drain(..) {
        if let OutgoingPartBody::Result { id, .. } = part.body {
            results.entry(id).or_default().push_back(part);
        } else {
            others.push(part);
        }
    }
    for call in calls {
        let OutgoingPartBody::Call { id, name: called, .. } = &call.body else { continue };
        let Some(mut result) = results.get_mut(id).and_then(VecDeque::pop_front) else {
            return Err(Unsupported::new(call.at, "the call has no result in the next turn; send one for each call"));
        };
        if let OutgoingPartBody::Result { name, .. } = &mut result.body {
            *name = called;
        }
        parts.push(result);
    }
    if let Some(orphan) = results.values().find_map(VecDeque::front) {
        let reason = "the last turn of the model has no such call, or it has its result already";
        return Err(Unsupported::new(orphan.at, reason));
    }
    parts.append(&mut others);
    Ok(())
}
