//! The reason why an answer ended, in the words of the format.

use super::super::Stop;

/// The meaning of the provider's word. `called`: the answer holds a call of a function of the client's. Words that nobody
/// knows yet count as a natural end.
pub fn read(word: Option<&str>, sequence: Option<String>, called: bool) -> Stop {
    match word {
        Some("stop_sequence") => Stop::Sequence(sequence),
        Some("max_tokens") => Stop::Length,
        Some("refusal") => Stop::Refused,
        Some("model_context_window_exceeded") => Stop::ContextFull,
        Some("pause_turn") => Stop::Pause,
        _ if called => Stop::Calls,
        _ => Stop::Natural,
    }
}

/// The word for it, and the text that was met. `refused`: the answer holds words of refusal, which this format tells by
/// the reason and not by a kind of block.
pub fn write(stop: &Stop, refused: bool) -> (&'static str, Option<&str>) {
    match stop {
        Stop::Natural if refused => ("refusal", None),
        Stop::Natural | Stop::BrokenCall => ("end_turn", None),
        Stop::Sequence(sequence) => ("stop_sequence", sequence.as_deref()),
        Stop::Length => ("max_tokens", None),
        Stop::Calls => ("tool_use", None),
        Stop::Refused => ("refusal", None),
        Stop::ContextFull => ("model_context_window_exceeded", None),
        Stop::Pause => ("pause_turn", None),
    }
}
