//! Items of the conversation.

use std::collections::BTreeSet;

use super::super::mark;
use super::call_ids::CallIds;
use super::content;
use crate::json::ArrayWriter;
use crate::{
    BlockKind, ChatMessage, ChatRequest, ContentBlock, ConversionTarget, DropReport, MediaContent, MediaSource,
    MessageRole, UnknownMember, Unsupported,
};

/// Writes turns as items.
#[derive(Debug)]
pub struct ItemListEncoder<'w, 'a> {
    pub(super) ask: &'a ChatRequest,
    pub(super) target: &'a ConversionTarget<'a>,
    pub(super) carry: &'w mut DropReport,
    pub(super) list: ArrayWriter<'w>,
    pub(super) ids: CallIds,
    /// Ids of calls whose input is free text.
    pub(super) custom: BTreeSet<&'a str>,
    /// Thinking that waits for what it led to: providers refuse it alone.
    pub(super) held: Vec<&'a ContentBlock>,
}

impl<'w, 'a> ItemListEncoder<'w, 'a> {
    /// Into `list`.
    pub fn new(
        ask: &'a ChatRequest,
        target: &'a ConversionTarget<'a>,
        carry: &'w mut DropReport,
        list: ArrayWriter<'w>,
    ) -> Self {
        let blocks = ask.turns.iter().flat_map(|turn| &turn.blocks);
        let custom = blocks.filter_map(|block| match &block.kind {
            BlockKind::Call { id, custom: true, .. } => Some(id.as_str()),
            _ => None,
        });
        Self { ask, target, carry, list, ids: CallIds::default(), custom: custom.collect(), held: Vec::new() }
    }

    /// Instructions as an item.
    pub fn developer(&mut self, text: &str) {
        let mut object = self.list.object();
        object.member("type", "message").member("role", "developer").member("content", text);
        object.end();
    }

    /// A message of instructions that was read into `ChatRequest::system`.
    pub fn lifted(&mut self, blocks: &[&'a ContentBlock]) -> Result<(), Unsupported> {
        let Some(first) = blocks.first() else { return Ok(()) };
        let of_message = |extra: &UnknownMember| {
            mark::of_message(extra).map(|name| UnknownMember { name: name.into(), ..extra.clone() })
        };
        let mut members: Vec<UnknownMember> = first.extra.iter().filter_map(of_message).collect();
        let role = if mark::is(&members, "role", "system") { MessageRole::System } else { MessageRole::Developer };
        members.retain(|member| member.name != "role");
        self.message(role, blocks, &members)
    }

    /// One turn: its content as messages, and what else is in it as items of their own, in order.
    pub fn turn(&mut self, turn: &'a ChatMessage) -> Result<(), Unsupported> {
        if turn.role != MessageRole::Model {
            self.drop_held();
        }
        let mut members = turn.extra.as_slice();
        if !self.carry.same_format() {
            self.carry.drop_extras(members);
            members = &[];
        } else if turn.blocks.is_empty() {
            self.message(turn.role, &[], members)?;
        }
        for run in turn.blocks.chunk_by(|one, next| is_content(one, turn) && is_content(next, turn)) {
            if is_content(&run[0], turn) {
                let run: Vec<&ContentBlock> = run.iter().collect();
                self.message(turn.role, &run, members)?;
            } else {
                self.item(&run[0])?;
            }
        }
        Ok(())
    }

    /// Closes the list.
    pub fn end(mut self) {
        self.drop_held();
        self.list.end();
    }

    fn message(
        &mut self,
        role: MessageRole,
        blocks: &[&'a ContentBlock],
        members: &[UnknownMember],
    ) -> Result<(), Unsupported> {
        let foreign = !self.carry.same_format();
        // Other formats have empty texts where this one has no message.
        let empty = |block: &&ContentBlock| matches!(&block.kind, BlockKind::Text(text) if text.is_empty());
        let blocks: Vec<&ContentBlock> = blocks.iter().copied().filter(|block| !(foreign && empty(block))).collect();
        if foreign && blocks.is_empty() {
            return Ok(());
        }
        self.write_held();
        let mut object = self.list.object();
        object.member("type", "message").member("role", word(role)).extras(members);
        match blocks.as_slice() {
            // A text alone is what every server takes; with members of an answer's item only parts are.
            [ContentBlock { kind: BlockKind::Text(text), extra, .. }]
                if members.is_empty() && (foreign || extra.is_empty()) =>
            {
                object.member("content", text);
                self.carry.drop_extras(extra);
            }
            blocks => {
                let mut parts = object.array("content");
                for block in blocks {
                    content::write(block, role, self.carry, &mut parts)?;
                }
                parts.end();
            }
        }
        object.end();
        Ok(())
    }

    fn item(&mut self, block: &'a ContentBlock) -> Result<(), Unsupported> {
        match &block.kind {
            BlockKind::Thinking { .. } | BlockKind::ClosedThinking(_) => {
                self.held.push(block);
                if self.carry.same_format() {
                    self.write_held();
                }
                Ok(())
            }
            BlockKind::Call { id, name, arguments, custom, signature } => {
                self.carry.drop_signature(&block.at, signature.as_ref());
                self.write_held();
                self.call(block, (id, name, arguments), *custom)
            }
            BlockKind::CallResult { id, name, content, failed } => {
                self.call_result(block, (id, name.as_deref()), content, *failed == Some(true))
            }
            BlockKind::Compaction { id, closed } if self.carry.same_format() => {
                let mut object = self.list.object();
                object.member("type", "compaction").maybe("id", id.as_ref()).member("encrypted_content", closed);
                object.extras(&block.extra);
                object.end();
                Ok(())
            }
            BlockKind::Other { name: _, raw } if self.carry.same_format() => {
                self.list.element(raw);
                Ok(())
            }
            BlockKind::Image(MediaContent { source: MediaSource::Base64(data), .. }) => {
                let mut object = self.list.object();
                object.extras(&block.extra).member("result", data);
                object.end();
                Ok(())
            }
            BlockKind::Compaction { .. } => Err(Unsupported::new(
                &block.at,
                "only the provider that shortened the conversation can open it; send the conversation itself",
            )),
            BlockKind::Other { name, .. } => {
                Err(Unsupported::new(&block.at, format!("this model's provider knows no `{name}`; leave it out")))
            }
            BlockKind::Text(_)
            | BlockKind::Refusal(_)
            | BlockKind::Image(_)
            | BlockKind::Document(_)
            | BlockKind::Audio(_)
            | BlockKind::Video(_) => {
                Err(Unsupported::new(&block.at, "this kind of content can only be sent in a message"))
            }
        }
    }
}

/// True for a part of a message; anything else is an item of its own.
fn is_content(block: &ContentBlock, turn: &ChatMessage) -> bool {
    match &block.kind {
        BlockKind::Text(_)
        | BlockKind::Refusal(_)
        | BlockKind::Document(_)
        | BlockKind::Audio(_)
        | BlockKind::Video(_) => true,
        BlockKind::Image(_) => !mark::is(&block.extra, "type", "image_generation_call"),
        BlockKind::Other { .. } => block.at != turn.at,
        BlockKind::Call { .. }
        | BlockKind::CallResult { .. }
        | BlockKind::Thinking { .. }
        | BlockKind::ClosedThinking(_)
        | BlockKind::Compaction { .. } => false,
    }
}

const fn word(role: MessageRole) -> &'static str {
    match role {
        MessageRole::System => "system",
        MessageRole::Developer => "developer",
        MessageRole::User => "user",
        MessageRole::Model => "assistant",
    }
}
