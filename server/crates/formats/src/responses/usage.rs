//! Token usage, in both spellings of the counts.

use super::super::MalformedRequest;
use super::super::TokenUsage;
use super::super::json::{JsonObject, ObjectWriter};

/// The usage that a response reports; `None` where it reports none.
pub fn told(response: &mut JsonObject<'_>) -> Option<TokenUsage> {
    let read = response.value(&["usage"])?.object().and_then(|mut object| read(&mut object));
    Some(read.unwrap_or(TokenUsage::IMPOSSIBLE))
}

/// Reads a usage object. Whatever is inside another count is taken out of it.
///
/// # Errors
/// When a count is no count.
fn read(object: &mut JsonObject<'_>) -> Result<TokenUsage, MalformedRequest> {
    let prompt = object.whole(&["input_tokens", "prompt_tokens"])?.unwrap_or_default();
    let output = object.whole(&["output_tokens", "completion_tokens"])?.unwrap_or_default();
    let mut parts = TokenUsage { output, ..TokenUsage::default() };
    if let Some(mut details) = object.object(&["input_tokens_details", "prompt_tokens_details"])? {
        let mut count = |name| Ok::<_, MalformedRequest>(details.whole(&[name])?.unwrap_or_default());
        parts.cache_read = count("cached_tokens")?;
        parts.cache_write = count("cache_write_tokens")?;
        parts.audio_input = count("audio_tokens")?;
        parts.image_input = count("image_tokens")?;
    }
    if let Some(mut details) = object.object(&["output_tokens_details", "completion_tokens_details"])? {
        let mut count = |name| Ok::<_, MalformedRequest>(details.whole(&[name])?.unwrap_or_default());
        parts.reasoning = count("reasoning_tokens")?;
        parts.audio_output = count("audio_tokens")?;
        parts.image_output = count("image_tokens")?;
    }
    Ok(TokenUsage::of_report(prompt, parts))
}

/// Writes a usage object's members: those of this format, and the same counts by the names that the service shares with
/// its other formats.
pub fn write(usage: &TokenUsage, object: &mut ObjectWriter<'_>) {
    object.member("input_tokens", &usage.prompt());
    input_details(usage, object.object("input_tokens_details"));
    object.member("output_tokens", &usage.output);
    output_details(usage, object.object("output_tokens_details"));
    object.member("total_tokens", &usage.total());
    object.member("prompt_tokens", &usage.prompt());
    input_details(usage, object.object("prompt_tokens_details"));
    object.member("completion_tokens", &usage.output);
    output_details(usage, object.object("completion_tokens_details"));
}

fn input_details(usage: &TokenUsage, mut details: ObjectWriter<'_>) {
    details.member("cached_tokens", &usage.cache_read);
    details.member("cache_write_tokens", &usage.cache_write.saturating_add(usage.cache_write_hour));
    let other = usage.audio_input.saturating_add(usage.image_input);
    details.member("text_tokens", &usage.prompt().saturating_sub(other));
    details.member("audio_tokens", &usage.audio_input);
    details.member("image_tokens", &usage.image_input);
    details.end();
}

fn output_details(usage: &TokenUsage, mut details: ObjectWriter<'_>) {
    details.member("reasoning_tokens", &usage.reasoning);
    let other = usage.reasoning.saturating_add(usage.audio_output).saturating_add(usage.image_output);
    details.member("text_tokens", &usage.output.saturating_sub(other));
    details.member("audio_tokens", &usage.audio_output);
    details.member("image_tokens", &usage.image_output);
    details.end();
}
