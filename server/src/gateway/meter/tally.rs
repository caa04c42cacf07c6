//! What an answer amounts to so far: enough to charge it, wherever it ends.

use crate::credit::Usage;

use super::super::exchange::{self, Format};
use super::seen::Generated;
use super::{Reported, Seen};

/// Bytes of text to a token, where we have to count ourselves: the common figure for English, and high for most others.
const BYTES_PER_TOKEN: u64 = 4;

/// The running figures of one answer.
#[derive(Debug)]
pub struct Tally {
    format: Format,
    context_tokens: u64,
    prompt_bytes: u64,
    delivered_bytes: u64,
    finished: bool,
    reported: Option<Reported>,
}

impl Tally {
    /// Starts at nothing. `format` is the provider's; `prompt_bytes` is the size of the prompt as the client sent it.
    #[must_use]
    pub fn new(format: Format, context_tokens: u64, prompt_bytes: u64) -> Self {
        Self { format, context_tokens, prompt_bytes, delivered_bytes: 0, finished: false, reported: None }
    }

    /// Adds one reply or chunk. The last usage wins: running figures are cumulative.
    pub fn add(&mut self, seen: &Seen<'_>) {
        self.delivered_bytes = self.delivered_bytes.saturating_add(seen.delivered_bytes);
        self.finished |= seen.finished;
        if let Some(usage) = seen.usage() {
            let before = self.reported.as_ref();
            self.reported = Some(Reported::read(self.format, usage.get(), self.context_tokens, before));
        }
    }

    /// Adds output that was read in the inner language, by its size in bytes.
    pub fn add_delivered(&mut self, bytes: usize) {
        self.delivered_bytes = self.delivered_bytes.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
    }

    /// Puts usage that was read in the inner language in the place of what was reported before.
    pub fn put_usage(&mut self, usage: exchange::Usage) {
        self.reported = Some(Reported::converted(usage, self.context_tokens));
    }

    /// Notes that the answer said why it ended.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// Whether some output has reached us.
    #[must_use]
    pub fn delivered(&self) -> bool {
        self.delivered_bytes > 0
    }

    /// Whether a choice said why it ended.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// The upstream's own figures, if it gave any.
    #[must_use]
    pub fn reported(&self) -> Option<&Reported> {
        self.reported.as_ref()
    }

    /// Our own count: prompt and delivered output by their size.
    #[must_use]
    pub fn counted(&self) -> Usage {
        Usage {
            prompt: self.prompt_bytes.div_ceil(BYTES_PER_TOKEN),
            cached: 0,
            completion: self.delivered_bytes.div_ceil(BYTES_PER_TOKEN),
            reasoning: 0,
            estimated: true,
        }
    }
}

/// Our own count of a prompt of this size, for an answer that is no text.
#[must_use]
pub fn counted(prompt_bytes: usize) -> Usage {
    let prompt_bytes = u64::try_from(prompt_bytes).unwrap_or(u64::MAX);
    Usage { prompt: prompt_bytes.div_ceil(BYTES_PER_TOKEN), estimated: true, ..Usage::default() }
}

/// Our own count of a request of any format: the texts in it by their size, the bytes of pictures and sounds left out.
/// At least one; what is no JSON is counted whole.
#[must_use]
pub fn tokens_of_text(json: &[u8]) -> u64 {
    let whole = u64::try_from(json.len()).unwrap_or(u64::MAX);
    let bytes = serde_json::from_slice::<Generated>(json).map_or(whole, |texts| texts.0);
    bytes.div_ceil(BYTES_PER_TOKEN).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_counted_by_size_and_pictures_are_not() {
        let text = br#"{"messages":[{"role":"user","content":"12345678"}],"system":"1234"}"#;
        assert_eq!(tokens_of_text(text), 3);
        let picture = br#"{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AAAAAAAAAAAA"}}]}]}"#;
        assert_eq!((tokens_of_text(picture), tokens_of_text(b"{}"), tokens_of_text(b"{-----")), (1, 1, 2));
    }
}
