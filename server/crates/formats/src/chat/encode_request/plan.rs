//! The messages that a conversation becomes, in their order.

use crate::{BlockKind, ChatMessage, ContentBlock, MediaSource, MessageRole, UnknownMember, merge_messages};

/// One message to be written.
#[derive(Debug)]
pub struct OutgoingMessage<'a> {
    /// The role of the speaker.
    pub role: ChatRole,
    /// The content, in order.
    pub blocks: Vec<&'a ContentBlock>,
    /// Members of the message that only this format knows.
    pub extra: &'a [UnknownMember],
}

/// The roles of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatRole {
    System,
    Developer,
    User,
    Assistant,
    /// One result of a call.
    Tool,
}

impl ChatRole {
    /// Its name on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// The messages of a client of this format, as they were.
pub fn as_they_were(turns: &[ChatMessage]) -> Vec<OutgoingMessage<'_>> {
    let mut messages = Vec::with_capacity(turns.len());
    for turn in turns {
        let (results, rest): (Vec<&ContentBlock>, Vec<&ContentBlock>) =
            turn.blocks.iter().partition(|block| is_result(block));
        messages.extend(results.iter().map(|result| message(ChatRole::Tool, vec![result])));
        if !rest.is_empty() {
            let role = match turn.role {
                MessageRole::System => ChatRole::System,
                MessageRole::Developer => ChatRole::Developer,
                MessageRole::User => ChatRole::User,
                MessageRole::Model => ChatRole::Assistant,
            };
            messages.push(OutgoingMessage { role, blocks: rest, extra: &turn.extra });
        }
    }
    messages
}

/// The number of turns before the conversation that are instructions: other formats have some of theirs there, and not every
/// upstream takes a second message of instructions.
pub fn instructions(turns: &[ChatMessage]) -> usize {
    turns.iter().take_while(|turn| matches!(turn.role, MessageRole::System | MessageRole::Developer)).count()
}

/// The messages of a conversation in another format: calls are answered before anything else is said, one message for
/// each result; what a result shows and a tool message cannot hold comes in the user's next message.
pub fn reordered(turns: &[ChatMessage]) -> Vec<OutgoingMessage<'_>> {
    let mut messages = Vec::with_capacity(turns.len());
    let groups = merge_messages(turns);
    for run in groups.split_inclusive(|(role, _)| *role == MessageRole::Model) {
        let (others, model) = match run.split_last() {
            Some(((MessageRole::Model, blocks), others)) => (others, Some(blocks.clone())),
            Some(_) | None => (run, None),
        };
        answers(others, &mut messages);
        messages.extend(model.map(|blocks| message(ChatRole::Assistant, blocks)));
    }
    messages
}

fn answers<'a>(groups: &[(MessageRole, Vec<&'a ContentBlock>)], messages: &mut Vec<OutgoingMessage<'a>>) {
    let all = groups.iter().flat_map(|(_, blocks)| blocks.iter().copied());
    let results: Vec<&ContentBlock> = all.filter(|block| is_result(block)).collect();
    let mut shown: Vec<&ContentBlock> = results.iter().flat_map(|result| shown_by(result)).collect();
    messages.extend(results.iter().map(|result| message(ChatRole::Tool, vec![result])));
    for (role, blocks) in groups {
        let said = blocks.iter().copied().filter(|block| !is_result(block));
        let (speaker, blocks): (_, Vec<&ContentBlock>) = match role {
            MessageRole::User => (ChatRole::User, std::mem::take(&mut shown).into_iter().chain(said).collect()),
            MessageRole::System | MessageRole::Developer | MessageRole::Model => (ChatRole::System, said.collect()),
        };
        if !blocks.is_empty() {
            messages.push(message(speaker, blocks));
        }
    }
}

fn message(role: ChatRole, blocks: Vec<&ContentBlock>) -> OutgoingMessage<'_> {
    OutgoingMessage { role, blocks, extra: &[] }
}

fn is_result(block: &ContentBlock) -> bool {
    matches!(block.kind, BlockKind::CallResult { .. })
}

fn shown_by(result: &ContentBlock) -> impl Iterator<Item = &ContentBlock> {
    let content = if let BlockKind::CallResult { content, .. } = &result.kind { content.as_slice() } else { &[] };
    content.iter().filter(|block| is_shown(block))
}

/// True if a piece of a result has no place in a tool message, which holds texts.
pub fn is_shown(block: &ContentBlock) -> bool {
    match &block.kind {
        BlockKind::Image(_) | BlockKind::Audio(_) | BlockKind::Video(_) => true,
        BlockKind::Document(media) => !matches!(media.source, MediaSource::Text(_)),
        BlockKind::Text(_)
        | BlockKind::Refusal(_)
        | BlockKind::Call { .. }
        | BlockKind::CallResult { .. }
        | BlockKind::Thinking { .. }
        | BlockKind::ClosedThinking(_)
        | BlockKind::Compaction { .. }
        | BlockKind::Other { .. } => false,
    }
}
