//! A stream of an upstream, read leniently: roles, indexes, terminators and usage may be missing or misplaced.

mod blocks;
mod calls;

use super::super::json::{Object, Value};
use super::super::{Event, EventReader, Garbled, Stop, Usage};
use super::origin::Origin;
use super::{answer, stop, thinking, usage};
use blocks::{Blocks, Flow};

/// Reads one stream.
///
/// The end is told when the terminator comes, or the connection ends after a finish reason: what comes between the two,
/// usage above all, is still read.
#[derive(Debug)]
pub struct Reader {
    upstream: String,
    started: bool,
    blocks: Blocks,
    /// The finish reason, once there was one.
    finish: Option<String>,
    /// Nothing counts any more: the end was told, or an error.
    over: bool,
}

impl Reader {
    /// For a stream of `upstream`, the maker of its signatures.
    #[must_use]
    pub fn new(upstream: &str) -> Self {
        let blocks = Blocks::default();
        Self { upstream: upstream.to_owned(), started: false, blocks, finish: None, over: false }
    }

    fn chunk(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<Event>) -> Result<(), Garbled> {
        let mut chunk = Value::document(data)?.object()?;
        if let Some(error) = error(name, &mut chunk) {
            self.over = true;
            out.push(Event::Error(error));
            return Ok(());
        }
        if !self.started {
            self.started = true;
            let id = chunk.text(&["id"]).ok().flatten().unwrap_or_default();
            self.blocks.calls.answer.clone_from(&id);
            out.push(Event::Start { id });
        }
        for value in chunk.list(&["choices"])? {
            self.choice(value.object()?, out)?;
        }
        out.extend(reported(&mut chunk).map(Event::Usage));
        Ok(())
    }

    /// The first choice counts: requests for more are not converted.
    fn choice(&mut self, mut choice: Object<'_>, out: &mut Vec<Event>) -> Result<(), Garbled> {
        if choice.whole(&["index"]).ok().flatten().unwrap_or(0) != 0 {
            return Ok(());
        }
        if let Some(delta) = choice.object(&["delta"])? {
            self.delta(delta, out)?;
        }
        // An empty word is some servers' null.
        let word = choice.text(&["finish_reason"]).ok().flatten().filter(|word| !word.is_empty());
        self.finish = word.or_else(|| self.finish.take());
        Ok(())
    }

    fn delta(&mut self, mut delta: Object<'_>, out: &mut Vec<Event>) -> Result<(), Garbled> {
        let origin = Origin::Upstream(&self.upstream);
        for thought in thinking::read_delta(&mut delta, origin) {
            self.blocks.thought(thought, origin, out);
        }
        if let Some(content) = delta.value(&["content"]) {
            for block in answer::content(&content, origin)? {
                self.blocks.said(block, origin, out);
            }
        }
        if let Some(refusal) = delta.text(&["refusal"])? {
            self.blocks.words(Flow::Refusal, refusal, origin, out);
        }
        for image in answer::images(&mut delta) {
            self.blocks.whole(image, out);
        }
        let calls = delta.list(&["tool_calls"])?;
        for (position, call) in calls.iter().enumerate() {
            self.blocks.end_flow(origin, out);
            self.blocks.calls.fragment(call, position, origin, &mut self.blocks.opened, out)?;
        }
        if let Some(call) = delta.object(&["function_call"])? {
            self.blocks.end_flow(origin, out);
            self.blocks.calls.older(call, origin, &mut self.blocks.opened, out)?;
        }
        Ok(())
    }

    /// Everything is told: closes what is open, and says why the answer ended.
    fn end(&mut self, out: &mut Vec<Event>) {
        self.over = true;
        let broken = self.blocks.end(Origin::Upstream(&self.upstream), out);
        let has_calls = self.blocks.calls.any();
        let stop = stop::read(self.finish.as_deref(), has_calls, self.blocks.refused);
        let stop = if broken && !has_calls { Stop::BrokenCall } else { stop };
        out.extend([Event::Stop(stop), Event::End]);
    }
}

impl EventReader for Reader {
    fn read(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<Event>) -> Result<(), Garbled> {
        let data = data.trim_ascii();
        if self.over || data.is_empty() {
            return Ok(());
        }
        if data != b"[DONE]" {
            return self.chunk(name, data, out);
        }
        // A terminator after nothing at all ends no answer.
        if self.started {
            self.end(out);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<Event>) {
        if !self.over && self.finish.is_some() {
            self.end(out);
        }
    }
}

/// An error in the place of a chunk: in its own member, or the whole of it.
fn error(name: Option<&str>, chunk: &mut Object<'_>) -> Option<String> {
    if let Some(error) = answer::error(chunk) {
        return Some(error);
    }
    let is_one =
        name == Some("error") || chunk.text(&["object"]).ok().flatten().is_some_and(|object| object == "error");
    is_one.then(|| chunk.text(&["message"]).ok().flatten().unwrap_or_else(|| "unknown".to_owned()))
}

fn reported(chunk: &mut Object<'_>) -> Option<Usage> {
    usage::read(&chunk.value(&["usage"])?)
}
