//! The reason why an answer ended, in this format's words.

use super::super::StopReason;

/// The meaning of a finish reason, given what the answer holds. Calls and refusals are told by their presence: some
/// upstreams say `stop` whatever there is; a bound or a filter wins over them. Unknown and empty words count as a
/// natural end.
pub fn read(word: Option<&str>, has_calls: bool, has_refusal: bool) -> StopReason {
    match word {
        Some("length" | "max_tokens") => StopReason::Length,
        Some("content_filter") => StopReason::Refused,
        _ if has_calls => StopReason::Calls,
        _ if has_refusal => StopReason::Refused,
        _ => StopReason::Natural,
    }
}

/// The finish reason. A refusal in words is an answer that ended; without words it was withheld.
pub const fn word(stop: &StopReason, has_refusal: bool) -> &'static str {
    match stop {
        StopReason::Natural | StopReason::Sequence(_) | StopReason::Pause | StopReason::BrokenCall => "stop",
        StopReason::Length | StopReason::ContextFull => "length",
        StopReason::Calls => "tool_calls",
        StopReason::Refused if has_refusal => "stop",
        StopReason::Refused => "content_filter",
    }
}
