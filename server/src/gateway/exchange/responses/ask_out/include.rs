//! `include`: further members that the answer is to hold.

use super::super::super::json::{ObjectWriter, Value};
use super::super::super::{Ask, Effort, Format, Kind, Signature, Target};

const CLOSED_THINKING: &str = "reasoning.encrypted_content";

/// `include` of the client, and closed thinking where there may be some.
pub fn write(ask: &Ask, target: &Target<'_>, object: &mut ObjectWriter<'_>) {
    let of_client = ask.extra.iter().find(|extra| ask.from == Format::Responses && extra.name == "include");
    let of_client = of_client.and_then(|extra| Value { at: String::new(), raw: &extra.value }.list().ok());
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
fn thinks(ask: &Ask, target: &Target<'_>) -> bool {
    if let Some(reasoning) = &ask.reasoning {
        return reasoning.value.effort != Some(Effort::None);
    }
    let made_there =
        |signature: &Signature| signature.for_upstream(ask.from, target.upstream, Format::Responses).is_some();
    ask.turns.iter().flat_map(|turn| &turn.blocks).any(|block| match &block.kind {
        Kind::Thinking { signature, .. } => signature.as_ref().is_some_and(made_there),
        Kind::ClosedThinking(signature) => made_there(signature),
        _ => false,
    })
}
