//! `include`: further members that the answer is to hold.

use crate::json::{JsonValue, ObjectWriter};
use crate::{BlockKind, ChatRequest, ConversionTarget, Format, ReasoningEffort, ThinkingSignature};

const CLOSED_THINKING: &str = "reasoning.encrypted_content";

/// `include` of the client, and closed thinking where there may be some.
pub fn write(ask: &ChatRequest, target: &ConversionTarget<'_>, object: &mut ObjectWriter<'_>) {
    let of_client = ask.extra.iter().find(|extra| ask.from == Format::Responses && extra.name == "include");
    let of_client = of_client.and_then(|extra| JsonValue { at: String::new(), raw: &extra.value }.list().ok());
    let of_client = of_client.unwrap_or_default();
    let is_asked = of_client.iter().any(|word| word.text().is_ok_and(|word| word == CLOSED_THINKING));
    let add = !is_asked && thinks(ask, target);
    if of_client.is_empty() && !add {
        return;
    }
    let mut list = object.array("include");
    for word in &of_client {
        list.element(word.raw);
    }
    if add {
        list.element(CLOSED_THINKING);
    }
    list.end();
}

/// True if the request itself tells that the model thinks. Providers answer a request for closed thinking to a model
/// that does not think with an error, so it is not made of every model.
fn thinks(ask: &ChatRequest, target: &ConversionTarget<'_>) -> bool {
    if let Some(reasoning) = &ask.reasoning {
        return reasoning.value.effort != Some(ReasoningEffort::None);
    }
    let made_there =
        |signature: &ThinkingSignature| signature.for_upstream(ask.from, target.upstream, Format::Responses).is_some();
    ask.turns.iter().flat_map(|turn| &turn.blocks).any(|block| match &block.kind {
        BlockKind::Thinking { signature, .. } => signature.as_ref().is_some_and(made_there),
        BlockKind::ClosedThinking(signature) => made_there(signature),
        _ => false,
    })
}
