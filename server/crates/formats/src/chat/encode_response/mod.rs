//! A whole answer, written for a client.

mod message;

use super::super::json::{ArrayWriter, ObjectWriter};
use super::super::{BlockKind, ChatResponse, ContentBlock, ResponseChoice, ResponseContext, StopReason, UnknownMember};
use super::{stop, usage};
use message::ResponseMessage;

pub use message::{address, images};

/// Members of an answer that clients of this format know; from an upstream of this format they come back.
const KNOWN: [&str; 2] = ["system_fingerprint", "service_tier"];

/// Writes the body of an answer.
#[must_use]
pub fn write(reply: &ChatResponse, echo: &ResponseContext) -> Vec<u8> {
    let mut body = Vec::with_capacity(1024);
    let mut object = ObjectWriter::new(&mut body);
    object.member("id", &format!("chatcmpl-{}", echo.id));
    object.member("object", "chat.completion");
    object.member("created", &echo.created);
    object.member("model", &echo.model);
    let mut choices = object.array("choices");
    for (index, of_reply) in reply.choices.iter().enumerate() {
        choice(index, of_reply, echo, &mut choices);
    }
    if reply.choices.is_empty() {
        // A prompt that was blocked: clients read the first choice without a look at how many there are.
        let withheld = ResponseChoice { blocks: Vec::new(), stop: StopReason::Refused, extra: Vec::new() };
        choice(0, &withheld, echo, &mut choices);
    }
    choices.end();
    if let Some(used) = &reply.usage {
        usage::write(used, &mut object);
    }
    for name in KNOWN {
        object.member(name, &known(&reply.extra, name));
    }
    object.end();
    body
}

/// True if the format has a place for a block.
#[must_use]
pub fn has_place(block: &ContentBlock) -> bool {
    match &block.kind {
        BlockKind::Text(_)
        | BlockKind::Refusal(_)
        | BlockKind::Thinking { .. }
        | BlockKind::ClosedThinking(_)
        | BlockKind::Call { .. } => true,
        BlockKind::Image(media) => address(media).is_some(),
        BlockKind::Document(_)
        | BlockKind::Audio(_)
        | BlockKind::Video(_)
        | BlockKind::CallResult { .. }
        | BlockKind::Compaction { .. }
        | BlockKind::Other { .. } => false,
    }
}

fn choice(index: usize, choice: &ResponseChoice, echo: &ResponseContext, choices: &mut ArrayWriter<'_>) {
    let has_refusal = choice.blocks.iter().any(|block| matches!(block.kind, BlockKind::Refusal(_)));
    let mut object = choices.object();
    object.member("index", &index);
    let mut message = object.object("message");
    ResponseMessage::of(&choice.blocks, &echo.id).write(&mut message);
    message.end();
    object.member("logprobs", &known(&choice.extra, "logprobs"));
    object.member("finish_reason", stop::word(&choice.stop, has_refusal));
    object.end();
}

fn known<'r>(extra: &'r [UnknownMember], name: &str) -> Option<&'r serde_json::value::RawValue> {
    extra.iter().find(|extra| extra.name == name).map(|extra| &*extra.value)
}
