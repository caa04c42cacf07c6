//! Streams of providers.

mod open;

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, MalformedRequest, MalformedResponse, StreamDecoder, StreamEvent};
use super::decode_block::{self, BlockOrigin};
use super::stop;
use super::usage::MessagesUsage;
use open::{BlockPiece, OpenStreamBlock, opened};

/// Reads one stream.
#[derive(Debug)]
pub struct MessagesStreamDecoder {
    upstream: String,
    /// The blocks that are open, by the provider's index, and what they are in the inner language.
    open: Vec<(u64, OpenStreamBlock)>,
    /// The number of blocks that were opened in the inner language.
    count: usize,
    told: MessagesUsage,
    called: bool,
    phase: StreamPhase,
}

/// The progress of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StreamPhase {
    New,
    Started,
    Stopped,
    Ended,
}

impl MessagesStreamDecoder {
    /// Of a stream of the upstream of that name.
    #[must_use]
    pub fn new(upstream: &str) -> Self {
        let (told, phase) = (MessagesUsage::default(), StreamPhase::New);
        Self { upstream: upstream.to_owned(), open: Vec::new(), count: 0, told, called: false, phase }
    }

    fn start(&mut self, object: &mut JsonObject<'_>, out: &mut Vec<StreamEvent>) -> Result<(), MalformedRequest> {
        let mut message = object.required(&["message"])?.object()?;
        self.started(message.text(&["id"])?.unwrap_or_default(), out);
        self.usage(&mut message, out);
        Ok(())
    }

    fn open_block(&mut self, object: &mut JsonObject<'_>, out: &mut Vec<StreamEvent>) -> Result<(), MalformedRequest> {
        self.started(String::new(), out);
        let at = object.whole(&["index"])?.unwrap_or(self.count as u64);
        let block = decode_block::read(&object.required(&["content_block"])?, BlockOrigin::Upstream(&self.upstream))?;
        self.close_block(Some(at), out);
        self.called |= matches!(block.kind, BlockKind::Call { .. });
        if let Some(opened) = opened(block, &mut self.count, out) {
            self.open.push((at, opened));
        }
        Ok(())
    }

    fn delta(&mut self, object: &mut JsonObject<'_>, out: &mut Vec<StreamEvent>) -> Result<(), MalformedRequest> {
        self.started(String::new(), out);
        let at = object.whole(&["index"])?;
        let Some(piece) = BlockPiece::read(object.required(&["delta"])?.object()?)? else { return Ok(()) };
        let found = self.open.iter().rposition(|(open, _)| at.is_none_or(|at| at == *open));
        let found = match (found, piece.opening()) {
            (Some(found), _) => found,
            // Some providers forget to open.
            (None, Some(block)) => {
                let opened = opened(block, &mut self.count, out).expect("text and thinking come in pieces");
                self.open.push((at.unwrap_or_default(), opened));
                self.open.len() - 1
            }
            (None, None) => return Err(object.missing("index")),
        };
        self.open[found].1.add(piece, out);
        Ok(())
    }

    /// Closes the block that the provider calls `at`; all of them where that is `None`.
    fn close_block(&mut self, at: Option<u64>, out: &mut Vec<StreamEvent>) {
        let (now, open): (Vec<_>, _) =
            std::mem::take(&mut self.open).into_iter().partition(|(open, _)| at.is_none_or(|at| at == *open));
        self.open = open;
        for (_, opened) in now {
            opened.close(&self.upstream, &mut self.count, out);
        }
    }

    fn message_delta(
        &mut self,
        object: &mut JsonObject<'_>,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        self.started(String::new(), out);
        self.usage(object, out);
        let Some(mut delta) = object.object(&["delta"])? else { return Ok(()) };
        let word = delta.text(&["stop_reason"])?;
        let sequence = delta.text(&["stop_sequence"])?;
        if word.is_some() {
            self.stop(word.as_deref(), sequence, out);
        }
        Ok(())
    }

    fn stop(&mut self, word: Option<&str>, sequence: Option<String>, out: &mut Vec<StreamEvent>) {
        self.close_block(None, out);
        if self.phase < StreamPhase::Stopped {
            self.phase = StreamPhase::Stopped;
            out.push(StreamEvent::Stop(stop::read(word, sequence, self.called)));
        }
    }

    fn end(&mut self, out: &mut Vec<StreamEvent>) {
        self.started(String::new(), out);
        self.stop(None, None, out);
        out.push(StreamEvent::End);
        self.phase = StreamPhase::Ended;
    }

    fn error(&mut self, object: &mut JsonObject<'_>, out: &mut Vec<StreamEvent>) {
        let told = object.object(&["error"]).ok().flatten();
        let words = told.and_then(|mut error| {
            let message = error.text(&["message"]).ok().flatten();
            message.or_else(|| error.text(&["type"]).ok().flatten())
        });
        out.push(StreamEvent::Error(words.unwrap_or_else(|| "an error without a message".to_owned())));
        self.phase = StreamPhase::Ended;
    }

    fn usage(&mut self, object: &mut JsonObject<'_>, out: &mut Vec<StreamEvent>) {
        let Some(usage) = object.value(&["usage"]) else { return };
        self.told.take(&usage);
        out.extend(self.told.usage().map(StreamEvent::Usage));
    }

    /// Says once that the answer has begun; some providers forget to.
    fn started(&mut self, id: String, out: &mut Vec<StreamEvent>) {
        if self.phase == StreamPhase::New {
            self.phase = StreamPhase::Started;
            out.push(StreamEvent::Start { id });
        }
    }
}

impl StreamDecoder for MessagesStreamDecoder {
    fn read(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse> {
        let data = data.trim_ascii();
        // The terminator of another format comes from providers that speak both.
        if self.phase == StreamPhase::Ended || data.is_empty() || data == b"[DONE]" {
            return Ok(());
        }
        let mut object = JsonValue::document(data)?.object()?;
        let word = object.text(&["type"])?;
        match word.as_deref().or(name) {
            Some("message_start") => self.start(&mut object, out)?,
            Some("content_block_start") => self.open_block(&mut object, out)?,
            Some("content_block_delta") => self.delta(&mut object, out)?,
            Some("content_block_stop") => {
                let last = self.open.last().map(|(open, _)| *open);
                let at = object.whole(&["index"])?.or(last);
                if at.is_some() {
                    self.close_block(at, out);
                }
            }
            Some("message_delta") => self.message_delta(&mut object, out)?,
            Some("message_stop") => self.end(out),
            Some("ping") => out.push(StreamEvent::Ping),
            Some("error") => self.error(&mut object, out),
            Some(_) | None if object.has("error") => self.error(&mut object, out),
            Some(_) | None => {}
        }
        Ok(())
    }

    fn keeps_pieces(&self) -> bool {
        true
    }

    /// Nothing waits here, and without the terminator no answer is complete.
    fn finish(&mut self, _out: &mut Vec<StreamEvent>) {}
}
