//! The list of messages.

use super::super::instructions;
use super::super::native_members::NativeMembers;
use super::ids::ChatCallIds;
use super::plan::{self, ChatRole, OutgoingMessage};
use super::{calls, parts, thoughts};
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{BlockKind, ChatMessage, ContentBlock, ConversionTarget, DropReport, Format, Unsupported};

/// Before the text of a result that failed: the format has no flag for it.
const FAILED: &str = "Error: ";
/// The text of a result that was nothing but pictures or documents: upstreams refuse a result without content.
const SHOWN_NEXT: &str = "The result is in the next message.";

/// Writes messages for one upstream.
#[derive(Debug)]
pub struct MessageListEncoder<'a> {
    from: Format,
    target: &'a ConversionTarget<'a>,
    carry: &'a mut DropReport,
    ids: ChatCallIds,
}

impl<'a> MessageListEncoder<'a> {
    /// For a request of a client that speaks `from`.
    pub fn new(from: Format, target: &'a ConversionTarget<'a>, carry: &'a mut DropReport) -> Self {
        Self { from, target, carry, ids: ChatCallIds::default() }
    }

    /// Writes the member `messages`.
    pub fn write(
        mut self,
        system: &[ContentBlock],
        turns: &[ChatMessage],
        object: &mut ObjectWriter<'_>,
    ) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        if !same {
            for turn in turns {
                self.carry.drop_extras(&turn.extra);
            }
        }
        let mut list = object.array("messages");
        let (before, turns) = turns.split_at(if same { 0 } else { plan::instructions(turns) });
        let before = before.iter().flat_map(|turn| &turn.blocks);
        for blocks in instructions::messages(system.iter().chain(before), same) {
            self.instruction(&blocks, list.object())?;
        }
        for message in if same { plan::as_they_were(turns) } else { plan::reordered(turns) } {
            match message.role {
                ChatRole::Tool => self.result(message.blocks[0], list.object())?,
                ChatRole::Assistant => self.assistant(&message, &mut list)?,
                ChatRole::System | ChatRole::Developer | ChatRole::User => self.said(&message, list.object())?,
            }
        }
        list.end();
        Ok(())
    }

    fn instruction(&mut self, blocks: &[&ContentBlock], mut object: ObjectWriter<'_>) -> Result<(), Unsupported> {
        let mut extra = NativeMembers::of(&blocks[0].extra, self.carry).inside(instructions::MESSAGE);
        let developer = extra.take(instructions::DEVELOPER).is_some();
        let role = if developer { ChatRole::Developer } else { ChatRole::System };
        object.member("role", role.word());
        parts::write(blocks, self.carry, &mut object)?;
        extra.write(&mut object);
        object.end();
        Ok(())
    }

    fn said(&mut self, message: &OutgoingMessage<'_>, mut object: ObjectWriter<'_>) -> Result<(), Unsupported> {
        object.member("role", message.role.word());
        parts::write(&message.blocks, self.carry, &mut object)?;
        object.extras(message.extra);
        object.end();
        Ok(())
    }

    fn result(&mut self, block: &ContentBlock, mut object: ObjectWriter<'_>) -> Result<(), Unsupported> {
        let BlockKind::CallResult { id, name, content, failed } = &block.kind else { return Ok(()) };
        object.member("role", ChatRole::Tool.word());
        object.member("tool_call_id", &self.ids.of_result(id, name.as_deref(), self.carry));
        if self.carry.same_format() {
            object.maybe("name", name.as_ref());
            parts::write(&content.iter().collect::<Vec<_>>(), self.carry, &mut object)?;
        } else {
            let texts: Vec<&ContentBlock> = content.iter().filter(|block| !plan::is_shown(block)).collect();
            self.texts(&texts, !content.is_empty(), failed == &Some(true), &mut object)?;
        }
        NativeMembers::of(&block.extra, self.carry).write(&mut object);
        object.end();
        Ok(())
    }

    /// The texts of a result in another format.
    fn texts(
        &mut self,
        texts: &[&ContentBlock],
        shown: bool,
        failed: bool,
        object: &mut ObjectWriter<'_>,
    ) -> Result<(), Unsupported> {
        let first =
            texts.first().and_then(|block| if let BlockKind::Text(text) = &block.kind { Some(text) } else { None });
        let stand_in = if shown && texts.is_empty() { SHOWN_NEXT } else { "" };
        let first_text = format!("{}{}", if failed { FAILED } else { "" }, first.map_or(stand_in, String::as_str));
        let at = texts.first().map(|block| block.at.clone()).unwrap_or_default();
        let extra = texts.first().map(|block| block.extra.clone()).unwrap_or_default();
        let first_block = ContentBlock { at, kind: BlockKind::Text(first_text), extra };
        let rest = texts.iter().copied().skip(usize::from(first.is_some()));
        parts::write(&std::iter::once(&first_block).chain(rest).collect::<Vec<_>>(), self.carry, object)
    }

    fn assistant(&mut self, message: &OutgoingMessage<'_>, list: &mut ArrayWriter<'_>) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        let (thoughts, said): (Vec<&ContentBlock>, Vec<&ContentBlock>) =
            message.blocks.iter().partition(|block| thoughts::is_one(block, same));
        let (calls, said): (Vec<&ContentBlock>, Vec<&ContentBlock>) =
            said.iter().partition(|block| calls::is_one(block, same));
        let thoughts = thoughts::OutgoingThoughts::of(&thoughts, self.from, self.target, self.carry);
        if said.is_empty() && calls.is_empty() && thoughts.is_empty() && !same {
            // Nothing but thoughts of another provider: upstreams refuse a turn in which nothing is said.
            return Ok(());
        }
        let mut object = list.object();
        object.member("role", ChatRole::Assistant.word());
        thoughts.write(&mut object);
        self.assistant_said(&said, &mut object)?;
        calls::write(&calls, self.from, self.target, &mut self.ids, self.carry, &mut object)?;
        object.extras(message.extra);
        object.end();
        Ok(())
    }

    /// Content, and what stands beside it. Another format's texts are joined: not every upstream takes parts here.
    fn assistant_said(&mut self, said: &[&ContentBlock], object: &mut ObjectWriter<'_>) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        let mut content = Vec::with_capacity(said.len());
        for block in said {
            if same && beside_content(block, object) {
                continue;
            }
            if !same && is_medium(block) {
                let reason = "the model's provider takes only text in the model's own turns; move it to the user's";
                return Err(Unsupported::new(&block.at, reason));
            }
            content.push(*block);
        }
        if content.is_empty() {
            object.member("content", &None::<&str>);
            return Ok(());
        }
        let Some(text) = joined(&content).filter(|_| !same) else {
            return parts::write(&content, self.carry, object);
        };
        for block in content {
            self.carry.drop_extras(&block.extra);
        }
        object.member("content", &text);
        Ok(())
    }
}

/// Writes what has a member of its own in an assistant's message: a refusal, and the sound of an earlier answer.
fn beside_content(block: &ContentBlock, object: &mut ObjectWriter<'_>) -> bool {
    if let (BlockKind::Refusal(text), true) = (&block.kind, block.at.ends_with(".refusal")) {
        object.member("refusal", text);
        return true;
    }
    if let (BlockKind::Other { raw, .. }, true) = (&block.kind, block.at.ends_with(".audio")) {
        object.member("audio", raw);
        return true;
    }
    false
}

fn is_medium(block: &ContentBlock) -> bool {
    matches!(block.kind, BlockKind::Image(_) | BlockKind::Audio(_) | BlockKind::Document(_) | BlockKind::Video(_))
}

/// All of them in one, where they are nothing but texts.
fn joined(blocks: &[&ContentBlock]) -> Option<String> {
    blocks
        .iter()
        .map(|block| if let BlockKind::Text(text) = &block.kind { Some(text.as_str()) } else { None })
        .collect()
}
