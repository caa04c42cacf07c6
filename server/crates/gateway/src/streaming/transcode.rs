//! One stream on its way from a provider of one format to a client of another: read into the inner language, metered
//! there, and written again.
//!
//! As in [`passthrough`](super::passthrough) the end is held back: what tells the client that the answer is complete is
//! written when the charge is recorded.

use bytes::{Bytes, BytesMut};

use crate::metering::UsageMeter;
use tollgate_formats::wire::sse::{self, SseDecoder};
use tollgate_formats::{BlockDelta, BlockKind, BlockOpening, StreamDecoder, StreamEncoder, StreamEvent};

use super::chunk::{StreamChunk, StreamState};
use super::closed_thinking::{ClientResponse, HiddenThinking};
use super::stream_room::StreamRoom;

/// The bytes that a block of an answer takes beside what is in it.
const BLOCK_BYTES: usize = 1_024;

/// The state of one converted stream.
#[derive(Debug)]
pub struct StreamTranscoder {
    events: SseDecoder,
    reader: Box<dyn StreamDecoder>,
    writer: Box<dyn StreamEncoder>,
    /// The memory that it keeps.
    pub room: StreamRoom,
    begun: bool,
    content: bool,
    /// The size of what reader and writer may have kept of the answer, in bytes.
    gathered: usize,
    /// A buffer that is used again for each event.
    steps: Vec<StreamEvent>,
    /// Closed thinking that the client is not shown, where it is not, in format R.
    hidden: Option<HiddenThinking>,
    /// The usage of the answer so far.
    pub tally: UsageMeter,
}

impl StreamTranscoder {
    /// Starts a stream.
    #[must_use]
    pub fn new(
        reader: Box<dyn StreamDecoder>,
        writer: Box<dyn StreamEncoder>,
        tally: UsageMeter,
        room: StreamRoom,
    ) -> Self {
        let (events, begun, content, steps) = (SseDecoder::default(), false, false, Vec::new());
        Self { events, reader, writer, room, begun, content, gathered: 0, steps, hidden: None, tally }
    }

    /// Hides closed thinking where the client did not ask for it.
    #[must_use]
    pub fn hiding_closed_thinking(mut self, hides: bool) -> Self {
        self.hidden = hides.then(HiddenThinking::default);
        self
    }

    /// True if a step has come that belongs to an answer: no comment, no error, and not the mere end.
    #[must_use]
    pub fn begun(&self) -> bool {
        self.begun
    }

    /// True if something of the answer has come, or its end: a text, thinking, a call, an item that stands for itself.
    #[must_use]
    pub fn has_content(&self) -> bool {
        self.content
    }

    /// Takes a read from the provider.
    pub fn take(&mut self, read: &[u8]) -> StreamChunk {
        let chunk = self.passed(read);
        self.room.passed(chunk, self.events.waiting().saturating_add(self.gathered))
    }

    fn passed(&mut self, read: &[u8]) -> StreamChunk {
        self.events.push(read);
        let mut forward = BytesMut::new();
        while let Some(event) = self.events.next_event() {
            let Some(data) = sse::data(&event) else { continue };
            if let Err(error) = self.reader.read(sse::name(&event), &data, &mut self.steps) {
                tracing::warn!(error = &error as &dyn std::error::Error, "an event of a provider is not of its format");
                return StreamChunk { forward: forward.freeze(), then: StreamState::Broken };
            }
            self.tally.add_beyond(&data);
            self.gathered = self.gathered.saturating_add(self.kept_of(data.len()));
            if !self.room.fits(self.gathered) {
                // Its provider charges for it all the same.
                for step in std::mem::take(&mut self.steps) {
                    self.note(&step);
                }
                return StreamChunk { forward: forward.freeze(), then: StreamState::TooLarge };
            }
            if let Some(then) = self.pass(&mut forward) {
                return StreamChunk { forward: forward.freeze(), then };
            }
            if self.reader.finished() {
                self.tally.finish();
                self.content = true;
            }
        }
        StreamChunk { forward: forward.freeze(), then: StreamState::Goes }
    }

    /// Takes what is left of a stream that the provider has closed.
    pub fn end(&mut self) -> StreamChunk {
        let mut forward = BytesMut::new();
        let rest = self.events.rest();
        if let Some(data) = sse::data(&rest) {
            // Nobody can read half an event.
            if self.reader.read(sse::name(&rest), &data, &mut self.steps).is_err() {
                return StreamChunk { forward: Bytes::new(), then: StreamState::Broken };
            }
            self.tally.add_beyond(&data);
        }
        self.reader.finish(&mut self.steps);
        if self.tally.finished() {
            // A provider that said that it was finished has only forgotten to say that the stream is. What the client waits
            // for behind its own words is ours to write.
            self.steps.push(StreamEvent::End);
        }
        let then = self.pass(&mut forward).unwrap_or(StreamState::Goes);
        StreamChunk { forward: forward.freeze(), then }
    }

    /// The whole answer as the client was told it, once it has ended.
    #[must_use]
    pub fn response(&self) -> Option<ClientResponse> {
        let body = Bytes::from(self.writer.response()?);
        let mut hidden = HiddenThinking::default();
        let body = if self.hidden.is_some() { hidden.hide_in_response(body) } else { body };
        Some(ClientResponse { body, hidden })
    }

    /// The event that tells the client that the stream broke.
    pub fn error_event(&mut self, code: &str, message: &str, body: &[u8]) -> Bytes {
        let mut out = BytesMut::new();
        self.writer.fail(code, message, body, &mut out);
        out.freeze()
    }

    /// The most bytes that reader and writer keep of an event of that size, whose steps are read.
    fn kept_of(&self, event: usize) -> usize {
        let kept = self.steps.iter().map(kept_of_step).fold(0, usize::saturating_add);
        // Whole blocks of one event share its size.
        match self.steps.iter().any(holds_event) {
            true => kept.saturating_add(event),
            false if kept == 0 && self.reader.keeps_pieces() => event,
            false => kept,
        }
    }

    /// Takes note of what a step tells.
    fn note(&mut self, step: &StreamEvent) {
        self.begun |= !matches!(step, StreamEvent::Ping);
        self.content |= is_content(step);
        meter(step, &mut self.tally);
    }

    /// Writes a step as the client is shown it.
    fn write(&mut self, step: StreamEvent, forward: &mut BytesMut) {
        let Some(hidden) = &mut self.hidden else { return self.writer.write(step, forward) };
        let mut events = BytesMut::new();
        self.writer.write(step, &mut events);
        forward.extend_from_slice(&hidden.hide_in_events(events.freeze()));
    }

    /// Writes the steps that were read, up to an end.
    fn pass(&mut self, forward: &mut BytesMut) -> Option<StreamState> {
        for step in std::mem::take(&mut self.steps) {
            match step {
                StreamEvent::End => {
                    let mut last = BytesMut::new();
                    if let Some(counted) = self.tally.counted_for_client() {
                        self.write(StreamEvent::Usage(counted), &mut last);
                    }
                    self.write(StreamEvent::End, &mut last);
                    return Some(StreamState::Ends(last.freeze()));
                }
                // A provider's words may repeat what the client wrote, so a log does not hold them.
                StreamEvent::Error(_) => {
                    tracing::warn!("a provider reported an error within its stream");
                    return Some(StreamState::Failed(Bytes::new()));
                }
                step => {
                    self.note(&step);
                    // No client is told figures that cannot be.
                    if !matches!(&step, StreamEvent::Usage(usage) if usage.impossible) {
                        self.write(step, forward);
                    }
                }
            }
        }
        None
    }
}

/// True if what a step holds is only known to be no larger than its event.
fn holds_event(step: &StreamEvent) -> bool {
    matches!(
        step,
        StreamEvent::Open { opening: BlockOpening::Whole(_), .. }
            | StreamEvent::Delta { delta: BlockDelta::Signature(_), .. }
    )
}

/// The most bytes that are kept of a step, beside those of its event where it [holds](holds_event) it.
fn kept_of_step(step: &StreamEvent) -> usize {
    match step {
        StreamEvent::Open { .. } => BLOCK_BYTES,
        StreamEvent::Delta { delta: BlockDelta::Text(text) | BlockDelta::Arguments(text), .. } => text.len(),
        StreamEvent::Start { .. }
        | StreamEvent::Delta { delta: BlockDelta::Signature(_), .. }
        | StreamEvent::Close { .. }
        | StreamEvent::Usage(_)
        | StreamEvent::Stop(_)
        | StreamEvent::End
        | StreamEvent::Error(_)
        | StreamEvent::Ping => 0,
    }
}

fn is_content(step: &StreamEvent) -> bool {
    match step {
        StreamEvent::Open { opening: BlockOpening::Call { .. } | BlockOpening::Whole(_), .. }
        | StreamEvent::Stop(_) => true,
        StreamEvent::Delta { delta: BlockDelta::Text(text) | BlockDelta::Arguments(text), .. } => !text.is_empty(),
        StreamEvent::Delta { delta: BlockDelta::Signature(_), .. } => true,
        StreamEvent::Start { .. }
        | StreamEvent::Open { .. }
        | StreamEvent::Close { .. }
        | StreamEvent::Usage(_)
        | StreamEvent::End
        | StreamEvent::Error(_)
        | StreamEvent::Ping => false,
    }
}

fn meter(step: &StreamEvent, tally: &mut UsageMeter) {
    match step {
        StreamEvent::Open { opening: BlockOpening::Call { name, .. }, .. } => tally.add_delivered(name.len()),
        StreamEvent::Open { opening: BlockOpening::Whole(block), .. } => match &block.kind {
            BlockKind::Text(text) | BlockKind::Refusal(text) | BlockKind::Thinking { text, .. } => {
                tally.add_delivered(text.len());
            }
            // What it weighs is for the provider to say; that there is one counts.
            _ => tally.add_delivered(1),
        },
        StreamEvent::Delta { delta: BlockDelta::Text(text) | BlockDelta::Arguments(text), .. } => {
            tally.add_delivered(text.len());
        }
        StreamEvent::Usage(usage) => tally.put_usage(*usage),
        StreamEvent::Stop(_) => tally.finish(),
        StreamEvent::Start { .. }
        | StreamEvent::Open { .. }
        | StreamEvent::Delta { delta: BlockDelta::Signature(_), .. }
        | StreamEvent::Close { .. }
        | StreamEvent::End
        | StreamEvent::Error(_)
        | StreamEvent::Ping => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_formats::testing::{UPSTREAM, echo};
    use tollgate_formats::{Format, stream_decoder, stream_encoder};

    fn transcoder(from: Format, bytes_max: usize) -> StreamTranscoder {
        let (reader, writer) = (stream_decoder(from, UPSTREAM), stream_encoder(Format::Responses, echo(), false));
        StreamTranscoder::new(reader, writer, UsageMeter::new(from, 100, 0), StreamRoom::uncounted(bytes_max))
    }

    /// The number of events that pass before the stream is too large.
    fn passed(from: Format, bytes_max: usize, event: &str) -> usize {
        let mut transcoder = transcoder(from, bytes_max);
        let event = format!("data: {event}\n\n");
        let goes = |_: &usize| match transcoder.take(event.as_bytes()).then {
            StreamState::Goes => true,
            StreamState::TooLarge => false,
            then => panic!("{then:?}"),
        };
        (0..1_000).take_while(goes).count()
    }

    #[test]
    fn what_is_too_large_is_counted_all_the_same() {
        let mut transcoder = transcoder(Format::Chat, 10);
        let event =
            r#"{"choices":[{"delta":{"content":"0123456789"}}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#;
        assert_eq!(transcoder.take(format!("data: {event}\n\n").as_bytes()).then, StreamState::TooLarge);
        assert!(transcoder.has_content());
        let usage = transcoder.tally.reported().expect("figures");
        assert_eq!((usage.prompt, usage.completion), (7, 3));
    }

    #[test]
    fn an_answer_that_goes_on_for_ever_ends_where_a_whole_one_would() {
        let text = r#"{"choices":[{"delta":{"content":"0123456789"}}]}"#;
        assert_eq!(passed(Format::Chat, BLOCK_BYTES + 100, text), 10);
        // Arguments wait for the name of their call, and nobody is told of them.
        let nameless = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"0123456789"}}]}}]}"#;
        assert_eq!(passed(Format::Chat, nameless.len() * 3, nameless), 3);
        // Pictures of one event have its size together.
        let pictures = r#"{"inlineData":{"mimeType":"image/png","data":"AAAAAAAAAAAA"}}"#;
        let parts = [pictures; 10].join(",");
        let pictures = format!(r#"{{"candidates":[{{"content":{{"parts":[{parts}]}}}}]}}"#);
        assert_eq!(passed(Format::Generate, (pictures.len() + 10 * BLOCK_BYTES) * 2, &pictures), 2);
        // What is only told again is not kept.
        let again = r#"{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"0123456789"}"#;
        assert_eq!(passed(Format::Responses, again.len() * 3, again), 1_000);
    }
}
