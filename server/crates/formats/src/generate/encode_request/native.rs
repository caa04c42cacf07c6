//! Contents of a client that speaks this format: as they stood, turn by turn and part by part.

use std::collections::BTreeSet;

use super::super::id;
use super::encode_value;
use super::part::{OutgoingPart, OutgoingPartBody};
use super::turn::{OutgoingContent, is_model};
use crate::{BlockKind, ChatRequest, ContentBlock, ConversionTarget, Format, ThinkingSignature, Unsupported};

/// All contents.
///
/// # Errors
/// When a block is one that the format cannot have had.
pub fn contents<'a>(
    ask: &'a ChatRequest,
    target: &ConversionTarget<'a>,
) -> Result<Vec<OutgoingContent<'a>>, Unsupported> {
    let mut ids = MadeCallIds::default();
    let mut contents = Vec::with_capacity(ask.turns.len());
    for turn in &ask.turns {
        let mut parts = Vec::with_capacity(turn.blocks.len());
        for block in &turn.blocks {
            parts.extend(part(block, target, &mut ids)?);
        }
        if !parts.is_empty() {
            contents.push(OutgoingContent { model: is_model(turn.role), parts, extra: &turn.extra });
        }
    }
    Ok(contents)
}

/// Ids that were made here when the request was read, and were not the client's.
#[derive(Default)]
struct MadeCallIds<'a>(BTreeSet<&'a str>);

impl<'a> MadeCallIds<'a> {
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

fn part<'a>(
    block: &'a ContentBlock,
    target: &ConversionTarget<'a>,
    ids: &mut MadeCallIds<'a>,
) -> Result<Option<OutgoingPart<'a>>, Unsupported> {
    let ContentBlock { at, kind, extra } = block;
    let mut signed = None;
    let body = match kind {
        BlockKind::Text(text) | BlockKind::Refusal(text) => OutgoingPartBody::Text(text),
        BlockKind::Image(media) | BlockKind::Document(media) | BlockKind::Audio(media) | BlockKind::Video(media) => {
            OutgoingPartBody::of_media(media)
        }
        BlockKind::Call { id, name, arguments, custom: _, signature } => {
            signed = signature.as_ref();
            OutgoingPartBody::Call { id: ids.of_call(id, at), name, arguments: encode_value::arguments(arguments) }
        }
        BlockKind::CallResult { id, name, content, failed } => {
            let (response, parts) = result(content, *failed);
            let name = name.as_deref().unwrap_or_default();
            OutgoingPartBody::Result { id: ids.of_result(id, at), name, response, parts }
        }
        BlockKind::Thinking { text, id: _, signature } => {
            signed = signature.as_ref();
            OutgoingPartBody::Thought(text)
        }
        BlockKind::ClosedThinking(signature) => {
            signed = Some(signature);
            OutgoingPartBody::Thought("")
        }
        BlockKind::Other { name: _, raw } => OutgoingPartBody::Raw(raw),
        BlockKind::Compaction { .. } => return Err(Unsupported::new(at, "the format has no compacted conversations")),
    };
    let signature = signed.and_then(|signature| of_maker(signature, target));
    if signature.is_none() && matches!(body, OutgoingPartBody::Thought("")) {
        return Ok(None);
    }
    Ok(Some(OutgoingPart { at, body, signature: signature.map(Into::into), extra }))
}

fn of_maker<'a>(signature: &'a ThinkingSignature, target: &ConversionTarget<'_>) -> Option<&'a str> {
    signature.for_upstream(Format::Generate, target.upstream, Format::Generate)
}

/// The response is the first text, an object as it came; media stand beside it.
fn result(content: &[ContentBlock], failed: Option<bool>) -> (Box<serde_json::value::RawValue>, Vec<OutgoingPart<'_>>) {
    let mut texts = Vec::new();
    let mut parts = Vec::new();
    for ContentBlock { at, kind, extra } in content {
        match kind {
            BlockKind::Text(text) => texts.push(text.as_str()),
            BlockKind::Image(media)
            | BlockKind::Document(media)
            | BlockKind::Audio(media)
            | BlockKind::Video(media) => {
                parts.push(OutgoingPart { at, body: OutgoingPartBody::of_media(media), signature: None, extra });
            }
            BlockKind::Refusal(_)
            | BlockKind::Call { .. }
            | BlockKind::CallResult { .. }
            | BlockKind::Thinking { .. }
            | BlockKind::ClosedThinking(_)
            | BlockKind::Compaction { .. }
            | BlockKind::Other { .. } => {}
        }
    }
    // A failure says so itself: the object has the member `error`.
    let says_so = failed == Some(true) && texts.first().is_some_and(|text| text.starts_with('{'));
    (encode_value::response(&texts, failed == Some(true) && !says_so), parts)
}
