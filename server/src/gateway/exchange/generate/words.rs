//! The reason why an answer ended, in the format's words.

use super::super::Stop;

/// The meaning of a provider's `finishReason`. Words that are not known mean a natural end. Whether the answer holds a call
/// decides between an end and a call: the format says `STOP` for both.
pub fn stop(word: &str, called: bool) -> Stop {
    match word {
        "MAX_TOKENS" => Stop::Length,
        "SAFETY"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "RECITATION"
        | "MODEL_ARMOR"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => Stop::Refused,
        "MALFORMED_FUNCTION_CALL"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MISSING_THOUGHT_SIGNATURE"
        | "MALFORMED_RESPONSE" => Stop::BrokenCall,
        "CONTINUATION" => Stop::Pause,
        // STOP, OTHER, LANGUAGE, NO_IMAGE, IMAGE_OTHER, and what is yet to be invented.
        _ if called => Stop::Calls,
        _ => Stop::Natural,
    }
}

/// The `finishReason` for a client. A pause is `OTHER`: `CONTINUATION` would make the SDK ask on by itself, with a token
/// that nobody has.
pub const fn finish_reason(stop: &Stop) -> &'static str {
    match stop {
        Stop::Natural | Stop::Sequence(_) | Stop::Calls => "STOP",
        Stop::Length | Stop::ContextFull => "MAX_TOKENS",
        Stop::Refused => "SAFETY",
        Stop::Pause => "OTHER",
        Stop::BrokenCall => "MALFORMED_FUNCTION_CALL",
    }
}
