//! The faults of the provider, set by a test or by somebody who tries the rail out, for all later calls.

use serde::{Deserialize, Serialize};

/// The faults that are on. `PUT /control/faults` replaces them all; `{}` turns them off.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Faults {
    /// No notice is sent.
    pub(super) drop: bool,
    /// Each notice is sent so much later.
    pub(super) delay_ms: u64,
    /// Each notice is sent so many times more, all at once.
    pub(super) duplicate: u32,
    /// Notices of one payment are sent in the opposite order.
    pub(super) reorder: bool,
    /// That a payment is pending is reported before its result.
    pub(super) pending_first: bool,
    /// Notices tell ten times as much.
    pub(super) wrong_amount: bool,
    /// Answers about a payment tell ten times as much.
    pub(super) wrong_answers: bool,
    /// Answers about a payment name this order in the place of its own; none where this is empty.
    pub(super) answered_order: Option<String>,
    /// Notices tell this currency.
    pub(super) currency: Option<String>,
    /// Notices are signed wrongly.
    pub(super) forged_signature: bool,
    /// All is signed in the name of this version of the key.
    pub(super) key_version: Option<String>,
    /// New payments all have this name.
    pub(super) payment_id: Option<String>,
    /// Signed messages have a time so many milliseconds ahead; behind where negative.
    pub(super) clock_ahead_ms: i64,
    /// Calls of this name are neither carried out nor answered as long as this is on.
    pub(super) hold: Option<String>,
    /// Calls of this name are carried out, but not answered as long as this is on.
    pub(super) hold_answer: Option<String>,
    /// The form of the answers. Calls are carried out all the same.
    pub(super) answers: Answers,
}

/// The form of the answers to calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answers {
    /// The proper answers.
    #[default]
    Proper,
    /// With status 500.
    Error,
    /// Not at all.
    Hang,
    /// With "unknown".
    Undecided,
    /// A refusal for this reason.
    Refused(String),
    /// With a wrong signature.
    Forged,
    /// Without a signature.
    Unsigned,
    /// With more than anybody reads.
    Oversized,
}
