//! What an answer amounts to so far: enough to charge it, wherever it ends.

use crate::credit::Usage;

use super::{Reported, Seen};

/// Bytes of text to a token, where we have to count ourselves: the common figure for English, and high for most others.
const BYTES_PER_TOKEN: u64 = 4;

/// The running figures of one answer.
#[derive(Debug)]
pub struct Tally {
    context_tokens: u64,
    prompt_bytes: u64,
    delivered_bytes: u64,
    finished: bool,
    reported: Option<Reported>,
}

impl Tally {
    /// Starts at nothing. `prompt_bytes` is the size of the prompt as the client sent it.
    #[must_use]
    pub fn new(context_tokens: u64, prompt_bytes: u64) -> Self {
        Self { context_tokens, prompt_bytes, delivered_bytes: 0, finished: false, reported: None }
    }

    /// Adds one reply or chunk. The last usage wins: running figures are cumulative.
    pub fn add(&mut self, seen: &Seen<'_>) {
        self.delivered_bytes = self.delivered_bytes.saturating_add(seen.delivered_bytes);
        self.finished |= seen.finished;
        if let Some(usage) = seen.usage() {
            self.reported = Some(Reported::read(usage.get(), self.context_tokens));
        }
    }

    /// Adds output that has no shape we know, by its size.
    pub fn add_unknown(&mut self, bytes: usize) {
        self.delivered_bytes = self.delivered_bytes.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
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
