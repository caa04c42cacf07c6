//! A stream of an upstream, read leniently: roles, indexes, terminators and usage may be missing or misplaced.

mod blocks;
mod calls;

use super::super::json::{JsonObject, JsonValue};
use super::super::{MalformedResponse, StopReason, StreamDecoder, StreamEvent, TokenUsage};
use super::origin::MessageOrigin;
use super::{answer, stop, thinking, usage};
use blocks::{ChatStreamBlocks, StreamedTextKind};

/// Reads one stream.
///
/// The end is told when the terminator comes, or the connection ends after a finish reason: what comes between the two,
/// usage above all, is still read.
#[derive(Debug)]
pub struct ChatStreamDecoder {
    upstream: String,
    started: bool,
    blocks: ChatStreamBlocks,
    /// The finish reason, once there was one.
    finish: Option<String>,
    /// Nothing counts any more: the end was told, or an error.
    over: bool,
}

impl ChatStreamDecoder {
    /// For a stream of `upstream`, the maker of its signatures.
    #[must_use]
    pub fn new(upstream: &str) -> Self {
        let blocks = ChatStreamBlocks::default();
        Self { upstream: upstream.to_owned(), started: false, blocks, finish: None, over: false }
    }

    fn chunk(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse> {
        let mut chunk = JsonValue::document(data)?.object()?;
        if let Some(error) = error(name, &mut chunk) {
            self.over = true;
            out.push(StreamEvent::Error(error));
            return Ok(());
        }
        if !self.started {
            self.started = true;
            let id = chunk.text(&["id"]).ok().flatten().unwrap_or_default();
            self.blocks.calls.answer.clone_from(&id);
            out.push(StreamEvent::Start { id });
        }
        for value in chunk.list(&["choices"])? {
            self.choice(value.object()?, out)?;
        }
        out.extend(reported(&mut chunk).map(StreamEvent::Usage));
        Ok(())
    }

    /// The first choice counts: requests for more are not converted.
    fn choice(&mut self, mut choice: JsonObject<'_>, out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse> {
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

    fn delta(&mut self, mut delta: JsonObject<'_>, out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse> {
        let origin = MessageOrigin::Upstream(&self.upstream);
        for thought in thinking::read_delta(&mut delta, origin) {
            self.blocks.thought(thought, origin, out);
        }
        if let Some(content) = delta.value(&["content"]) {
            for block in answer::content(&content, origin)? {
                self.blocks.said(block, origin, out);
            }
        }
        if let Some(refusal) = delta.text(&["refusal"])? {
            self.blocks.words(StreamedTextKind::Refusal, refusal, origin, out);
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
    fn end(&mut self, out: &mut Vec<StreamEvent>) {
        self.over = true;
        let broken = self.blocks.end(MessageOrigin::Upstream(&self.upstream), out);
        let has_calls = self.blocks.calls.any();
        let stop = stop::read(self.finish.as_deref(), has_calls, self.blocks.refused);
        let stop = if broken && !has_calls { StopReason::BrokenCall } else { stop };
        out.extend([StreamEvent::Stop(stop), StreamEvent::End]);
    }
}

impl StreamDecoder for ChatStreamDecoder {
    fn read(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse> {
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

    fn keeps_pieces(&self) -> bool {
        true
    }

    fn finish(&mut self, out: &mut Vec<StreamEvent>) {
        if !self.over && self.finish.is_some() {
            self.end(out);
        }
    }
}

/// An error in the place of a chunk: in its own member, or the whole of it.
fn error(name: Option<&str>, chunk: &mut JsonObject<'_>) -> Option<String> {
    if let Some(error) = answer::error(chunk) {
        return Some(error);
    }
    let is_one =
        name == Some("error") || chunk.text(&["object"]).ok().flatten().is_some_and(|object| object == "error");
    is_one.then(|| chunk.text(&["message"]).ok().flatten().unwrap_or_else(|| "unknown".to_owned()))
}

fn reported(chunk: &mut JsonObject<'_>) -> Option<TokenUsage> {
    usage::read(&chunk.value(&["usage"])?)
}
