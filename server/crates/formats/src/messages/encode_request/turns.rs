//! Turns in the order that providers insist on.
//!
//! From a client of this format they stay as they stood. From another: speakers alternate and the user is the first; the
//! results of all calls of one turn stand at the head of the next one, in the order of the calls; instructions in the
//! middle become words of the user's after those results; ids are unique and of allowed letters. Empty texts go, and
//! thinking that somebody else signed.

use std::borrow::Cow;

use super::accepted_blocks;
use super::arranged_message::{ArrangedBlock, ArrangedMessage};
use super::pairs::CallResultPairs;
use crate::{
    BlockKind, ChatRequest, ContentBlock, ConversionTarget, DropReport, Format, MessageRole, ThinkingSignature,
    merge_messages,
};

/// The user's text where the conversation starts with the model.
const OPENING: &str = ".";

/// The turns of a request.
pub fn arrange<'a>(
    ask: &'a ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
) -> Vec<ArrangedMessage<'a>> {
    let sieve = BlockFilter { from: ask.from, upstream: target.upstream, same: carry.same_format() };
    if sieve.same { as_they_stand(ask, &sieve, carry) } else { in_order(ask, &sieve, carry) }
}

fn as_they_stand<'a>(
    ask: &'a ChatRequest,
    sieve: &BlockFilter<'_>,
    carry: &mut DropReport,
) -> Vec<ArrangedMessage<'a>> {
    let spoken = ask.turns.iter().map(|turn| {
        let pieces = sieve.pieces(&turn.blocks, carry);
        let changed = pieces.len() < turn.blocks.len();
        ArrangedMessage { role: turn.role, pieces, extra: &turn.extra, changed }
    });
    spoken.filter(|spoken| !(spoken.changed && spoken.pieces.is_empty())).collect()
}

fn in_order<'a>(ask: &'a ChatRequest, sieve: &BlockFilter<'_>, carry: &mut DropReport) -> Vec<ArrangedMessage<'a>> {
    for turn in &ask.turns {
        carry.drop_extras(&turn.extra);
    }
    let mut spoken: Vec<ArrangedMessage<'a>> = Vec::new();
    for (role, blocks) in merge_messages(&ask.turns) {
        let role = if role == MessageRole::Model { MessageRole::Model } else { MessageRole::User };
        let mut pieces = sieve.pieces(blocks, carry);
        drop_last_thoughts(&mut pieces, carry);
        match spoken.last_mut() {
            _ if pieces.is_empty() => {}
            Some(last) if last.role == role => last.pieces.append(&mut pieces),
            _ => spoken.push(ArrangedMessage { role, pieces, extra: &[], changed: true }),
        }
    }
    if spoken.first().is_none_or(|first| first.role == MessageRole::Model) {
        let opening = ContentBlock { at: String::new(), kind: BlockKind::Text(OPENING.into()), extra: Vec::new() };
        let pieces = vec![ArrangedBlock { block: Cow::Owned(opening), id: None }];
        spoken.insert(0, ArrangedMessage { role: MessageRole::User, pieces, extra: &[], changed: true });
    }
    let mut pairs = CallResultPairs::default();
    for turn in &mut spoken {
        pairs.assign_ids(turn);
    }
    spoken
}

/// A turn must not end in thinking.
fn drop_last_thoughts(pieces: &mut Vec<ArrangedBlock<'_>>, carry: &mut DropReport) {
    while let Some(last) = pieces.pop_if(|last| last.thinks()) {
        carry.drop(&last.block.at);
    }
}

/// A filter for the blocks that a provider may see.
struct BlockFilter<'t> {
    from: Format,
    upstream: &'t str,
    same: bool,
}

impl BlockFilter<'_> {
    fn pieces<'a>(
        &self,
        blocks: impl IntoIterator<Item = &'a ContentBlock>,
        carry: &mut DropReport,
    ) -> Vec<ArrangedBlock<'a>> {
        let kept = blocks.into_iter().filter(|block| self.keeps(block, carry));
        kept.map(|block| ArrangedBlock { block: Cow::Borrowed(block), id: None }).collect()
    }

    fn keeps(&self, block: &ContentBlock, carry: &mut DropReport) -> bool {
        let signature = match &block.kind {
            BlockKind::Text(_) | BlockKind::Refusal(_) => return accepted_blocks::says_something(block, self.same),
            BlockKind::Thinking { signature, .. } => signature.as_ref(),
            BlockKind::ClosedThinking(signature) => Some(signature),
            BlockKind::Image(_)
            | BlockKind::Document(_)
            | BlockKind::Audio(_)
            | BlockKind::Video(_)
            | BlockKind::Call { .. }
            | BlockKind::CallResult { .. }
            | BlockKind::Compaction { .. }
            | BlockKind::Other { .. } => return true,
        };
        let keeps = signature.is_some_and(|signature| self.is_own_signature(signature));
        if !keeps {
            carry.drop(&block.at);
        }
        keeps
    }

    fn is_own_signature(&self, signature: &ThinkingSignature) -> bool {
        signature.for_upstream(self.from, self.upstream, Format::Messages).is_some()
    }
}
