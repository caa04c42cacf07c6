//! The reason why an answer ended, in the words of the format.

use super::super::StopReason;

/// The meaning of the provider's word. `called`: the answer holds a call of a function of the client's. Words that nobody
/// knows yet count as a natural end.
pub fn read(word: Option<&str>, sequence: Option<String>, called: bool) -> StopReason {
    match word {
        Some("stop_sequence") => StopReason::Sequence(sequence),
        Some("max_tokens") => StopReason::Length,
        Some("refusal") => StopReason::Refused,
        Some("model_context_window_exceeded") => StopReason::ContextFull,
        Some("pause_turn") => StopReason::Pause,
        _ if called => StopReason::Calls,
        _ => StopReason::Natural,
    }
}

/// The word for it, and the text that was met. `refused`: the answer holds words of refusal, which this format tells by
/// the reason and not by a kind of block.
pub fn write(stop: &StopReason, refused: bool) -> (&'static str, Option<&str>) {
    match stop {
        StopReason::Natural if refused => ("refusal", None),
        StopReason::Natural | StopReason::BrokenCall => ("end_turn", None),
        StopReason::Sequence(sequence) => ("stop_sequence", sequence.as_deref()),
        StopReason::Length => ("max_tokens", None),
        StopReason::Calls => ("tool_use", None),
        StopReason::Refused => ("refusal", None),
        StopReason::ContextFull => ("model_context_window_exceeded", None),
        StopReason::Pause => ("pause_turn", None),
    }
}
