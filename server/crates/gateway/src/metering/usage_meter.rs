//! The usage of an answer so far: enough to charge it, wherever it ends.

use tollgate_api::generated::limits;
use tollgate_credit::BilledUsage;
use tollgate_formats::{Format, MessagesUsage};

use super::answering_model::AnsweringModel;
use super::beyond_totals::{ReportedServices, UsageBeyondTotals, sum};
use super::generated_size::GeneratedSize;
use super::tool_uses::ToolUses;
use super::{MeteredEvent, UsageReport};

/// The running figures of one answer.
#[derive(Debug)]
pub struct UsageMeter {
    format: Format,
    context_tokens: u64,
    choices: u64,
    tool_uses: u64,
    prompt_bytes: u64,
    delivered_bytes: u64,
    finished: bool,
    reported: Option<UsageReport>,
    /// The figures that an answer of format A has reported so far. Boxed, because answers are moved between tasks and phases.
    of_messages: Option<Box<MessagesUsage>>,
    beyond: Box<UsageBeyondTotals>,
    /// Boxed, because answers are moved between tasks and phases.
    uses: Box<ToolUses>,
    model: AnsweringModel,
}

impl UsageMeter {
    /// A meter at zero.
    ///
    /// `format` is the provider's; `context_tokens` is the most that a prompt or an answer can have; `prompt_bytes` is the
    /// size of the prompt as the client sent it.
    #[must_use]
    pub fn new(format: Format, context_tokens: u64, prompt_bytes: u64) -> Self {
        Self {
            format,
            context_tokens,
            choices: 1,
            tool_uses: 0,
            prompt_bytes,
            delivered_bytes: 0,
            finished: false,
            reported: None,
            of_messages: None,
            beyond: Box::default(),
            uses: Box::default(),
            model: AnsweringModel::default(),
        }
    }

    /// Compares the model that answers with this one, which the provider's answers may name otherwise.
    #[must_use]
    pub fn of_model(self, model: &str, answers_as: Option<&str>) -> Self {
        Self { model: AnsweringModel::asked(model, answers_as), ..self }
    }

    /// Sets the number of answers that the request asked for.
    #[must_use]
    pub fn of_choices(self, choices: u64) -> Self {
        Self { choices, ..self }
    }

    /// Sets the uses of tools that the provider may make.
    #[must_use]
    pub fn of_tool_uses(self, tool_uses: u64) -> Self {
        Self { tool_uses, ..self }
    }

    /// Adds one reply or chunk. The last usage wins: running figures are cumulative. In format A, what it leaves out still
    /// holds.
    pub fn add(&mut self, seen: &MeteredEvent<'_>) {
        self.delivered_bytes = self.delivered_bytes.saturating_add(seen.delivered_bytes);
        self.finished |= seen.finished;
        if let Some(usage) = seen.usage() {
            let possible = self.tokens_possible();
            self.reported = Some(match self.format {
                Format::Messages => {
                    let told = self.of_messages.get_or_insert_default();
                    told.take_json(usage.get());
                    UsageReport::of_messages(told, possible)
                }
                format => UsageReport::read(format, usage.get(), possible),
            });
        }
        self.look_beyond(seen);
    }

    /// Adds what an event of the provider's format says beyond the totals of its usage.
    ///
    /// The totals are read elsewhere; here it is what they leave out, and the model that answers.
    pub fn add_beyond(&mut self, json: &[u8]) {
        let says = |word: &[u8]| memchr::memmem::find(json, word).is_some();
        let may_say = says(b"\"usage\"") || says(b"\"service_tier\"") || says(b"\"serviceTier\"");
        let may_say = may_say || (!self.model.is_told() && says(b"\"model"));
        match may_say.then(|| MeteredEvent::read(self.format, json).ok()).flatten() {
            Some(seen) => self.look_beyond(&seen),
            None => self.uses.event(self.format, json),
        }
    }

    fn look_beyond(&mut self, seen: &MeteredEvent<'_>) {
        self.uses.event(self.format, seen.json);
        if let Some(usage) = seen.usage() {
            self.beyond.read(self.format, usage.get());
            self.uses.usage(self.format, usage.get());
        }
        if let Some(tier) = &seen.tier {
            self.beyond.tier(tier);
        }
        if let Some(model) = seen.model {
            self.model.look(model);
        }
    }

    /// Adds output that was read in the inner language, by its size in bytes.
    pub fn add_delivered(&mut self, bytes: usize) {
        self.delivered_bytes = self.delivered_bytes.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
    }

    /// Puts usage that was read in the inner language in the place of what was reported before.
    pub fn put_usage(&mut self, usage: tollgate_formats::TokenUsage) {
        self.reported = Some(UsageReport::converted(usage, self.tokens_possible()));
    }

    fn tokens_possible(&self) -> u64 {
        // Each use of a tool is a step that reads the conversation once more.
        self.context_tokens.saturating_mul(self.choices).saturating_mul(self.tool_uses.saturating_add(1))
    }

    /// Notes that the answer said why it ended.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// True if some output has reached us.
    #[must_use]
    pub fn delivered(&self) -> bool {
        self.delivered_bytes > 0
    }

    /// True if a choice said why it ended.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// The upstream's own figures for the whole answer, if it gave any that can be true. Formats A and G report as they
    /// go: what they say before the answer has ended is not for the whole.
    #[must_use]
    pub fn reported(&self) -> Option<BilledUsage> {
        let whole = match self.format {
            Format::Chat | Format::Completions | Format::Responses => true,
            Format::Messages | Format::Generate => self.finished,
        };
        self.running().filter(|usage| whole && !self.leaves_out(usage))
    }

    fn running(&self) -> Option<BilledUsage> {
        match self.reported {
            Some(UsageReport::Figures(usage)) => {
                match UsageReport::believed(sum(&usage, &self.beyond.usage), self.tokens_possible()) {
                    UsageReport::Figures(usage) => Some(usage),
                    UsageReport::Absurd => None,
                }
            }
            Some(UsageReport::Absurd) | None => None,
        }
    }

    /// The services that the answer reports beside tokens at their usual prices.
    #[must_use]
    pub fn services(&self) -> ReportedServices {
        let mut services = self.beyond.services(self.format, self.uses.all());
        if self.uses.unread() {
            services.unpriced.push("a report of tools that cannot be read".to_owned());
        }
        services
    }

    /// The model that answered, where it is not the one that the provider was asked for.
    #[must_use]
    pub fn other_model(&self) -> Option<&str> {
        self.model.other()
    }

    /// The usage that a client is told of a complete answer, where the provider's own figures are none.
    ///
    /// These are the figures that are charged.
    #[must_use]
    pub fn counted_for_client(&self) -> Option<tollgate_formats::TokenUsage> {
        (self.delivered() && self.reported().is_none()).then(|| UsageReport::to_exchange(&self.counted()))
    }

    /// True if figures leave out what we have seen: a report without them is no report that it was free.
    fn leaves_out(&self, usage: &BilledUsage) -> bool {
        let prompt = usage.prompt == 0 && self.prompt_bytes > 0;
        let output = usage.completion == 0 && self.delivered_bytes > 0;
        prompt || output
    }

    /// Our own count: prompt and delivered output by their size, and figures that were reported on the way.
    #[must_use]
    pub fn counted(&self) -> BilledUsage {
        let counted = BilledUsage {
            // What is not text is larger than its tokens, and no prompt is larger than the context.
            prompt: self.prompt_bytes.div_ceil(limits::COUNTED_BYTES_PER_TOKEN.into()).min(self.tokens_possible()),
            completion: self.delivered_bytes.div_ceil(limits::COUNTED_BYTES_PER_TOKEN.into()),
            estimated: true,
            ..BilledUsage::default()
        };
        let Some(running) = self.running() else { return counted };
        let completion = counted.completion.max(running.completion);
        match running.prompt {
            0 => BilledUsage { completion, ..counted },
            _ => BilledUsage { completion, reasoning: 0, estimated: true, ..running },
        }
    }
}

/// Our own count of a prompt of this size, for an answer that is no text.
#[must_use]
pub fn counted(prompt_bytes: usize) -> BilledUsage {
    let prompt_bytes = u64::try_from(prompt_bytes).unwrap_or(u64::MAX);
    BilledUsage {
        prompt: prompt_bytes.div_ceil(limits::COUNTED_BYTES_PER_TOKEN.into()),
        estimated: true,
        ..BilledUsage::default()
    }
}

/// Our own count of a request of any format: the texts in it by their size, the bytes of pictures, sounds and files left
/// out. At least one; what is no JSON is counted whole.
#[must_use]
pub fn tokens_of_text(json: &[u8]) -> u64 {
    let whole = u64::try_from(json.len()).unwrap_or(u64::MAX);
    let bytes = serde_json::from_slice::<GeneratedSize>(json).map_or(whole, |texts| texts.bytes);
    bytes.saturating_sub(written_out(json)).div_ceil(limits::COUNTED_BYTES_PER_TOKEN.into()).max(1)
}

/// Bytes of texts that are files written out, in formats that have them among other addresses.
fn written_out(json: &[u8]) -> u64 {
    const ADDRESS: &[u8] = b"\"data:";
    let files = memchr::memmem::find_iter(json, ADDRESS).filter_map(|at| {
        let text = &json[at + 1..];
        let text = &text[..memchr::memchr(b'"', text)?];
        memchr::memmem::find(text, b";base64,").map(|_| text.len())
    });
    files.map(|length| u64::try_from(length).unwrap_or(u64::MAX)).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_on_the_way_count_for_the_prompt_alone() {
        let whole =
            BilledUsage { prompt: 9, cache_write: 3, cache_write_long: 4, completion: 5, ..BilledUsage::default() };
        let mut tally = UsageMeter::new(Format::Messages, 1_000, 400);
        let look = |json: &'static str| MeteredEvent::read(Format::Messages, json.as_bytes()).expect("an event");
        tally.add(&look(
            r#"{"type":"message_start","message":{"usage":{"input_tokens":2,"cache_creation_input_tokens":7,
            "cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4},"output_tokens":1}}}"#,
        ));
        tally.add(&look(r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"twelve bytes"}}"#));
        assert_eq!(tally.reported(), None);
        assert_eq!(tally.counted(), BilledUsage { completion: 3, estimated: true, ..whole });
        tally.add(&look(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#));
        assert_eq!(tally.reported(), Some(whole));
    }

    /// A provider that says 0, or says nothing, of what it plainly had or sent is not believed.
    #[test]
    fn figures_that_leave_out_what_was_seen_are_counted_beside() {
        const TEXT: &str = r#"{"choices":[{"delta":{"content":"twelve bytes"}}]}"#;
        const START: &str = r#"{"type":"message_start","message":{"usage":{"input_tokens":-9}}}"#;
        const WORDS: &str = r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"twelve bytes"}}"#;
        const LAST: &str = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#;
        let all = BilledUsage { prompt: 100, completion: 3, estimated: true, ..BilledUsage::default() };
        for (format, chunks, expected) in [
            (Format::Chat, &[TEXT, r#"{"usage":{"prompt_tokens":0,"completion_tokens":0}}"#][..], all),
            (Format::Chat, &[TEXT, r#"{"usage":{"prompt_tokens":9}}"#], BilledUsage { prompt: 9, ..all }),
            (
                Format::Chat,
                &[TEXT, r#"{"usage":{"prompt_tokens":0,"completion_tokens":7}}"#],
                BilledUsage { completion: 7, ..all },
            ),
            (Format::Messages, &[START, WORDS, LAST], BilledUsage { completion: 5, ..all }),
            (Format::Messages, &[WORDS, LAST], BilledUsage { completion: 5, ..all }),
        ] {
            let mut tally = UsageMeter::new(format, 1_000, 400);
            for chunk in chunks {
                tally.add(&MeteredEvent::read(format, chunk.as_bytes()).expect("an event"));
            }
            assert_eq!((tally.reported(), tally.counted()), (None, expected), "{chunks:?}");
        }
    }

    #[test]
    fn no_prompt_is_counted_larger_than_the_context() {
        let tally = UsageMeter::new(Format::Chat, 1_000, 40_000_000);
        assert_eq!(tally.counted().prompt, 1_000);
    }

    #[test]
    fn texts_are_counted_by_size_and_pictures_are_not() {
        let text = br#"{"messages":[{"role":"user","content":"12345678"}],"system":"1234"}"#;
        assert_eq!(tokens_of_text(text), 3);
        let picture = br#"{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AAAAAAAAAAAA"}}]}]}"#;
        assert_eq!((tokens_of_text(picture), tokens_of_text(b"{}"), tokens_of_text(b"{-----")), (1, 1, 2));
        let address = br#"{"input":[{"image_url":"data:image/png;base64,AAAAAAAAAAAAAAAA"},{"text":"12345678"},{"text":"data: 8"}]}"#;
        assert_eq!(tokens_of_text(address), 4, "8 and 7 bytes");
    }
}
