//! The messages that a conversation becomes, in their order.

use super::super::super::{Block, Extra, Kind, Role, Source, Turn, merged};

/// One message to be written.
#[derive(Debug)]
pub struct Message<'a> {
    /// The role of the speaker.
    pub role: Speaker,
    /// The content, in order.
    pub blocks: Vec<&'a Block>,
    /// Members of the message that only this format knows.
    pub extra: &'a [Extra],
}

/// The roles of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    System,
    Developer,
    User,
    Assistant,
    /// One result of a call.
    Tool,
}

impl Speaker {
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
pub fn as_they_were(turns: &[Turn]) -> Vec<Message<'_>> {
    let mut messages = Vec::with_capacity(turns.len());
    for turn in turns {
        let (results, rest): (Vec<&Block>, Vec<&Block>) = turn.blocks.iter().partition(|block| is_result(block));
        messages.extend(results.iter().map(|result| message(Speaker::Tool, vec![result])));
        if !rest.is_empty() {
            let role = match turn.role {
                Role::System => Speaker::System,
                Role::Developer => Speaker::Developer,
                Role::User => Speaker::User,
                Role::Model => Speaker::Assistant,
            };
            messages.push(Message { role, blocks: rest, extra: &turn.extra });
        }
    }
    messages
}

/// The number of turns before the conversation that are instructions: other formats have some of theirs there, and not every
/// upstream takes a second message of instructions.
pub fn instructions(turns: &[Turn]) -> usize {
    turns.iter().take_while(|turn| matches!(turn.role, Role::System | Role::Developer)).count()
}

/// The messages of a conversation in another format: calls are answered before anything else is said, one message for
/// each result; what a result shows and a tool message cannot hold comes in the user's next message.
pub fn reordered(turns: &[Turn]) -> Vec<Message<'_>> {
    let mut messages = Vec::with_capacity(turns.len());
    let groups = merged(turns);
    for run in groups.split_inclusive(|(role, _)| *role == Role::Model) {
        let (others, model) = match run.split_last() {
            Some(((Role::Model, blocks), others)) => (others, Some(blocks.clone())),
            Some(_) | None => (run, None),
        };
        answers(others, &mut messages);
        messages.extend(model.map(|blocks| message(Speaker::Assistant, blocks)));
    }
    messages
}

fn answers<'a>(groups: &[(Role, Vec<&'a Block>)], messages: &mut Vec<Message<'a>>) {
    let all = groups.iter().flat_map(|(_, blocks)| blocks.iter().copied());
    let results: Vec<&Block> = all.filter(|block| is_result(block)).collect();
    let mut shown: Vec<&Block> = results.iter().flat_map(|result| shown_by(result)).collect();
    messages.extend(results.iter().map(|result| message(Speaker::Tool, vec![result])));
    for (role, blocks) in groups {
        let said = blocks.iter().copied().filter(|block| !is_result(block));
        let (speaker, blocks): (_, Vec<&Block>) = match role {
            Role::User => (Speaker::User, std::mem::take(&mut shown).into_iter().chain(said).collect()),
            Role::System | Role::Developer | Role::Model => (Speaker::System, said.collect()),
        };
        if !blocks.is_empty() {
            messages.push(message(speaker, blocks));
        }
    }
}

fn message(role: Speaker, blocks: Vec<&Block>) -> Message<'_> {
    Message { role, blocks, extra: &[] }
}

fn is_result(block: &Block) -> bool {
    matches!(block.kind, Kind::CallResult { .. })
}

fn shown_by(result: &Block) -> impl Iterator<Item = &Block> {
    let content = if let Kind::CallResult { content, .. } = &result.kind { content.as_slice() } else { &[] };
    content.iter().filter(|block| is_shown(block))
}

/// True if a piece of a result has no place in a tool message, which holds texts.
pub fn is_shown(block: &Block) -> bool {
    match &block.kind {
        Kind::Image(_) | Kind::Audio(_) | Kind::Video(_) => true,
        Kind::Document(media) => !matches!(media.source, Source::Text(_)),
        Kind::Text(_)
        | Kind::Refusal(_)
        | Kind::Call { .. }
        | Kind::CallResult { .. }
        | Kind::Thinking { .. }
        | Kind::ClosedThinking(_)
        | Kind::Compaction { .. }
        | Kind::Other { .. } => false,
    }
}
