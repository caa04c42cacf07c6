//! A provider's stream, read. It has no terminator of its own: an answer is complete when it has said why it ended.

use super::super::json::{Object, Value};
use super::super::{Block, Delta, Event, EventReader, Garbled, Kind, Opening, Stop};
use super::answer_in::{self, Parts};
use super::words;

/// Reads one stream of a provider.
#[derive(Debug)]
pub struct Reader {
    parts: Parts,
    started: bool,
    /// Blocks opened so far.
    opened: usize,
    /// The block that is open, and whether it is thought.
    open: Option<(usize, bool)>,
    /// The last reason for the end. Some send one with every chunk, and usage after it: it counts when the stream is over.
    reason: Option<String>,
    blocked: bool,
    failed: bool,
}

impl Reader {
    /// Of a stream of `upstream`.
    #[must_use]
    pub fn new(upstream: &str) -> Self {
        Self {
            parts: Parts::new(upstream),
            started: false,
            opened: 0,
            open: None,
            reason: None,
            blocked: false,
            failed: false,
        }
    }

    fn chunk(&mut self, mut chunk: Object<'_>, data: &[u8], out: &mut Vec<Event>) -> Result<(), Garbled> {
        if let Some(error) = answer_in::error(&mut chunk) {
            self.failed = true;
            out.push(Event::Error(error));
            return Ok(());
        }
        if !std::mem::replace(&mut self.started, true) {
            let id = chunk.text(&["responseId", "response_id"]).ok().flatten().unwrap_or_default();
            out.push(Event::Start { id });
        }
        let candidates = chunk.list(&["candidates"])?;
        let feedback = chunk.value(&["promptFeedback", "prompt_feedback"]);
        self.blocked |= candidates.is_empty() && feedback.as_ref().is_some_and(answer_in::blocked);
        for candidate in candidates {
            self.candidate(candidate.object()?, data, out)?;
        }
        out.extend(answer_in::usage(&mut chunk).map(Event::Usage));
        Ok(())
    }

    fn candidate(&mut self, mut candidate: Object<'_>, data: &[u8], out: &mut Vec<Event>) -> Result<(), Garbled> {
        // Only one answer is asked for.
        if candidate.whole(&["index"])?.unwrap_or(0) != 0 {
            return Ok(());
        }
        for part in answer_in::parts(&mut candidate)? {
            for block in self.parts.blocks(&part, data)? {
                self.block(block, out);
            }
        }
        let reason = candidate.text(&["finishReason", "finish_reason"])?;
        let reason = reason.filter(|reason| !reason.is_empty() && reason != "FINISH_REASON_UNSPECIFIED");
        self.reason = reason.or(self.reason.take());
        Ok(())
    }

    fn block(&mut self, block: Block, out: &mut Vec<Event>) {
        match block.kind {
            Kind::Text(text) => {
                let index = self.piece(false, out);
                out.push(Event::Delta { index, delta: Delta::Text(text) });
            }
            Kind::Thinking { text, signature, .. } => {
                let index = self.piece(true, out);
                if !text.is_empty() {
                    out.push(Event::Delta { index, delta: Delta::Text(text) });
                }
                if let Some(signature) = signature {
                    out.push(Event::Delta { index, delta: Delta::Signature(signature) });
                    self.close(out);
                }
            }
            Kind::Call { id, name, arguments, custom, signature } => {
                let index = self.next(Opening::Call { id, name, custom }, out);
                // First the signature: some clients are sent it with the call's id.
                out.extend(signature.map(|signature| Event::Delta { index, delta: Delta::Signature(signature) }));
                if !arguments.is_empty() {
                    out.push(Event::Delta { index, delta: Delta::Arguments(arguments) });
                }
                out.push(Event::Close { index });
            }
            kind @ (Kind::Refusal(_)
            | Kind::Image(_)
            | Kind::Document(_)
            | Kind::Audio(_)
            | Kind::Video(_)
            | Kind::CallResult { .. }
            | Kind::ClosedThinking(_)
            | Kind::Compaction { .. }
            | Kind::Other { .. }) => {
                let index = self.next(Opening::Whole(Box::new(Block { kind, ..block })), out);
                out.push(Event::Close { index });
            }
        }
    }

    /// The open block of that kind, or a new one.
    fn piece(&mut self, thought: bool, out: &mut Vec<Event>) -> usize {
        match self.open {
            Some((index, open)) if open == thought => index,
            _ => {
                let index = self.next(if thought { Opening::Thinking } else { Opening::Text }, out);
                self.open = Some((index, thought));
                index
            }
        }
    }

    fn next(&mut self, opening: Opening, out: &mut Vec<Event>) -> usize {
        self.close(out);
        let index = self.opened;
        self.opened += 1;
        out.push(Event::Open { index, opening });
        index
    }

    fn close(&mut self, out: &mut Vec<Event>) {
        out.extend(self.open.take().map(|(index, _)| Event::Close { index }));
    }
}

impl EventReader for Reader {
    fn read(&mut self, _name: Option<&str>, data: &[u8], out: &mut Vec<Event>) -> Result<(), Garbled> {
        let data = data.trim_ascii();
        // The word of another format; some who speak this one say it too.
        if self.failed || data.is_empty() || data == b"[DONE]" {
            return Ok(());
        }
        self.chunk(Value::document(data)?.object()?, data, out)
    }

    fn finished(&self) -> bool {
        self.reason.is_some() || self.blocked
    }

    fn finish(&mut self, out: &mut Vec<Event>) {
        self.close(out);
        if self.failed {
            return;
        }
        let stop = match self.reason.take() {
            Some(reason) => words::stop(&reason, self.parts.called()),
            None if self.blocked => Stop::Refused,
            // Broken off.
            None => return,
        };
        out.extend([Event::Stop(stop), Event::End]);
    }
}
