//! Token counts. On the wire the prompt includes what came from a cache or went into one; inside, no bucket holds
//! another.

use super::super::TokenUsage;
use super::super::json::{JsonObject, JsonValue, ObjectWriter};

/// Reads a `usage` value; `None` where it tells nothing.
pub fn read(value: &JsonValue<'_>) -> Option<TokenUsage> {
    let Ok(mut usage) = value.object() else { return Some(TokenUsage::IMPOSSIBLE) };
    let (prompt, completion) = (usage.value(&["prompt_tokens"]), usage.value(&["completion_tokens"]));
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    let whole = |count: Option<JsonValue<'_>>| count.map_or(Ok(0), |count| count.whole());
    let (Ok(prompt), Ok(completion)) = (whole(prompt), whole(completion)) else { return Some(TokenUsage::IMPOSSIBLE) };
    let total = count(&mut usage, &["total_tokens"]);
    let hit = count(&mut usage, &["prompt_cache_hit_tokens", "cached_tokens"]);
    let mut of_prompt = UsageDetails::of(&mut usage, "prompt_tokens_details");
    let mut of_completion = UsageDetails::of(&mut usage, "completion_tokens_details");

    let cache_read = of_prompt.count("cached_tokens").max(hit).min(prompt);
    let cache_write = of_prompt.count("cache_write_tokens").min(prompt.saturating_sub(cache_read));
    let input = prompt.saturating_sub(cache_read).saturating_sub(cache_write);
    let thought = of_completion.count("reasoning_tokens");
    // Some providers count thinking beside the answer, not in it; their total gives them away.
    let beside = thought > 0 && total == prompt.saturating_add(completion).saturating_add(thought);
    let output = if beside { completion.saturating_add(thought) } else { completion };
    Some(TokenUsage {
        input,
        cache_read,
        cache_write,
        cache_write_hour: 0,
        output,
        reasoning: thought.min(output),
        audio_input: of_prompt.count("audio_tokens").min(input),
        audio_output: of_completion.count("audio_tokens").min(output),
        image_input: of_prompt.count("image_tokens").min(input),
        image_output: of_completion.count("image_tokens").min(output),
        impossible: false,
    })
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
    fn of(usage: &mut JsonObject<'a>, name: &str) -> Self {
        Self(usage.object(&[name]).ok().flatten())
    }

    fn count(&mut self, name: &str) -> u64 {
        self.0.as_mut().map_or(0, |details| count(details, &[name]))
    }
}

fn count(object: &mut JsonObject<'_>, names: &[&str]) -> u64 {
    object.whole(names).ok().flatten().unwrap_or(0)
}
