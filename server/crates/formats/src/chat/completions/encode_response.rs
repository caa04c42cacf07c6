//! A whole answer, written for a client.

use super::super::{stop, usage};
use super::OBJECT;
use crate::json::ObjectWriter;
use crate::{BlockKind, ChatResponse, ContentBlock, ResponseContext};

/// Writes the body of an answer.
#[must_use]
pub fn write(reply: &ChatResponse, echo: &ResponseContext) -> Vec<u8> {
    let mut body = Vec::with_capacity(512);
    let mut object = ObjectWriter::new(&mut body);
    object.member("id", &format!("cmpl-{}", echo.id)).member("object", OBJECT);
    object.member("created", &echo.created).member("model", &echo.model);
    let mut choices = object.array("choices");
    for (index, choice) in reply.choices.iter().enumerate() {
        let refused = choice.blocks.iter().any(|block| matches!(block.kind, BlockKind::Refusal(_)));
        let mut written = choices.object();
        written.member("text", &text(&choice.blocks)).member("index", &index);
        written.member("logprobs", &None::<&str>).member("finish_reason", stop::word(&choice.stop, refused));
        written.end();
    }
    choices.end();
    if let Some(used) = &reply.usage {
        usage::write(used, &mut object);
    }
    object.end();
    body
}

/// True if a block has a place in an answer of this operation, which is text.
#[must_use]
pub fn has_place(block: &ContentBlock) -> bool {
    matches!(block.kind, BlockKind::Text(_) | BlockKind::Refusal(_))
}

/// The texts, joined. Thoughts have no place in a continuation.
fn text(blocks: &[ContentBlock]) -> String {
    let text = |block: &ContentBlock| match &block.kind {
        BlockKind::Text(text) | BlockKind::Refusal(text) => Some(text.clone()),
        _ => None,
    };
    blocks.iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ResponseChoice, StopReason, TokenUsage};

    #[test]
    fn an_answer_is_the_text_alone() {
        let block = |kind| ContentBlock { at: String::new(), kind, extra: Vec::new() };
        let blocks = vec![block(BlockKind::Text("a".into())), block(BlockKind::Text("b".into()))];
        let choice = ResponseChoice { blocks, stop: StopReason::Length, extra: Vec::new() };
        let usage = Some(TokenUsage { input: 3, output: 2, ..TokenUsage::default() });
        let reply = ChatResponse { id: "x".into(), choices: vec![choice], usage, extra: Vec::new() };
        let echo = ResponseContext {
            id: "1".into(),
            model: "m".into(),
            created: 7,
            include_usage: false,
            request: "{}".into(),
            functions: Default::default(),
            stop: Default::default(),
            thinks: false,
            counted: None,
        };
        let written: serde_json::Value = serde_json::from_slice(&write(&reply, &echo)).expect("JSON");
        assert_eq!((written["id"].as_str(), written["object"].as_str()), (Some("cmpl-1"), Some("text_completion")));
        assert_eq!(
            written["choices"],
            serde_json::json!([{"text": "ab", "index": 0, "logprobs": null, "finish_reason": "length"}])
        );
        assert_eq!(written["usage"]["prompt_tokens"], 3);
    }
}
