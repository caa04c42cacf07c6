//! The reason why an answer ended, in the format's words.

use super::super::StopReason;

/// The meaning of a provider's `finishReason`. Words that are not known mean a natural end. Whether the answer holds a call
/// decides between an end and a call: the format says `STOP` for both.
pub fn stop(word: &str, called: bool) -> StopReason {
    match word {
        "MAX_TOKENS" => StopReason::Length,
        "SAFETY"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "RECITATION"
        | "MODEL_ARMOR"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => StopReason::Refused,
        "MALFORMED_FUNCTION_CALL"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MISSING_THOUGHT_SIGNATURE"
        | "MALFORMED_RESPONSE" => StopReason::BrokenCall,
        "CONTINUATION" => StopReason::Pause,
        // STOP, OTHER, LANGUAGE, NO_IMAGE, IMAGE_OTHER, and what is yet to be invented.
        _ if called => StopReason::Calls,
        _ => StopReason::Natural,
    }
}

/// The `finishReason` for a client. A pause is `OTHER`: `CONTINUATION` would make the SDK ask on by itself, with a token
/// that nobody has.
pub const fn finish_reason(stop: &StopReason) -> &'static str {
    match stop {
        StopReason::Natural | StopReason::Sequence(_) | StopReason::Calls => "STOP",
        StopReason::Length | StopReason::ContextFull => "MAX_TOKENS",
        StopReason::Refused => "SAFETY",
        StopReason::Pause => "OTHER",
        StopReason::BrokenCall => "MALFORMED_FUNCTION_CALL",
    }
}
