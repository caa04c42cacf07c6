//! Token counts. On the wire the prompt includes what came from a cache or went into one; inside, no bucket holds
//! another.

use super::super::json::{JsonObject, JsonValue, ObjectWriter};
use super::super::{MalformedRequest, TokenUsage};

/// Reads a `usage` value; `None` where it tells nothing.
pub fn read(value: &JsonValue<'_>) -> Option<TokenUsage> {
    value.object().and_then(|usage| figures(usage)).unwrap_or(Some(TokenUsage::IMPOSSIBLE))
}

fn figures(mut usage: JsonObject<'_>) -> Result<Option<TokenUsage>, MalformedRequest> {
    let (prompt, completion) = (usage.whole(&["prompt_tokens"])?, usage.whole(&["completion_tokens"])?);
    if prompt.is_none() && completion.is_none() {
        return Ok(None);
    }
    let [prompt, completion] = [prompt, completion].map(Option::unwrap_or_default);
    let total = usage.whole(&["total_tokens"])?;
    let hit = usage.whole(&["prompt_cache_hit_tokens", "cached_tokens"])?.unwrap_or_default();
    let mut of_prompt = UsageDetails::of(&mut usage, "prompt_tokens_details")?;
    let mut of_completion = UsageDetails::of(&mut usage, "completion_tokens_details")?;

    let thought = of_completion.count("reasoning_tokens")?;
    // Some providers count thinking beside the answer, not in it; their total gives them away.
    let both = completion.saturating_add(thought);
    let beside = thought > 0 && total == Some(prompt.saturating_add(both));
    let parts = TokenUsage {
        cache_read: of_prompt.count("cached_tokens")?.max(hit),
        cache_write: of_prompt.count("cache_write_tokens")?,
        output: if beside { both } else { completion },
        reasoning: thought,
        audio_input: of_prompt.count("audio_tokens")?,
        audio_output: of_completion.count("audio_tokens")?,
        image_input: of_prompt.count("image_tokens")?,
        image_output: of_completion.count("image_tokens")?,
        ..TokenUsage::default()
    };
    Ok(Some(TokenUsage::of_report(prompt, parts)))
}

/// Writes the member `usage`, the details of both sides included.
pub fn write(usage: &TokenUsage, object: &mut ObjectWriter<'_>) {
    let prompt = usage.prompt();
    let mut counts = object.object("usage");
    counts.member("prompt_tokens", &prompt);
    counts.member("completion_tokens", &usage.output);
    counts.member("total_tokens", &usage.total());

    let mut of_prompt = counts.object("prompt_tokens_details");
    let text = prompt.saturating_sub(usage.audio_input).saturating_sub(usage.image_input);
    of_prompt.member("cached_tokens", &usage.cache_read);
    of_prompt.member("cache_write_tokens", &usage.cache_write.saturating_add(usage.cache_write_hour));
    of_prompt.member("text_tokens", &text);
    of_prompt.member("audio_tokens", &usage.audio_input);
    of_prompt.member("image_tokens", &usage.image_input);
    of_prompt.end();

    let mut of_completion = counts.object("completion_tokens_details");
    let text =
        [usage.reasoning, usage.audio_output, usage.image_output].into_iter().fold(usage.output, u64::saturating_sub);
    of_completion.member("reasoning_tokens", &usage.reasoning);
    of_completion.member("text_tokens", &text);
    of_completion.member("audio_tokens", &usage.audio_output);
    of_completion.member("image_tokens", &usage.image_output);
    of_completion.end();
    counts.end();
}

/// One of the two objects of details, which many upstreams leave out or set to null.
struct UsageDetails<'a>(Option<JsonObject<'a>>);

impl<'a> UsageDetails<'a> {
    fn of(usage: &mut JsonObject<'a>, name: &str) -> Result<Self, MalformedRequest> {
        usage.object(&[name]).map(Self)
    }

    fn count(&mut self, name: &str) -> Result<u64, MalformedRequest> {
        let count = self.0.as_mut().map(|details| details.whole(&[name])).transpose()?;
        Ok(count.flatten().unwrap_or_default())
    }
}
