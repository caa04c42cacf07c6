//! Messages: instructions before the conversation, and its turns.

use super::super::super::json::{Object, Value};
use super::super::super::{Block, Kind, Role, Signature, Turn, Unreadable};
use super::super::origin::Origin;
use super::super::{calls, instructions, parts, thinking};

/// The content of a list of messages.
#[derive(Debug, Default)]
pub struct Conversation {
    /// Instructions before the conversation, as in `Ask::system`.
    pub system: Vec<Block>,
    /// The conversation, as in `Ask::turns`.
    pub turns: Vec<Turn>,
    /// Calls of the older form, which have no ids: name and the id that was made, not answered yet.
    unanswered: Vec<(String, String)>,
}

/// Reads the list, which has at least one message.
pub fn read(messages: &Value<'_>) -> Result<Conversation, Unreadable> {
    let list = messages.list()?;
    if list.is_empty() {
        return Err(messages.wrong("a list of at least one message"));
    }
    let mut conversation = Conversation::default();
    for message in &list {
        conversation.add(message)?;
    }
    Ok(conversation)
}

impl Conversation {
    fn add(&mut self, value: &Value<'_>) -> Result<(), Unreadable> {
        let mut message = value.object()?;
        let role = message.required(&["role"])?;
        match role.text()?.as_str() {
            word @ ("system" | "developer") => self.instruct(message, word == "developer")?,
            "user" => {
                let blocks = parts::read(&message.required(&["content"])?)?;
                self.push(Role::User, blocks, message);
            }
            "assistant" => {
                let blocks = self.assistant(&mut message)?;
                self.push(Role::Model, blocks, message);
            }
            "tool" => self.result(message)?,
            "function" => self.older_result(message)?,
            _ => return Err(role.wrong("one of `developer`, `system`, `user`, `assistant`, `tool`, `function`")),
        }
        Ok(())
    }

    fn push(&mut self, role: Role, blocks: Vec<Block>, message: Object<'_>) {
        self.turns.push(Turn { at: message.at().to_owned(), role, blocks, extra: message.rest() });
    }

    fn instruct(&mut self, mut message: Object<'_>, developer: bool) -> Result<(), Unreadable> {
        if self.turns.is_empty() {
            self.system.extend(instructions::read(message, developer)?);
            return Ok(());
        }
        let blocks = parts::read(&message.required(&["content"])?)?;
        self.push(if developer { Role::Developer } else { Role::System }, blocks, message);
        Ok(())
    }

    /// Thoughts, content, a refusal beside it, the sound of an earlier answer, calls: in this order.
    fn assistant(&mut self, message: &mut Object<'_>) -> Result<Vec<Block>, Unreadable> {
        let mut blocks = thinking::read(message, Origin::Client)?;
        // Beside calls some clients write that there is no text as an empty list.
        if let Some(content) = message.value(&["content"]).filter(|content| content.raw.get() != "[]") {
            blocks.extend(parts::read(&content)?);
        }
        if let Some(refusal) = message.value(&["refusal"]) {
            blocks.push(Block { kind: Kind::Refusal(refusal.text()?), at: refusal.at, extra: Vec::new() });
        }
        if let Some(audio) = message.value(&["audio"]) {
            let kind = Kind::Other { name: "audio".into(), raw: audio.raw.to_owned() };
            blocks.push(Block { at: audio.at, kind, extra: Vec::new() });
        }
        for call in message.list(&["tool_calls"])? {
            blocks.push(calls::read(&call, Origin::Client)?);
        }
        if let Some(call) = message.value(&["function_call"]) {
            blocks.push(self.older_call(&call, message.at())?);
        }
        if blocks.is_empty() {
            return Err(message.missing("content"));
        }
        thinking::reunite(&mut blocks);
        Ok(blocks)
    }

    /// The older form has no ids. One is made of the place, so that the same history gives the same ids.
    fn older_call(&mut self, value: &Value<'_>, message: &str) -> Result<Block, Unreadable> {
        let id = made_id(message);
        let call = calls::function_call(value, id.clone(), Origin::Client)?;
        if let Kind::Call { name, .. } = &call.kind {
            self.unanswered.push((name.clone(), id));
        }
        Ok(call)
    }

    fn result(&mut self, mut message: Object<'_>) -> Result<(), Unreadable> {
        let id = message.required(&["tool_call_id"])?.text()?;
        let id = Signature::off_id(&id).0.to_owned();
        let name = message.text(&["name"])?;
        self.push_result(id, name, message)
    }

    fn older_result(&mut self, mut message: Object<'_>) -> Result<(), Unreadable> {
        let name = message.required(&["name"])?.text()?;
        let asked = self.unanswered.iter().position(|(called, _)| *called == name);
        let id = asked.map_or_else(|| made_id(message.at()), |asked| self.unanswered.remove(asked).1);
        self.push_result(id, Some(name), message)
    }

    /// Members of the message that only this format knows go with the result: the message is nothing else.
    fn push_result(&mut self, id: String, name: Option<String>, mut message: Object<'_>) -> Result<(), Unreadable> {
        let content = parts::read(&message.required(&["content"])?)?;
        let at = message.at().to_owned();
        let kind = Kind::CallResult { id, name, content, failed: None };
        let block = Block { at: at.clone(), kind, extra: message.rest() };
        self.turns.push(Turn { at, role: Role::User, blocks: vec![block], extra: Vec::new() });
        Ok(())
    }
}

/// `call_messages_3` of `messages[3]`.
fn made_id(message: &str) -> String {
    format!("call_{}", message.replace('[', "_").replace(']', ""))
}
