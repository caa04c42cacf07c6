//! Items of the conversation.

use std::collections::BTreeSet;

use super::super::super::json::ArrayWriter;
use super::super::super::{Ask, Block, Carry, Extra, Kind, Media, NotCarried, Role, Source, Target, Turn};
use super::super::mark;
use super::call_ids::CallIds;
use super::content;

/// Writes turns as items.
#[derive(Debug)]
pub struct Items<'w, 'a> {
    pub(super) ask: &'a Ask,
    pub(super) target: &'a Target<'a>,
    pub(super) carry: &'w mut Carry,
    pub(super) list: ArrayWriter<'w>,
    pub(super) ids: CallIds,
    /// Ids of calls whose input is free text.
    pub(super) custom: BTreeSet<&'a str>,
    /// Thinking that waits for what it led to: providers refuse it alone.
    pub(super) held: Vec<&'a Block>,
}

impl<'w, 'a> Items<'w, 'a> {
    /// Into `list`.
    pub fn new(ask: &'a Ask, target: &'a Target<'a>, carry: &'w mut Carry, list: ArrayWriter<'w>) -> Self {
        let blocks = ask.turns.iter().flat_map(|turn| &turn.blocks);
        let custom = blocks.filter_map(|block| match &block.kind {
            Kind::Call { id, custom: true, .. } => Some(id.as_str()),
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

    /// A message of instructions that was read into `Ask::system`.
    pub fn lifted(&mut self, blocks: &[&'a Block]) -> Result<(), NotCarried> {
        let Some(first) = blocks.first() else { return Ok(()) };
        let of_message =
            |extra: &Extra| mark::of_message(extra).map(|name| Extra { name: name.into(), ..extra.clone() });
        let mut members: Vec<Extra> = first.extra.iter().filter_map(of_message).collect();
        let role = if mark::is(&members, "role", "system") { Role::System } else { Role::Developer };
        members.retain(|member| member.name != "role");
        self.message(role, blocks, &members)
    }

    /// One turn: its content as messages, and what else is in it as items of their own, in order.
    pub fn turn(&mut self, turn: &'a Turn) -> Result<(), NotCarried> {
        if turn.role != Role::Model {
            self.give_up_held();
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
                let run: Vec<&Block> = run.iter().collect();
                self.message(turn.role, &run, members)?;
            } else {
                self.item(&run[0])?;
            }
        }
        Ok(())
    }

    /// Closes the list.
    pub fn end(mut self) {
        self.give_up_held();
        self.list.end();
    }

    fn message(&mut self, role: Role, blocks: &[&'a Block], members: &[Extra]) -> Result<(), NotCarried> {
        let foreign = !self.carry.same_format();
        // Other formats have empty texts where this one has no message.
        let empty = |block: &&Block| matches!(&block.kind, Kind::Text(text) if text.is_empty());
        let blocks: Vec<&Block> = blocks.iter().copied().filter(|block| !(foreign && empty(block))).collect();
        if foreign && blocks.is_empty() {
            return Ok(());
        }
        self.write_held();
        let mut object = self.list.object();
        object.member("type", "message").member("role", word(role)).extras(members);
        match blocks.as_slice() {
            // A text alone is what every server takes; with members of an answer's item only parts are.
            [Block { kind: Kind::Text(text), extra, .. }] if members.is_empty() && (foreign || extra.is_empty()) => {
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

    fn item(&mut self, block: &'a Block) -> Result<(), NotCarried> {
        match &block.kind {
            Kind::Thinking { .. } | Kind::ClosedThinking(_) => {
                self.held.push(block);
                if self.carry.same_format() {
                    self.write_held();
                }
                Ok(())
            }
            Kind::Call { id, name, arguments, custom, signature } => {
                self.carry.drop_signature(&block.at, signature.as_ref());
                self.write_held();
                self.call(block, (id, name, arguments), *custom)
            }
            Kind::CallResult { id, name, content, failed } => {
                self.call_result(block, (id, name.as_deref()), content, *failed == Some(true))
            }
            Kind::Compaction { id, closed } if self.carry.same_format() => {
                let mut object = self.list.object();
                object.member("type", "compaction").maybe("id", id.as_ref()).member("encrypted_content", closed);
                object.extras(&block.extra);
                object.end();
                Ok(())
            }
            Kind::Other { name: _, raw } if self.carry.same_format() => {
                self.list.element(raw);
                Ok(())
            }
            Kind::Image(Media { source: Source::Base64(data), .. }) => {
                let mut object = self.list.object();
                object.extras(&block.extra).member("result", data);
                object.end();
                Ok(())
            }
            Kind::Compaction { .. } => Err(NotCarried::new(
                &block.at,
                "only the provider that shortened the conversation can open it; send the conversation itself",
            )),
            Kind::Other { name, .. } => {
                Err(NotCarried::new(&block.at, format!("this model's provider knows no `{name}`; leave it out")))
            }
            Kind::Text(_) | Kind::Refusal(_) | Kind::Image(_) | Kind::Document(_) | Kind::Audio(_) | Kind::Video(_) => {
                Err(NotCarried::new(&block.at, "this kind of content can only be sent in a message"))
            }
        }
    }
}

/// True for a part of a message; anything else is an item of its own.
fn is_content(block: &Block, turn: &Turn) -> bool {
    match &block.kind {
        Kind::Text(_) | Kind::Refusal(_) | Kind::Document(_) | Kind::Audio(_) | Kind::Video(_) => true,
        Kind::Image(_) => !mark::is(&block.extra, "type", "image_generation_call"),
        Kind::Other { .. } => block.at != turn.at,
        Kind::Call { .. }
        | Kind::CallResult { .. }
        | Kind::Thinking { .. }
        | Kind::ClosedThinking(_)
        | Kind::Compaction { .. } => false,
    }
}

const fn word(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::Developer => "developer",
        Role::User => "user",
        Role::Model => "assistant",
    }
}
