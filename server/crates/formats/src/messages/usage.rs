//! Usage in the format's members. `input_tokens` is what no cache had to do with, as in the inner language.

use super::super::json::{JsonObject, JsonValue, ObjectWriter};
use super::super::{MalformedRequest, TokenUsage, UnknownMember};
use super::nested;

/// The counts that a provider has reported so far; a later report overwrites what it repeats and keeps the rest.
#[derive(Debug, Clone, Copy, Default)]
pub struct MessagesUsage {
    input: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<CacheWrite>,
    output: Option<u64>,
    reasoning: Option<u64>,
    impossible: bool,
}

/// Tokens written to a cache, by how long they last.
#[derive(Debug, Clone, Copy, Default)]
struct CacheWrite {
    minutes: u64,
    hour: u64,
}

impl MessagesUsage {
    /// Takes what the JSON text of a `usage` object tells, as [`take`](Self::take) does.
    pub fn take_json(&mut self, usage: &str) {
        let read = JsonValue::document(usage.as_bytes()).and_then(|usage| self.read(&usage));
        self.taken(read);
    }

    /// Takes what `usage` tells; returns the members that the inner language has no place for. What cannot be read makes
    /// what was told before unbelievable too.
    pub fn take(&mut self, usage: &JsonValue<'_>) -> Vec<UnknownMember> {
        let read = self.read(usage);
        self.taken(read).map(|rest| nested::kept(rest, "usage").collect()).unwrap_or_default()
    }

    fn taken<T>(&mut self, read: Result<T, MalformedRequest>) -> Option<T> {
        match read {
            Ok(rest) => {
                self.impossible = false;
                Some(rest)
            }
            Err(_) => {
                *self = Self { impossible: true, ..Self::default() };
                None
            }
        }
    }

    fn read<'a>(&mut self, usage: &JsonValue<'a>) -> Result<JsonObject<'a>, MalformedRequest> {
        let mut object = usage.object()?;
        let input = object.whole(&["input_tokens"])?;
        let cache_read = object.whole(&["cache_read_input_tokens"])?;
        overwrite(&mut self.cache_read, cache_read);
        let sum = object.whole(&["cache_creation_input_tokens"])?;
        let parts = object.object(&["cache_creation"])?.map(|mut parts| CacheWrite::read(&mut parts)).transpose()?;
        let written = CacheWrite::of(sum, parts.flatten(), self.cache_write.unwrap_or_default());
        overwrite(&mut self.cache_write, written);
        // A prompt that was none is one that a cache had all of, or a figure that its provider does not repeat.
        let is_cached =
            cache_read > Some(0) || written.is_some_and(|written| (written.minutes, written.hour) != (0, 0));
        let is_told = is_cached || self.input.is_none();
        overwrite(&mut self.input, input.filter(|input| *input > 0 || is_told));
        overwrite(&mut self.output, object.whole(&["output_tokens"])?);
        if let Some(mut details) = object.object(&["output_tokens_details"])? {
            overwrite(&mut self.reasoning, details.whole(&["thinking_tokens", "reasoning_tokens"])?);
        }
        Ok(object)
    }

    /// True if both sides of a request were told.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.input.is_some() && self.output.is_some()
    }

    /// In the inner language's buckets; `None` when nothing was told.
    #[must_use]
    pub fn usage(&self) -> Option<TokenUsage> {
        let Self { input, cache_read, cache_write, output, reasoning, impossible } = *self;
        let told = [input, cache_read, output].iter().any(Option::is_some) || cache_write.is_some();
        let CacheWrite { minutes, hour } = cache_write.unwrap_or_default();
        let [input, cache_read, output, reasoning] =
            [input, cache_read, output, reasoning].map(Option::unwrap_or_default);
        if impossible || reasoning > output {
            return Some(TokenUsage::IMPOSSIBLE);
        }
        told.then(|| TokenUsage {
            input,
            cache_read,
            cache_write: minutes,
            cache_write_hour: hour,
            output,
            reasoning,
            ..TokenUsage::default()
        })
    }
}

impl CacheWrite {
    fn read(parts: &mut JsonObject<'_>) -> Result<Option<Self>, MalformedRequest> {
        let minutes = parts.whole(&["ephemeral_5m_input_tokens"])?;
        let hour = parts.whole(&["ephemeral_1h_input_tokens"])?;
        let told = minutes.is_some() || hour.is_some();
        Ok(told.then(|| Self { minutes: minutes.unwrap_or_default(), hour: hour.unwrap_or_default() }))
    }

    /// The tokens by a report of their sum and parts; `None` where it has neither.
    ///
    /// The last report of a stream repeats the sum and leaves out the parts, which then still hold as they were `before`. What
    /// is in no part is of the shorter and cheaper kind, which a provider writes unasked.
    fn of(sum: Option<u64>, parts: Option<Self>, before: Self) -> Option<Self> {
        let Self { minutes, hour } = match (sum, parts) {
            (_, Some(parts)) => parts,
            (Some(sum), None) => Self { minutes: 0, hour: before.hour.min(sum) },
            (None, None) => return None,
        };
        let rest = sum.unwrap_or_default().saturating_sub(minutes.saturating_add(hour));
        Some(Self { minutes: minutes.saturating_add(rest), hour })
    }
}

/// Writes the members that clients read. A count that is not known is 0: SDKs want numbers.
pub fn write(usage: Option<TokenUsage>, object: &mut ObjectWriter<'_>) {
    let usage = usage.unwrap_or_default();
    object
        .member("input_tokens", &usage.input)
        .member("cache_creation_input_tokens", &usage.cache_write.saturating_add(usage.cache_write_hour))
        .member("cache_read_input_tokens", &usage.cache_read);
    let mut split = object.object("cache_creation");
    split
        .member("ephemeral_5m_input_tokens", &usage.cache_write)
        .member("ephemeral_1h_input_tokens", &usage.cache_write_hour);
    split.end();
    object.member("output_tokens", &usage.output);
    let mut details = object.object("output_tokens_details");
    details.member("thinking_tokens", &usage.reasoning);
    details.end();
}

fn overwrite<T>(known: &mut Option<T>, told: Option<T>) {
    if told.is_some() {
        *known = told;
    }
}
