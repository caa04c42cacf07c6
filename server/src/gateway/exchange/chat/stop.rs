//! The reason why an answer ended, in this format's words.

use super::super::Stop;

/// The meaning of a finish reason, given what the answer holds. Calls and refusals are told by their presence: some
/// upstreams say `stop` whatever there is; a bound or a filter wins over them. Unknown and empty words count as a
/// natural end.
pub fn read(word: Option<&str>, has_calls: bool, has_refusal: bool) -> Stop {
    match word {
        Some("length" | "max_tokens") => Stop::Length,
        Some("content_filter") => Stop::Refused,
        _ if has_calls => Stop::Calls,
        _ if has_refusal => Stop::Refused,
        _ => Stop::Natural,
    }
}

/// The finish reason. A refusal in words is an answer that ended; without words it was withheld.
pub const fn word(stop: &Stop, has_refusal: bool) -> &'static str {
    match stop {
        Stop::Natural | Stop::Sequence(_) | Stop::Pause | Stop::BrokenCall => "stop",
        Stop::Length | Stop::ContextFull => "length",
        Stop::Calls => "tool_calls",
        Stop::Refused if has_refusal => "stop",
        Stop::Refused => "content_filter",
    }
}
