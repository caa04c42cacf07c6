//! Turns and blocks as they are to be written.

use std::borrow::Cow;

use crate::{BlockKind, ContentBlock, MessageRole, UnknownMember};

/// One turn as it is to be written.
#[derive(Debug)]
pub struct ArrangedMessage<'a> {
    /// The role of the speaker.
    pub role: MessageRole,
    /// The content, in order.
    pub pieces: Vec<ArrangedBlock<'a>>,
    /// Members of the turn that the client's format knows.
    pub extra: &'a [UnknownMember],
    /// True if it is more or less than what the client wrote.
    pub(super) changed: bool,
}

/// One block as it is to be written.
#[derive(Debug)]
pub struct ArrangedBlock<'a> {
    /// The block.
    pub block: Cow<'a, ContentBlock>,
    /// The id of the call, or of the result's call, where it is another than in the block.
    pub id: Option<String>,
}

impl ArrangedMessage<'_> {
    /// True if the model calls without the thinking at the head of its turn that providers want back. What the client
    /// left out itself is the client's affair.
    pub fn lacks_thinking(&self) -> bool {
        let calls = self.pieces.iter().any(|piece| matches!(piece.block.kind, BlockKind::Call { .. }));
        self.changed
            && self.role == MessageRole::Model
            && calls
            && !self.pieces.first().is_some_and(ArrangedBlock::thinks)
    }
}

impl ArrangedBlock<'_> {
    /// True if it is thinking, open or closed.
    pub(super) fn thinks(&self) -> bool {
        matches!(self.block.kind, BlockKind::Thinking { .. } | BlockKind::ClosedThinking(_))
    }
}
