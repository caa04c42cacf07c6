//! One video: what was ordered, who makes it, and how it does.

use data_encoding::HEXLOWER;

use crate::base::{AccountId, HoldId, PicoUsd, Ratio};
use crate::credit::KeptHold;
use crate::gateway::{FilmFault, Maker, Measures};
use crate::generated::machines::video_task::State;

/// A task as its row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Task {
    /// What clients know it by.
    pub(super) id: String,
    /// Whose it is.
    pub(super) account: AccountId,
    /// What pays for it.
    pub(super) hold: HoldId,
    /// Where it stands.
    pub(super) state: State,
    pub(super) terms: Terms,
    /// Who was asked last, or makes it.
    pub(super) maker: Option<Maker>,
    /// Its maker's name for it.
    pub(super) name: Option<String>,
    /// Per cent.
    pub(super) progress: u8,
    /// What came of it.
    pub(super) made: Made,
    /// Why nothing did.
    pub(super) fault: Option<FilmFault>,
    /// Unix time in milliseconds, like the others.
    pub(super) created_at_ms: i64,
    pub(super) deadline_at_ms: i64,
    pub(super) ended_at_ms: Option<i64>,
}

/// What was ordered; fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    /// As the client named it.
    pub(super) model: String,
    pub(super) seconds: u32,
    /// What a second costs.
    pub(super) price: PicoUsd,
    /// What the order costs beside its seconds.
    pub(super) request: PicoUsd,
    /// What the account pays of both.
    pub(super) ratio: Ratio,
    /// As the client wrote it.
    pub(super) size: Option<String>,
    pub(super) prompt: String,
}

/// A finished video.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Made {
    /// Where it lies, where anybody can read that.
    pub(super) url: Option<String>,
    pub(super) measures: Measures,
}

impl Task {
    /// What pays for it, for the ledger.
    pub(super) fn kept_hold(&self) -> KeptHold {
        KeptHold { id: self.hold, account: self.account }
    }
}

/// A name for a new task, which nobody can guess.
pub(super) fn fresh_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    format!("video_{}", HEXLOWER.encode(&bytes))
}
