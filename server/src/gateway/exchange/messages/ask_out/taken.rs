//! The blocks of other formats' clients that providers take, and the places where they may stand.

use super::super::super::{Block, Kind, NotCarried};
use super::tools;

/// The place of a block in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    System,
    User,
    Model,
    Result,
}

/// Checks that providers take such a block at that place.
///
/// # Errors
/// When they do not.
pub fn check(block: &Block, place: Place) -> Result<(), NotCarried> {
    let refuse = |reason: &str| Err(NotCarried::new(&block.at, reason));
    match &block.kind {
        Kind::Audio(_) | Kind::Video(_) => Err(no_sound(block)),
        Kind::Other { name, raw: _ } => {
            refuse(&format!("the model's provider has no `{name}`; leave it out or choose another model"))
        }
        Kind::Compaction { .. } => refuse("only the provider that made it can open it; send the conversation itself"),
        Kind::Call { custom: true, .. } => refuse("the model's provider has no custom tools; use a function"),
        Kind::Call { name, .. } => tools::check_name(&block.at, name),
        Kind::Image(_) | Kind::Document(_) if matches!(place, Place::System | Place::Model) => {
            refuse("the model's provider takes pictures and documents from the user only")
        }
        Kind::Text(_)
        | Kind::Refusal(_)
        | Kind::Image(_)
        | Kind::Document(_)
        | Kind::CallResult { .. }
        | Kind::Thinking { .. }
        | Kind::ClosedThinking(_) => Ok(()),
    }
}

/// The refusal of sound and film.
pub fn no_sound(block: &Block) -> NotCarried {
    NotCarried::new(&block.at, "the model's provider takes neither sound nor film; send text, pictures or documents")
}

/// Providers refuse empty texts, and those of blank space alone. The latter a client of the `same` format is told by them.
pub fn says_something(block: &Block, same: bool) -> bool {
    match &block.kind {
        Kind::Text(text) | Kind::Refusal(text) if same => !text.is_empty(),
        Kind::Text(text) | Kind::Refusal(text) => !text.trim().is_empty(),
        Kind::Image(_)
        | Kind::Document(_)
        | Kind::Audio(_)
        | Kind::Video(_)
        | Kind::Call { .. }
        | Kind::CallResult { .. }
        | Kind::Thinking { .. }
        | Kind::ClosedThinking(_)
        | Kind::Compaction { .. }
        | Kind::Other { .. } => true,
    }
}
