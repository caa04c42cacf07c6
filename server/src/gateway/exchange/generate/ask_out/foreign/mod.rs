//! Contents of a client that speaks another format: the two speakers take turns, and each block becomes parts.

mod media;
mod results;
mod signatures;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::super::{Ask, Block, Carry, Format, Kind, NotCarried, Signature, Target, Turn, merged};
use super::super::value_out;
use super::part::{Body, Part};
use super::rules;
use super::turn::{Content, is_model};

/// All contents, in the order that the service asks for: results first and in the order of their calls, all of them in the
/// turn after the calls.
///
/// # Errors
/// When something is said in a way that this provider does not take.
pub fn contents<'a>(ask: &'a Ask, target: &Target<'a>, carry: &mut Carry) -> Result<Vec<Content<'a>>, NotCarried> {
    ask.turns.iter().for_each(|turn: &Turn| carry.drop_extras(&turn.extra));
    let mut builder = Builder { ask, target: *target, carry, names: BTreeMap::new() };
    let mut contents: Vec<Content<'a>> = Vec::new();
    for (role, blocks) in merged(&ask.turns) {
        let model = is_model(role);
        let mut parts = Vec::with_capacity(blocks.len());
        for block in blocks {
            builder.block(block, &mut parts)?;
        }
        match contents.last_mut() {
            // Instructions in the middle are said by the user.
            Some(last) if last.model == model => last.parts.append(&mut parts),
            _ if parts.is_empty() => {}
            _ => contents.push(Content { model, parts, extra: &[] }),
        }
    }
    for content in contents.iter_mut().filter(|content| content.model) {
        signatures::settle(&mut content.parts);
    }
    results::arrange(&mut contents)?;
    Ok(contents)
}

struct Builder<'a, 'c> {
    ask: &'a Ask,
    target: Target<'a>,
    carry: &'c mut Carry,
    /// The functions by the ids of their calls: clients may leave the name out of the result.
    names: BTreeMap<&'a str, &'a str>,
}

impl<'a> Builder<'a, '_> {
    fn block(&mut self, block: &'a Block, parts: &mut Vec<Part<'a>>) -> Result<(), NotCarried> {
        let Block { at, kind, extra } = block;
        self.carry.drop_extras(extra);
        let part = match kind {
            Kind::Text(text) | Kind::Refusal(text) if text.is_empty() => return Ok(()),
            Kind::Text(text) | Kind::Refusal(text) => Part::plain(at, Body::Text(text)),
            Kind::Image(image) => Part::plain(at, media::image(image, at, self.carry)?),
            Kind::Document(document) => Part::plain(at, media::document(document, at, self.ask.from, self.carry)?),
            Kind::Audio(medium) | Kind::Video(medium) => Part::plain(at, media::bytes(medium, at)?),
            Kind::Call { custom: true, .. } => {
                let reason = "the model's provider takes arguments as JSON only; make the tool a function";
                return Err(NotCarried::new(at, reason));
            }
            Kind::Call { id, name, arguments, custom: false, signature } => {
                self.names.insert(id, rules::name(name, at)?);
                let body = Body::Call { id, name, arguments: value_out::arguments(arguments) };
                Part { signature: self.of_maker(signature.as_ref()), ..Part::plain(at, body) }
            }
            Kind::CallResult { id, name, content, failed } => {
                let name = name.as_deref().or_else(|| self.names.get(id.as_str()).copied());
                return self.result(at, id, name.unwrap_or_default(), content, *failed == Some(true), parts);
            }
            Kind::Thinking { text, id: _, signature } => {
                parts.extend(self.thought(at, text, signature.as_ref()));
                return Ok(());
            }
            Kind::ClosedThinking(signature) => {
                parts.extend(self.thought(at, "", Some(signature)));
                return Ok(());
            }
            Kind::Compaction { .. } => {
                let reason = "only the provider that made it can read it; send the conversation itself";
                return Err(NotCarried::new(at, reason));
            }
            Kind::Other { name, .. } => {
                return Err(NotCarried::new(
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
        content: &'a [Block],
        failed: bool,
        parts: &mut Vec<Part<'a>>,
    ) -> Result<(), NotCarried> {
        let mut texts = Vec::new();
        let mut beside = Vec::new();
        for block in content {
            match &block.kind {
                Kind::Text(text) => {
                    self.carry.drop_extras(&block.extra);
                    texts.push(text.as_str());
                }
                Kind::CallResult { .. } => return Err(NotCarried::new(&block.at, "a result cannot stand in a result")),
                Kind::Refusal(_)
                | Kind::Image(_)
                | Kind::Document(_)
                | Kind::Audio(_)
                | Kind::Video(_)
                | Kind::Call { .. }
                | Kind::Thinking { .. }
                | Kind::ClosedThinking(_)
                | Kind::Compaction { .. }
                | Kind::Other { .. } => self.block(block, &mut beside)?,
            }
        }
        if texts.is_empty() && !beside.is_empty() {
            texts.push("The result is attached.");
        }
        let response = value_out::response(&texts, failed);
        parts.push(Part::plain(at, Body::Result { id, name, response, parts: Vec::new() }));
        parts.append(&mut beside);
        Ok(())
    }

    /// A thought that this provider signed. One that another signed, or nobody, is left out: it was thought and not said.
    fn thought(&mut self, at: &'a str, text: &'a str, signature: Option<&'a Signature>) -> Option<Part<'a>> {
        let signature = self.of_maker(signature);
        if signature.is_none() {
            self.carry.drop(at);
            return None;
        }
        Some(Part { signature, ..Part::plain(at, Body::Thought(text)) })
    }

    fn of_maker(&self, signature: Option<&'a Signature>) -> Option<Cow<'a, str>> {
        signature?.for_upstream(self.ask.from, self.target.upstream, Format::Generate).map(Cow::Borrowed)
    }
}
