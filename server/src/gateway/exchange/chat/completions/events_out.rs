//! A streamed answer, written for a client: pieces of text, the end, the usage.

use bytes::BytesMut;

use super::super::super::json::ObjectWriter;
use super::super::super::{Delta, Echo, Event, EventWriter, Kind, Opening, Stop, Usage};
use super::super::events_out::{done, error, event};
use super::super::{stop, usage};
use super::OBJECT;

/// Writes one stream.
#[derive(Debug)]
pub struct Writer {
    echo: Echo,
    /// Blocks whose texts are no part of the continuation: thoughts and calls.
    silent: Vec<usize>,
    refused: bool,
    stop: Stop,
    usage: Option<Usage>,
}

impl Writer {
    /// For one answer.
    #[must_use]
    pub fn new(echo: Echo) -> Self {
        Self { echo, silent: Vec::new(), refused: false, stop: Stop::Natural, usage: None }
    }

    fn open(&mut self, index: usize, opening: Opening, out: &mut BytesMut) {
        match opening {
            Opening::Text => {}
            Opening::Refusal => self.refused = true,
            Opening::Thinking | Opening::Call { .. } => self.silent.push(index),
            Opening::Whole(block) => {
                if let Kind::Text(text) | Kind::Refusal(text) = block.kind {
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

impl EventWriter for Writer {
    fn write(&mut self, event: Event, out: &mut BytesMut) {
        match event {
            Event::Open { index, opening } => self.open(index, opening, out),
            Event::Delta { index, delta: Delta::Text(text) } if !self.silent.contains(&index) => self.text(&text, out),
            Event::Usage(usage) => self.usage = Some(usage),
            Event::Stop(stop) => self.stop = stop,
            Event::End => self.end(out),
            Event::Start { .. } | Event::Delta { .. } | Event::Close { .. } | Event::Error(_) => {}
            // A comment: the SDKs of this format pass it over.
            Event::Ping => out.extend_from_slice(b": ping\n\n"),
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        error(body, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(include_usage: bool, events: Vec<Event>) -> String {
        let echo = Echo {
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
        let (mut writer, mut out) = (Writer::new(echo), BytesMut::new());
        for event in events {
            writer.write(event, &mut out);
        }
        String::from_utf8(out.to_vec()).expect("text")
    }

    fn events() -> Vec<Event> {
        let text = |index, text: &str| Event::Delta { index, delta: Delta::Text(text.to_owned()) };
        vec![
            Event::Start { id: "x".into() },
            Event::Open { index: 0, opening: Opening::Thinking },
            text(0, "hm"),
            Event::Close { index: 0 },
            Event::Open { index: 1, opening: Opening::Text },
            text(1, "a"),
            Event::Close { index: 1 },
            Event::Usage(Usage { input: 3, output: 2, ..Usage::default() }),
            Event::Stop(Stop::Natural),
            Event::End,
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
