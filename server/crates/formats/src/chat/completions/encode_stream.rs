//! A streamed answer, written for a client: pieces of text, the end, the usage.

use bytes::BytesMut;

use super::super::encode_stream::{done, error, event};
use super::super::{stop, usage};
use super::OBJECT;
use crate::json::ObjectWriter;
use crate::{BlockDelta, BlockKind, BlockOpening, ResponseContext, StopReason, StreamEncoder, StreamEvent, TokenUsage};

/// Writes one stream.
#[derive(Debug)]
pub struct CompletionsStreamEncoder {
    echo: ResponseContext,
    /// Blocks whose texts are no part of the continuation: thoughts and calls.
    silent: Vec<usize>,
    refused: bool,
    stop: StopReason,
    usage: Option<TokenUsage>,
}

impl CompletionsStreamEncoder {
    /// For one answer.
    #[must_use]
    pub fn new(echo: ResponseContext) -> Self {
        Self { echo, silent: Vec::new(), refused: false, stop: StopReason::Natural, usage: None }
    }

    fn open(&mut self, index: usize, opening: BlockOpening, out: &mut BytesMut) {
        match opening {
            BlockOpening::Text => {}
            BlockOpening::Refusal => self.refused = true,
            BlockOpening::Thinking | BlockOpening::Call { .. } => self.silent.push(index),
            BlockOpening::Whole(block) => {
                if let BlockKind::Text(text) | BlockKind::Refusal(text) = block.kind {
                    self.text(&text, out);
                }
            }
        }
    }

    fn text(&self, text: &str, out: &mut BytesMut) {
        if !text.is_empty() {
            self.choice(text, None, out);
        }
    }

    fn end(&self, out: &mut BytesMut) {
        self.choice("", Some(stop::word(&self.stop, self.refused)), out);
        if let Some(used) = self.usage.filter(|_| self.echo.include_usage) {
            self.frame(out, |chunk| {
                chunk.array("choices").end();
                usage::write(&used, chunk);
            });
        }
        done(out);
    }

    /// The text is never null: clients join it.
    fn choice(&self, text: &str, finish: Option<&str>, out: &mut BytesMut) {
        self.frame(out, |chunk| {
            let mut choices = chunk.array("choices");
            let mut choice = choices.object();
            choice.member("text", text).member("index", &0);
            choice.member("logprobs", &None::<&str>).member("finish_reason", &finish);
            choice.end();
            choices.end();
            if self.echo.include_usage {
                chunk.member("usage", &None::<&str>);
            }
        });
    }

    fn frame(&self, out: &mut BytesMut, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut json = Vec::with_capacity(192);
        let mut chunk = ObjectWriter::new(&mut json);
        chunk.member("id", &format!("cmpl-{}", self.echo.id)).member("object", OBJECT);
        chunk.member("created", &self.echo.created).member("model", &self.echo.model);
        write(&mut chunk);
        chunk.end();
        event(&json, out);
    }
}

impl StreamEncoder for CompletionsStreamEncoder {
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut) {
        match event {
            StreamEvent::Open { index, opening } => self.open(index, opening, out),
            StreamEvent::Delta { index, delta: BlockDelta::Text(text) } if !self.silent.contains(&index) => {
                self.text(&text, out);
            }
            StreamEvent::Usage(usage) => self.usage = Some(usage),
            StreamEvent::Stop(stop) => self.stop = stop,
            StreamEvent::End => self.end(out),
            StreamEvent::Start { .. }
            | StreamEvent::Delta { .. }
            | StreamEvent::Close { .. }
            | StreamEvent::Error(_) => {}
            // A comment: the SDKs of this format pass it over.
            StreamEvent::Ping => out.extend_from_slice(b": ping\n\n"),
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        error(body, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(include_usage: bool, events: Vec<StreamEvent>) -> String {
        let echo = ResponseContext {
            id: "1".into(),
            model: "m".into(),
            created: 7,
            include_usage,
            request: "{}".into(),
            functions: Default::default(),
            stop: Default::default(),
            thinks: false,
            counted: None,
        };
        let (mut writer, mut out) = (CompletionsStreamEncoder::new(echo), BytesMut::new());
        for event in events {
            writer.write(event, &mut out);
        }
        String::from_utf8(out.to_vec()).expect("text")
    }

    fn events() -> Vec<StreamEvent> {
        let text = |index, text: &str| StreamEvent::Delta { index, delta: BlockDelta::Text(text.to_owned()) };
        vec![
            StreamEvent::Start { id: "x".into() },
            StreamEvent::Open { index: 0, opening: BlockOpening::Thinking },
            text(0, "hm"),
            StreamEvent::Close { index: 0 },
            StreamEvent::Open { index: 1, opening: BlockOpening::Text },
            text(1, "a"),
            StreamEvent::Close { index: 1 },
            StreamEvent::Usage(TokenUsage { input: 3, output: 2, ..TokenUsage::default() }),
            StreamEvent::Stop(StopReason::Natural),
            StreamEvent::End,
        ]
    }

    #[test]
    fn a_stream_is_the_text_its_end_and_the_usage_where_it_was_asked_for() {
        let head = r#"data: {"id":"cmpl-1","object":"text_completion","created":7,"model":"m","choices":["#;
        let plain = written(false, events());
        assert_eq!(
            plain,
            format!(
                "{head}{}]}}\n\n{head}{}]}}\n\ndata: [DONE]\n\n",
                r#"{"text":"a","index":0,"logprobs":null,"finish_reason":null}"#,
                r#"{"text":"","index":0,"logprobs":null,"finish_reason":"stop"}"#,
            )
        );
        let told = written(true, events());
        assert_eq!(told.matches("\"usage\":null").count(), 2);
        assert!(told.contains(&format!("{head}],\"usage\":{{\"prompt_tokens\":3")), "{told}");
    }
}
