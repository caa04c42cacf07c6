//! A stream that is written and read again says the same.

use proptest::prelude::*;

use super::{read_stream, told, write_stream};
use crate::{
    BlockDelta, BlockKind, BlockOpening, ContentBlock, Format, MediaContent, MediaSource, StopReason, StreamEvent,
    ThinkingSignature, TokenUsage,
};

/// One block: how it opens, its pieces, whether it is signed.
#[derive(Debug, Clone)]
struct Piece {
    opening: u8,
    pieces: Vec<String>,
    signed: bool,
}

fn stream() -> impl Strategy<Value = Vec<StreamEvent>> {
    let piece = (0u8..6, prop::collection::vec("[a-z\"\\\\é\n]{1,4}", 0..4), any::<bool>())
        .prop_map(|(opening, pieces, signed)| Piece { opening, pieces, signed });
    let stop = prop::sample::select(vec![StopReason::Natural, StopReason::Length, StopReason::Pause]);
    (prop::collection::vec(piece, 0..6), any::<u32>(), stop).prop_map(|(pieces, order, stop)| {
        let mut events = vec![StreamEvent::Start { id: String::new() }];
        events.extend(interleaved(
            pieces.into_iter().enumerate().map(|(index, piece)| block(index, piece)).collect(),
            order,
        ));
        let usage = TokenUsage { input: 5, cache_read: 1, output: 2, reasoning: 1, ..TokenUsage::default() };
        events.extend([StreamEvent::Usage(usage), StreamEvent::Stop(stop), StreamEvent::End]);
        events
    })
}

fn block(index: usize, piece: Piece) -> Vec<StreamEvent> {
    let Piece { opening, pieces, signed } = piece;
    let id = format!("call_{index}");
    let (opening, delta): (_, fn(String) -> BlockDelta) = match opening {
        0 => (BlockOpening::Text, BlockDelta::Text),
        1 => (BlockOpening::Refusal, BlockDelta::Text),
        2 => (BlockOpening::Thinking, BlockDelta::Text),
        3 => (BlockOpening::Call { id, name: "f".into(), custom: false }, BlockDelta::Arguments),
        4 => (BlockOpening::Call { id, name: "g".into(), custom: true }, BlockDelta::Arguments),
        _ => {
            let source = MediaSource::Base64("iVBORw0KGgo=".into());
            let picture = MediaContent { mime: Some("image/png".into()), source, name: None, detail: None };
            let block = ContentBlock { at: String::new(), kind: BlockKind::Image(picture), extra: Vec::new() };
            return vec![
                StreamEvent::Open { index, opening: BlockOpening::Whole(Box::new(block)) },
                StreamEvent::Close { index },
            ];
        }
    };
    let thinking = matches!(opening, BlockOpening::Thinking);
    let mut events = vec![StreamEvent::Open { index, opening }];
    events.extend(pieces.into_iter().map(|piece| StreamEvent::Delta { index, delta: delta(piece) }));
    if signed && thinking {
        let signature = ThinkingSignature::made_by("up", Format::Messages, None, "sig".into());
        events.push(StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) });
    }
    events.push(StreamEvent::Close { index });
    events
}

/// Blocks open in their order, and what is in them mixes.
fn interleaved(blocks: Vec<Vec<StreamEvent>>, mut order: u32) -> Vec<StreamEvent> {
    let mut waiting: Vec<_> = blocks.into_iter().map(|block| block.into_iter().peekable()).collect();
    let mut open = 0;
    let mut out = Vec::new();
    while waiting.iter_mut().any(|block| block.peek().is_some()) {
        order = order.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let chosen = (order >> 16) as usize % (open + 1).min(waiting.len());
        if let Some(event) = waiting[chosen].next() {
            open += usize::from(matches!(event, StreamEvent::Open { .. }));
            out.push(event);
        }
    }
    out
}

/// The meaning of a stream: each block with its text in one piece, then how it ended.
fn meaning(events: &[StreamEvent]) -> Vec<String> {
    let told = told(events);
    let blocks = events.iter().filter(|event| matches!(event, StreamEvent::Open { .. })).count();
    let mut out = Vec::new();
    for index in 0..blocks {
        let of_block = format!("{index} ");
        let mine = || told.iter().filter_map(|line| line.strip_prefix(&of_block)).filter(|line| *line != "closed");
        let text: String = mine().filter_map(|line| line.strip_prefix("+ ")).collect();
        let opening = mine().find(|line| !line.starts_with("+ ") && !line.starts_with("signed")).unwrap_or_default();
        let text =
            if text.is_empty() && opening.starts_with("call") && !opening.ends_with("custom") { "{}" } else { &text };
        out.push(format!("{opening} | {text} | {}", mine().filter(|line| line.starts_with("signed")).count()));
    }
    out.extend(told.into_iter().filter(|line| line.starts_with("usage") || line.starts_with("stop") || line == "end"));
    out
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(events in stream()) {
        // Blocks that were open side by side may change places: the order of items is that of their beginnings.
        let sorted = |mut lines: Vec<String>| { lines.sort(); lines };
        let says_no = events.iter().any(|event| matches!(event, StreamEvent::Open { opening: BlockOpening::Refusal, .. }));
        let calls = events.iter().any(|event| matches!(event, StreamEvent::Open { opening: BlockOpening::Call { .. }, .. }));
        let mut expected = meaning(&events);
        for line in &mut expected {
            if line == "stop Natural" {
                *line = format!("stop {:?}", if says_no { StopReason::Refused } else if calls { StopReason::Calls } else { StopReason::Natural });
            }
        }
        let again = meaning(&read_stream(&write_stream(events)));
        prop_assert_eq!(sorted(again), sorted(expected));
    }
}
