//! Usage in the format's members. `input_tokens` is what no cache had to do with, as in the inner language.

use super::super::json::{JsonObject, JsonValue, ObjectWriter};
use super::super::{MalformedRequest, TokenUsage, UnknownMember};
use super::nested;

/// The counts that a provider has reported so far; a later report overwrites what it repeats and keeps the rest.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReportedUsage {
    input: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    cache_write_split: Option<(u64, u64)>,
    output: Option<u64>,
    reasoning: Option<u64>,
    impossible: bool,
}

impl ReportedUsage {
    /// Takes what `usage` tells; returns the members that the inner language has no place for. What cannot be read makes
    /// what was told before unbelievable too.
    pub fn take(&mut self, usage: &JsonValue<'_>) -> Vec<UnknownMember> {
        self.impossible = false;
        self.read(usage).unwrap_or_else(|_| {
            *self = Self { impossible: true, ..Self::default() };
            Vec::new()
        })
    }

    fn read(&mut self, usage: &JsonValue<'_>) -> Result<Vec<UnknownMember>, MalformedRequest> {
        let mut object = usage.object()?;
        overwrite(&mut self.input, object.whole(&["input_tokens"])?);
        overwrite(&mut self.cache_read, object.whole(&["cache_read_input_tokens"])?);
        overwrite(&mut self.cache_write, object.whole(&["cache_creation_input_tokens"])?);
        overwrite(&mut self.output, object.whole(&["output_tokens"])?);
        if let Some(mut details) = object.object(&["output_tokens_details"])? {
            overwrite(&mut self.reasoning, details.whole(&["thinking_tokens"])?);
        }
        if let Some(mut split) = object.object(&["cache_creation"])? {
            overwrite(&mut self.cache_write_split, by_lifetime(&mut split)?);
        }
        Ok(nested::kept(object, "usage").collect())
    }

    /// In the inner language's buckets; `None` when nothing was told.
    pub fn usage(&self) -> Option<TokenUsage> {
        if self.impossible {
            return Some(TokenUsage::IMPOSSIBLE);
        }
        let told = [self.input, self.cache_read, self.cache_write, self.output].iter().any(Option::is_some);
        let (minutes, hour) = self.cache_write_split.unwrap_or_default();
        // A total without its split, or larger than it, counts as the shorter and cheaper kind.
        let unsplit = self.cache_write.unwrap_or_default().saturating_sub(minutes.saturating_add(hour));
        let output = self.output.unwrap_or_default();
        told.then(|| TokenUsage {
            input: self.input.unwrap_or_default(),
            cache_read: self.cache_read.unwrap_or_default(),
            cache_write: minutes.saturating_add(unsplit),
            cache_write_hour: hour,
            output,
            reasoning: self.reasoning.unwrap_or_default().min(output),
            ..TokenUsage::default()
        })
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

fn by_lifetime(split: &mut JsonObject<'_>) -> Result<Option<(u64, u64)>, MalformedRequest> {
    let minutes = split.whole(&["ephemeral_5m_input_tokens"])?;
    let hour = split.whole(&["ephemeral_1h_input_tokens"])?;
    Ok((minutes.is_some() || hour.is_some()).then(|| (minutes.unwrap_or_default(), hour.unwrap_or_default())))
}

fn overwrite<T>(known: &mut Option<T>, told: Option<T>) {
    if told.is_some() {
        *known = told;
    }
}
