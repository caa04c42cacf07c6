//! Turns and the blocks that they are made of: the same in requests and in answers.

use serde_json::value::RawValue;

use super::ThinkingSignature;
use super::unknown_member::UnknownMember;

/// One turn of a conversation.
#[derive(Debug, Clone)]
pub struct ChatMessage {
    /// The place of the turn in the request: `messages[3]`, `contents[0]`, `input[2]`.
    pub at: String,
    /// The role of the speaker.
    pub role: MessageRole,
    /// The content, in order. Results of tools are blocks of a [`MessageRole::User`] turn, as in formats A and G.
    pub blocks: Vec<ContentBlock>,
    /// Members that only the client's format knows.
    pub extra: Vec<UnknownMember>,
}

/// The role of a turn's speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageRole {
    /// Instructions in the middle of a conversation. Those before it are `ChatRequest::system`.
    System,
    /// Instructions of the program, by the newer name; only formats O and R tell them from [`MessageRole::System`].
    Developer,
    /// The person or program that asks.
    User,
    /// The model.
    Model,
}

/// One piece of a turn.
#[derive(Debug, Clone)]
pub struct ContentBlock {
    /// The place of the block in the request: `messages[3].content[1]`. Empty in answers.
    pub at: String,
    /// Its kind, with the content of that kind.
    pub kind: BlockKind,
    /// Members that only the client's (or provider's) format knows.
    pub extra: Vec<UnknownMember>,
}

/// Kinds of block.
#[derive(Debug, Clone)]
pub enum BlockKind {
    /// Text.
    Text(String),
    /// The model's words for why it does not answer.
    Refusal(String),
    /// A picture.
    Image(MediaContent),
    /// A document: PDF or text.
    Document(MediaContent),
    /// Sound.
    Audio(MediaContent),
    /// Film.
    Video(MediaContent),
    /// The model asks for a call.
    Call {
        /// Ties the result to the call; empty in format G of old, the encoder then makes one.
        id: String,
        /// The name of the tool.
        name: String,
        /// A JSON object as text, as the model wrote it. May be broken JSON: models err. Empty stands for `{}`.
        arguments: String,
        /// True if the input is free text (a custom tool) and no JSON.
        custom: bool,
        /// Of the thinking that led to the call.
        signature: Option<ThinkingSignature>,
    },
    /// The result of a call.
    CallResult {
        /// The call's id; empty where the client's format had none.
        id: String,
        /// The function's name, where the client's format tells it.
        name: Option<String>,
        /// The content of the result: texts, pictures, documents.
        content: Vec<ContentBlock>,
        /// True if the call failed; `None` where the client did not say.
        failed: Option<bool>,
    },
    /// Thinking of the model.
    Thinking {
        /// The text, or its summary; may be empty where only the signature came.
        text: String,
        /// The id of the item in formats that have one.
        id: Option<String>,
        /// The signature that the maker of the thinking wants back with it.
        signature: Option<ThinkingSignature>,
    },
    /// Thinking of the model that only its maker can read.
    ClosedThinking(ThinkingSignature),
    /// A summary of the conversation so far that only its maker can read.
    Compaction {
        /// The id of the item.
        id: Option<String>,
        /// The summary, as its maker wrote it.
        closed: String,
    },
    /// A block that only the client's (or provider's) format knows, byte for byte.
    Other {
        /// The name of its type in that format.
        name: String,
        /// The whole block.
        raw: Box<RawValue>,
    },
}

impl BlockKind {
    /// The name of the kind, where a block is reported as left out.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Text(_) => "text",
            Self::Refusal(_) => "refusal",
            Self::Image(_) => "image",
            Self::Document(_) => "document",
            Self::Audio(_) => "audio",
            Self::Video(_) => "video",
            Self::Call { .. } => "call",
            Self::CallResult { .. } => "call_result",
            Self::Thinking { .. } | Self::ClosedThinking(_) => "thinking",
            Self::Compaction { .. } => "compaction",
            Self::Other { name, .. } => name,
        }
    }

    /// True for an empty text, refusal or unsigned thought, which means nothing in any format.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) | Self::Refusal(text) | Self::Thinking { text, signature: None, .. } => text.is_empty(),
            _ => false,
        }
    }
}

/// A picture, document, sound or film.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaContent {
    /// `image/png`; `None` where nobody said.
    pub mime: Option<String>,
    /// The bytes, or the place to get them from.
    pub source: MediaSource,
    /// Name of the file.
    pub name: Option<String>,
    /// The requested level of detail: `low`, `high`, `auto`, …
    pub detail: Option<String>,
}

/// The bytes of a medium, or the place to get them from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaSource {
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
pub fn merge_messages(turns: &[ChatMessage]) -> Vec<(MessageRole, Vec<&ContentBlock>)> {
    let mut merged: Vec<(MessageRole, Vec<&ContentBlock>)> = Vec::with_capacity(turns.len());
    for turn in turns {
        let role = if turn.role == MessageRole::Developer { MessageRole::System } else { turn.role };
        match merged.last_mut() {
            Some((last, blocks)) if *last == role => blocks.extend(&turn.blocks),
            _ => merged.push((role, turn.blocks.iter().collect())),
        }
    }
    merged
}
