//! Contents of a client that speaks this format: as they stood, turn by turn and part by part.

use std::collections::BTreeSet;

use super::super::super::{Ask, Block, Format, Kind, NotCarried, Signature, Target};
use super::super::id;
use super::part::{Body, Part};
use super::turn::{Content, is_model};
use super::value_out;

/// All contents.
///
/// # Errors
/// When a block is one that the format cannot have had.
pub fn contents<'a>(ask: &'a Ask, target: &Target<'a>) -> Result<Vec<Content<'a>>, NotCarried> {
    let mut ids = Ids::default();
    let mut contents = Vec::with_capacity(ask.turns.len());
    for turn in &ask.turns {
        let mut parts = Vec::with_capacity(turn.blocks.len());
        for block in &turn.blocks {
            parts.extend(part(block, target, &mut ids)?);
        }
        if !parts.is_empty() {
            contents.push(Content { model: is_model(turn.role), parts, extra: &turn.extra });
        }
    }
    Ok(contents)
}

/// Ids that were made here when the request was read, and were not the client's.
#[derive(Default)]
struct Ids<'a>(BTreeSet<&'a str>);

impl<'a> Ids<'a> {
    fn of_call(&mut self, id: &'a str, at: &str) -> &'a str {
        if id != id::of_place(at) {
            return id;
        }
        self.0.insert(id);
        ""
    }

    fn of_result(&self, id: &'a str, at: &str) -> &'a str {
        if self.0.contains(id) || id == id::of_place(at) { "" } else { id }
    }
}

fn part<'a>(block: &'a Block, target: &Target<'a>, ids: &mut Ids<'a>) -> Result<Option<Part<'a>>, NotCarried> {
    let Block { at, kind, extra } = block;
    let mut signed = None;
    let body = match kind {
        Kind::Text(text) | Kind::Refusal(text) => Body::Text(text),
        Kind::Image(media) | Kind::Document(media) | Kind::Audio(media) | Kind::Video(media) => Body::of_media(media),
        Kind::Call { id, name, arguments, custom: _, signature } => {
            signed = signature.as_ref();
            Body::Call { id: ids.of_call(id, at), name, arguments: value_out::arguments(arguments) }
        }
        Kind::CallResult { id, name, content, failed } => {
            let (response, parts) = result(content, *failed);
            let name = name.as_deref().unwrap_or_default();
            Body::Result { id: ids.of_result(id, at), name, response, parts }
        }
        Kind::Thinking { text, id: _, signature } => {
            signed = signature.as_ref();
            Body::Thought(text)
        }
        Kind::ClosedThinking(signature) => {
            signed = Some(signature);
            Body::Thought("")
        }
        Kind::Other { name: _, raw } => Body::Raw(raw),
        Kind::Compaction { .. } => return Err(NotCarried::new(at, "the format has no compacted conversations")),
    };
    let signature = signed.and_then(|signature| of_maker(signature, target));
    if signature.is_none() && matches!(body, Body::Thought("")) {
        return Ok(None);
    }
    Ok(Some(Part { at, body, signature: signature.map(Into::into), extra }))
}

fn of_maker<'a>(signature: &'a Signature, target: &Target<'_>) -> Option<&'a str> {
    signature.for_upstream(Format::Generate, target.upstream, Format::Generate)
}

/// The response is the first text, an object as it came; media stand beside it.
fn result(content: &[Block], failed: Option<bool>) -> (Box<serde_json::value::RawValue>, Vec<Part<'_>>) {
    let mut texts = Vec::new();
    let mut parts = Vec::new();
    for Block { at, kind, extra } in content {
        match kind {
            Kind::Text(text) => texts.push(text.as_str()),
            Kind::Image(media) | Kind::Document(media) | Kind::Audio(media) | Kind::Video(media) => {
                parts.push(Part { at, body: Body::of_media(media), signature: None, extra });
            }
            Kind::Refusal(_)
            | Kind::Call { .. }
            | Kind::CallResult { .. }
            | Kind::Thinking { .. }
            | Kind::ClosedThinking(_)
            | Kind::Compaction { .. }
            | Kind::Other { .. } => {}
        }
    }
    // A failure says so itself: the object has the member `error`.
    let says_so = failed == Some(true) && texts.first().is_some_and(|text| text.starts_with('{'));
    (value_out::response(&texts, failed == Some(true) && !says_so), parts)
}
