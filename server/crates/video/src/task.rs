//! The task of one video: its terms, its provider and its progress.

use data_encoding::HEXLOWER;

use tollgate_api::generated::machines::video_task::State;
use tollgate_base::{AccountId, HoldId, PicoUsd, PriceRatio};
use tollgate_credit::DurableHold;
use tollgate_gateway::{VideoMeasures, VideoSource, VideoTaskFailure};

/// A task as its row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VideoTaskRow {
    /// The id that clients know.
    pub(super) id: String,
    /// The account that ordered it.
    pub(super) account: AccountId,
    /// The hold that pays for it.
    pub(super) hold: HoldId,
    /// The state of the task.
    pub(super) state: State,
    pub(super) terms: VideoOrderTerms,
    /// The provider that was asked last, or makes it.
    pub(super) maker: Option<VideoSource>,
    /// The provider's name for it.
    pub(super) name: Option<String>,
    /// The progress in per cent.
    pub(super) progress: u8,
    /// The finished video.
    pub(super) made: FinishedVideo,
    /// The reason of the failure.
    pub(super) fault: Option<VideoTaskFailure>,
    /// Unix time in milliseconds, as are the next two.
    pub(super) created_at_ms: i64,
    pub(super) deadline_at_ms: i64,
    pub(super) ended_at_ms: Option<i64>,
}

/// The terms of the order, which do not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VideoOrderTerms {
    /// The model as the client named it.
    pub(super) model: String,
    pub(super) seconds: u32,
    /// The price of a second.
    pub(super) price: PicoUsd,
    /// The price of the order beside its seconds.
    pub(super) request: PicoUsd,
    /// The ratio of both that the account pays.
    pub(super) ratio: PriceRatio,
    /// The size as the client wrote it.
    pub(super) size: Option<String>,
    pub(super) prompt: String,
}

/// A finished video.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FinishedVideo {
    /// The public address of the video, if it has one.
    pub(super) url: Option<String>,
    pub(super) measures: VideoMeasures,
}

impl VideoTaskRow {
    /// The hold of the task, for the ledger.
    pub(super) fn kept_hold(&self) -> DurableHold {
        DurableHold { id: self.hold, account: self.account }
    }
}

/// A fresh id that nobody can guess.
pub(super) fn fresh_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    format!("video_{}", HEXLOWER.encode(&bytes))
}
