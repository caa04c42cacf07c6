//! Contents of a client that speaks another format: the two speakers take turns, and each block becomes parts.

mod media;
mod results;
mod signatures;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::encode_value;
use super::part::{OutgoingPart, OutgoingPartBody};
use super::rules;
use super::turn::{OutgoingContent, is_model};
use crate::{
    BlockKind, ChatMessage, ChatRequest, ContentBlock, ConversionTarget, DropReport, Format, ThinkingSignature,
    Unsupported, merge_messages,
};

/// All contents, in the order that the service asks for: results first and in the order of their calls, all of them in the
/// turn after the calls.
///
/// # Errors
/// When something is said in a way that this provider does not take.
pub fn contents<'a>(
    ask: &'a ChatRequest,
    target: &ConversionTarget<'a>,
    carry: &mut DropReport,
) -> Result<Vec<OutgoingContent<'a>>, Unsupported> {
    ask.turns.iter().for_each(|turn: &ChatMessage| carry.drop_extras(&turn.extra));
    let mut builder = ContentsBuilder { ask, target: *target, carry, names: BTreeMap::new() };
    let mut contents: Vec<OutgoingContent<'a>> = Vec::new();
    for (role, blocks) in merge_messages(&ask.turns) {
        let model = is_model(role);
        let mut parts = Vec::with_capacity(blocks.len());
        for block in blocks {
            builder.block(block, &mut parts)?;
        }
        match contents.last_mut() {
            // Instructions in the middle are said by the user.
            Some(last) if last.model == model => last.parts.append(&mut parts),
            _ if parts.is_empty() => {}
            _ => contents.push(OutgoingContent { model, parts, extra: &[] }),
        }
    }
    for content in contents.iter_mut().filter(|content| content.model) {
        signatures::place_signatures(&mut content.parts);
    }
    results::arrange(&mut contents)?;
    Ok(contents)
}

struct ContentsBuilder<'a, 'c> {
    ask: &'a ChatRequest,
    target: ConversionTarget<'a>,
    carry: &'c mut DropReport,
    /// The functions by the ids of their calls: clients may leave the name out of the result.
    names: BTreeMap<&'a str, &'a str>,
}

impl<'a> ContentsBuilder<'a, '_> {
    fn block(&mut self, block: &'a ContentBlock, parts: &mut Vec<OutgoingPart<'a>>) -> Result<(), Unsupported> {
        let ContentBlock { at, kind, extra } = block;
        self.carry.drop_extras(extra);
        let part = match kind {
            BlockKind::Text(text) | BlockKind::Refusal(text) if text.is_empty() => return Ok(()),
            BlockKind::Text(text) | BlockKind::Refusal(text) => OutgoingPart::plain(at, OutgoingPartBody::Text(text)),
            BlockKind::Image(image) => OutgoingPart::plain(at, media::image(image, at, self.carry)?),
            BlockKind::Document(document) => {
                OutgoingPart::plain(at, media::document(document, at, self.ask.from, self.carry)?)
            }
            BlockKind::Audio(medium) | BlockKind::Video(medium) => OutgoingPart::plain(at, media::bytes(medium, at)?),
            BlockKind::Call { custom: true, .. } => {
                let reason = "the model's provider takes arguments as JSON only; make the tool a function";
                return Err(Unsupported::new(at, reason));
            }
            BlockKind::Call { id, name, arguments, custom: false, signature } => {
                self.names.insert(id, rules::name(name, at)?);
                let body = OutgoingPartBody::Call { id, name, arguments: encode_value::arguments(arguments) };
                OutgoingPart { signature: self.of_maker(signature.as_ref()), ..OutgoingPart::plain(at, body) }
            }
            BlockKind::CallResult { id, name, content, failed } => {
                let name = name.as_deref().or_else(|| self.names.get(id.as_str()).copied());
                return self.result(at, id, name.unwrap_or_default(), content, *failed == Some(true), parts);
            }
            BlockKind::Thinking { text, id: _, signature } => {
                parts.extend(self.thought(at, text, signature.as_ref()));
                return Ok(());
            }
            BlockKind::ClosedThinking(signature) => {
                parts.extend(self.thought(at, "", Some(signature)));
                return Ok(());
            }
            BlockKind::Compaction { .. } => {
                let reason = "only the provider that made it can read it; send the conversation itself";
                return Err(Unsupported::new(at, reason));
            }
            BlockKind::Other { name, .. } => {
                return Err(Unsupported::new(
                    at,
                    format!("the model's provider has nothing like `{name}`; leave it out"),
                ));
            }
        };
        parts.push(part);
        Ok(())
    }

    /// Texts become the response; pictures and documents follow as parts of the same turn, because not every model takes
    /// them inside.
    fn result(
        &mut self,
        at: &'a str,
        id: &'a str,
        name: &'a str,
        content: &'a [ContentBlock],
        failed: bool,
        parts: &mut Vec<OutgoingPart<'a>>,
    ) -> Result<(), Unsupported> {
        let mut texts = Vec::new();
        let mut beside = Vec::new();
        for block in content {
            match &block.kind {
                BlockKind::Text(text) => {
                    self.carry.drop_extras(&block.extra);
                    texts.push(text.as_str());
                }
                BlockKind::CallResult { .. } => {
                    return Err(Unsupported::new(&block.at, "a result cannot stand in a result"));
                }
                BlockKind::Refusal(_)
                | BlockKind::Image(_)
                | BlockKind::Document(_)
                | BlockKind::Audio(_)
                | BlockKind::Video(_)
                | BlockKind::Call { .. }
                | BlockKind::Thinking { .. }
                | BlockKind::ClosedThinking(_)
                | BlockKind::Compaction { .. }
                | BlockKind::Other { .. } => self.block(block, &mut beside)?,
            }
        }
        if texts.is_empty() && !beside.is_empty() {
            texts.push("The result is attached.");
        }
        let response = encode_value::response(&texts, failed);
        parts.push(OutgoingPart::plain(at, OutgoingPartBody::Result { id, name, response, parts: Vec::new() }));
        parts.append(&mut beside);
        Ok(())
    }

    /// A thought that this provider signed. One that another signed, or nobody, is left out: it was thought and not said.
    fn thought(
        &mut self,
        at: &'a str,
        text: &'a str,
        signature: Option<&'a ThinkingSignature>,
    ) -> Option<OutgoingPart<'a>> {
        let signature = self.of_maker(signature);
        if signature.is_none() {
            self.carry.drop(at);
            return None;
        }
        Some(OutgoingPart { signature, ..OutgoingPart::plain(at, OutgoingPartBody::Thought(text)) })
    }

    fn of_maker(&self, signature: Option<&'a ThinkingSignature>) -> Option<Cow<'a, str>> {
        signature?.for_upstream(self.ask.from, self.target.upstream, Format::Generate).map(Cow::Borrowed)
    }
}
