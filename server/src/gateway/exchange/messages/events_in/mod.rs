//! Streams of providers.

mod open;

use super::super::json::{Object, Value};
use super::super::{Event, EventReader, Garbled, Kind, Unreadable};
use super::block_in::{self, Side};
use super::stop;
use super::usage::Told;
use open::{Opened, Piece, opened};

/// Reads one stream.
#[derive(Debug)]
pub struct Reader {
    upstream: String,
    /// The blocks that are open, by the provider's index, and what they are in the inner language.
    open: Vec<(u64, Opened)>,
    /// The number of blocks that were opened in the inner language.
    count: usize,
    told: Told,
    called: bool,
    phase: Phase,
}

/// The progress of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    New,
    Started,
    Stopped,
    Ended,
}

impl Reader {
    /// Of a stream of the upstream of that name.
    #[must_use]
    pub fn new(upstream: &str) -> Self {
        let (told, phase) = (Told::default(), Phase::New);
        Self { upstream: upstream.to_owned(), open: Vec::new(), count: 0, told, called: false, phase }
    }

    fn start(&mut self, object: &mut Object<'_>, out: &mut Vec<Event>) -> Result<(), Unreadable> {
        let mut message = object.required(&["message"])?.object()?;
        self.started(message.text(&["id"])?.unwrap_or_default(), out);
        self.usage(&mut message, out);
        Ok(())
    }

    fn open_block(&mut self, object: &mut Object<'_>, out: &mut Vec<Event>) -> Result<(), Unreadable> {
        self.started(String::new(), out);
        let at = object.whole(&["index"])?.unwrap_or(self.count as u64);
        let block = block_in::read(&object.required(&["content_block"])?, Side::Upstream(&self.upstream))?;
        self.close_block(Some(at), out);
        self.called |= matches!(block.kind, Kind::Call { .. });
        if let Some(opened) = opened(block, &mut self.count, out) {
            self.open.push((at, opened));
        }
        Ok(())
    }

    fn delta(&mut self, object: &mut Object<'_>, out: &mut Vec<Event>) -> Result<(), Unreadable> {
        self.started(String::new(), out);
        let at = object.whole(&["index"])?;
        let Some(piece) = Piece::read(object.required(&["delta"])?.object()?)? else { return Ok(()) };
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
    fn close_block(&mut self, at: Option<u64>, out: &mut Vec<Event>) {
        let (now, open): (Vec<_>, _) =
            std::mem::take(&mut self.open).into_iter().partition(|(open, _)| at.is_none_or(|at| at == *open));
        self.open = open;
        for (_, opened) in now {
            opened.close(&self.upstream, &mut self.count, out);
        }
    }

    fn message_delta(&mut self, object: &mut Object<'_>, out: &mut Vec<Event>) -> Result<(), Unreadable> {
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

    fn stop(&mut self, word: Option<&str>, sequence: Option<String>, out: &mut Vec<Event>) {
        self.close_block(None, out);
        if self.phase < Phase::Stopped {
            self.phase = Phase::Stopped;
            out.push(Event::Stop(stop::read(word, sequence, self.called)));
        }
    }

    fn end(&mut self, out: &mut Vec<Event>) {
        self.started(String::new(), out);
        self.stop(None, None, out);
        out.push(Event::End);
        self.phase = Phase::Ended;
    }

    fn error(&mut self, object: &mut Object<'_>, out: &mut Vec<Event>) {
        let told = object.object(&["error"]).ok().flatten();
        let words = told.and_then(|mut error| {
            let message = error.text(&["message"]).ok().flatten();
            message.or_else(|| error.text(&["type"]).ok().flatten())
        });
        out.push(Event::Error(words.unwrap_or_else(|| "an error without a message".to_owned())));
        self.phase = Phase::Ended;
    }

    fn usage(&mut self, object: &mut Object<'_>, out: &mut Vec<Event>) {
        let Some(usage) = object.value(&["usage"]) else { return };
        self.told.take(&usage);
        out.extend(self.told.usage().map(Event::Usage));
    }

    /// Says once that the answer has begun; some providers forget to.
    fn started(&mut self, id: String, out: &mut Vec<Event>) {
        if self.phase == Phase::New {
            self.phase = Phase::Started;
            out.push(Event::Start { id });
        }
    }
}

impl EventReader for Reader {
    fn read(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<Event>) -> Result<(), Garbled> {
        let data = data.trim_ascii();
        // The terminator of another format comes from providers that speak both.
        if self.phase == Phase::Ended || data.is_empty() || data == b"[DONE]" {
            return Ok(());
        }
        let mut object = Value::document(data)?.object()?;
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
            Some("ping") => out.push(Event::Ping),
            Some("error") => self.error(&mut object, out),
            Some(_) | None if object.has("error") => self.error(&mut object, out),
            Some(_) | None => {}
        }
        Ok(())
    }

    /// Nothing waits here, and without the terminator no answer is complete.
    fn finish(&mut self, _out: &mut Vec<Event>) {}
}
