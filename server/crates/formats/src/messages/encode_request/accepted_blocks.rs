//! The blocks of other formats' clients that providers take, and the places where they may stand.

use super::tools;
use crate::{BlockKind, ContentBlock, Unsupported};

/// The place of a block in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockPlace {
    System,
    User,
    Model,
    Result,
}

/// Checks that providers take such a block at that place.
///
/// # Errors
/// When they do not.
pub fn check(block: &ContentBlock, place: BlockPlace) -> Result<(), Unsupported> {
    let refuse = |reason: &str| Err(Unsupported::new(&block.at, reason));
    match &block.kind {
        BlockKind::Audio(_) | BlockKind::Video(_) => Err(unsupported_media(block)),
        BlockKind::Other { name, raw: _ } => {
            refuse(&format!("the model's provider has no `{name}`; leave it out or choose another model"))
        }
        BlockKind::Compaction { .. } => {
            refuse("only the provider that made it can open it; send the conversation itself")
        }
        BlockKind::Call { custom: true, .. } => refuse("the model's provider has no custom tools; use a function"),
        BlockKind::Call { name, .. } => tools::check_name(&block.at, name),
        BlockKind::Image(_) | BlockKind::Document(_) if matches!(place, BlockPlace::System | BlockPlace::Model) => {
            refuse("the model's provider takes pictures and documents from the user only")
        }
        BlockKind::Text(_)
        | BlockKind::Refusal(_)
        | BlockKind::Image(_)
        | BlockKind::Document(_)
        | BlockKind::CallResult { .. }
        | BlockKind::Thinking { .. }
        | BlockKind::ClosedThinking(_) => Ok(()),
    }
}

/// The refusal of sound and film.
pub fn unsupported_media(block: &ContentBlock) -> Unsupported {
    Unsupported::new(&block.at, "the model's provider takes neither sound nor film; send text, pictures or documents")
}

/// Providers refuse empty texts, and those of blank space alone. The latter a client of the `same` format is told by them.
pub fn says_something(block: &ContentBlock, same: bool) -> bool {
    match &block.kind {
        BlockKind::Text(text) | BlockKind::Refusal(text) if same => !text.is_empty(),
        BlockKind::Text(text) | BlockKind::Refusal(text) => !text.trim().is_empty(),
        BlockKind::Image(_)
        | BlockKind::Document(_)
        | BlockKind::Audio(_)
        | BlockKind::Video(_)
        | BlockKind::Call { .. }
        | BlockKind::CallResult { .. }
        | BlockKind::Thinking { .. }
        | BlockKind::ClosedThinking(_)
        | BlockKind::Compaction { .. }
        | BlockKind::Other { .. } => true,
    }
}
