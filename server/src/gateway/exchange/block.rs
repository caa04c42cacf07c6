//! Turns and the blocks that they are made of: the same in requests and in answers.

use serde_json::value::RawValue;

use super::{Extra, Signature};

/// One turn of a conversation.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Where it stands: `messages[3]`, `contents[0]`, `input[2]`.
    pub at: String,
    /// Who speaks.
    pub role: Role,
    /// What is said, in order. Results of tools are blocks of a [`Role::User`] turn, as in formats A and G.
    pub blocks: Vec<Block>,
    /// Members that only the client's format knows.
    pub extra: Vec<Extra>,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Instructions in the middle of a conversation. Those before it are `Ask::system`.
    System,
    /// Instructions of the program, by the newer name; only formats O and R tell them from [`Role::System`].
    Developer,
    /// The person or program that asks.
    User,
    /// The model.
    Model,
}

/// One piece of a turn.
#[derive(Debug, Clone)]
pub struct Block {
    /// Where it stands: `messages[3].content[1]`. Empty in answers.
    pub at: String,
    /// What it is.
    pub kind: Kind,
    /// Members that only the client's (or provider's) format knows.
    pub extra: Vec<Extra>,
}

/// Kinds of block.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Text.
    Text(String),
    /// The model's words for why it does not answer.
    Refusal(String),
    /// A picture.
    Image(Media),
    /// A document: PDF or text.
    Document(Media),
    /// Sound.
    Audio(Media),
    /// Film.
    Video(Media),
    /// The model asks for a call.
    Call {
        /// Ties the result to the call; empty in format G of old, the encoder then makes one.
        id: String,
        /// What to call.
        name: String,
        /// A JSON object as text, as the model wrote it. May be broken JSON: models err. Empty stands for `{}`.
        arguments: String,
        /// Whether the input is free text (a custom tool) and no JSON.
        custom: bool,
        /// Of the thinking that led to the call.
        signature: Option<Signature>,
    },
    /// What a call gave.
    CallResult {
        /// The call's id; empty where the client's format had none.
        id: String,
        /// The function's name, where the client's format tells it.
        name: Option<String>,
        /// What came back: texts, pictures, documents.
        content: Vec<Block>,
        /// Whether it failed; `None` where the client did not say.
        failed: Option<bool>,
    },
    /// What the model thought.
    Thinking {
        /// The text, or its summary; may be empty where only the signature came.
        text: String,
        /// The id of the item in formats that have one.
        id: Option<String>,
        /// What the maker wants back with it.
        signature: Option<Signature>,
    },
    /// What the model thought, closed to all but its maker.
    ClosedThinking(Signature),
    /// The conversation so far in short, closed to all but its maker.
    Compaction {
        /// The id of the item.
        id: Option<String>,
        /// As the maker wrote it.
        closed: String,
    },
    /// What only the client's (or provider's) format knows, byte for byte.
    Other {
        /// What that format calls it.
        name: String,
        /// The whole block.
        raw: Box<RawValue>,
    },
}

/// A picture, document, sound or film.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// `image/png`; `None` where nobody said.
    pub mime: Option<String>,
    /// Where its bytes are.
    pub source: Source,
    /// Name of the file.
    pub name: Option<String>,
    /// How closely to look: `low`, `high`, `auto`, …
    pub detail: Option<String>,
}

/// Where the bytes of a medium are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Here, in standard base64 (never URL-safe).
    Base64(String),
    /// Here, as plain text.
    Text(String),
    /// At an address that the provider fetches from; never a `data:` address.
    Url(String),
    /// At the provider, under an id.
    FileId(String),
}

/// Turns of one speaker in a row made one, for formats in which speakers alternate. Both kinds of instructions count as
/// one speaker.
#[must_use]
pub fn merged(turns: &[Turn]) -> Vec<(Role, Vec<&Block>)> {
    let mut merged: Vec<(Role, Vec<&Block>)> = Vec::with_capacity(turns.len());
    for turn in turns {
        let role = if turn.role == Role::Developer { Role::System } else { turn.role };
        match merged.last_mut() {
            Some((last, blocks)) if *last == role => blocks.extend(&turn.blocks),
            _ => merged.push((role, turn.blocks.iter().collect())),
        }
    }
    merged
}
