//! Messages: instructions before the conversation, and its turns.

use super::super::origin::MessageOrigin;
use super::super::{calls, instructions, parts, thinking};
use crate::json::{JsonObject, JsonValue};
use crate::{BlockKind, ChatMessage, ContentBlock, MalformedRequest, MessageRole, ThinkingSignature};

/// The content of a list of messages.
#[derive(Debug, Default)]
pub struct DecodedConversation {
    /// Instructions before the conversation, as in `ChatRequest::system`.
    pub system: Vec<ContentBlock>,
    /// The conversation, as in `ChatRequest::turns`.
    pub turns: Vec<ChatMessage>,
    /// Calls of the older form, which have no ids: name and the id that was made, not answered yet.
    unanswered: Vec<(String, String)>,
}

/// Reads the list, which has at least one message.
pub fn read(messages: &JsonValue<'_>) -> Result<DecodedConversation, MalformedRequest> {
    let list = messages.list()?;
    if list.is_empty() {
        return Err(messages.wrong("a list of at least one message"));
    }
    let mut conversation = DecodedConversation::default();
    for message in &list {
        conversation.add(message)?;
    }
    Ok(conversation)
}

impl DecodedConversation {
    fn add(&mut self, value: &JsonValue<'_>) -> Result<(), MalformedRequest> {
        let mut message = value.object()?;
        let role = message.required(&["role"])?;
        match role.text()?.as_str() {
            word @ ("system" | "developer") => self.instruct(message, word == "developer")?,
            "user" => {
                let blocks = parts::read(&message.required(&["content"])?)?;
                self.push(MessageRole::User, blocks, message);
            }
            "assistant" => {
                let blocks = self.assistant(&mut message)?;
                self.push(MessageRole::Model, blocks, message);
            }
            "tool" => self.result(message)?,
            "function" => self.older_result(message)?,
            _ => return Err(role.wrong("one of `developer`, `system`, `user`, `assistant`, `tool`, `function`")),
        }
        Ok(())
    }

    fn push(&mut self, role: MessageRole, blocks: Vec<ContentBlock>, message: JsonObject<'_>) {
        self.turns.push(ChatMessage { at: message.at().to_owned(), role, blocks, extra: message.rest() });
    }

    fn instruct(&mut self, mut message: JsonObject<'_>, developer: bool) -> Result<(), MalformedRequest> {
        if self.turns.is_empty() {
            self.system.extend(instructions::read(message, developer)?);
            return Ok(());
        }
        let blocks = parts::read(&message.required(&["content"])?)?;
        self.push(if developer { MessageRole::Developer } else { MessageRole::System }, blocks, message);
        Ok(())
    }

    /// Thoughts, content, a refusal beside it, the sound of an earlier answer, calls: in this order.
    fn assistant(&mut self, message: &mut JsonObject<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
        let mut blocks = thinking::read(message, MessageOrigin::Client)?;
        // Beside calls some clients write that there is no text as an empty list.
        if let Some(content) = message.value(&["content"]).filter(|content| content.raw.get() != "[]") {
            blocks.extend(parts::read(&content)?);
        }
        if let Some(refusal) = message.value(&["refusal"]) {
            blocks.push(ContentBlock { kind: BlockKind::Refusal(refusal.text()?), at: refusal.at, extra: Vec::new() });
        }
        if let Some(audio) = message.value(&["audio"]) {
            let kind = BlockKind::Other { name: "audio".into(), raw: audio.raw.to_owned() };
            blocks.push(ContentBlock { at: audio.at, kind, extra: Vec::new() });
        }
        for call in message.list(&["tool_calls"])? {
            blocks.push(calls::read(&call, MessageOrigin::Client)?);
        }
        if let Some(call) = message.value(&["function_call"]) {
            blocks.push(self.older_call(&call, message.at())?);
        }
        if blocks.is_empty() {
            return Err(message.missing("content"));
        }
        thinking::restore_signatures(&mut blocks);
        Ok(blocks)
    }

    /// The older form has no ids. One is made of the place, so that the same history gives the same ids.
    fn older_call(&mut self, value: &JsonValue<'_>, message: &str) -> Result<ContentBlock, MalformedRequest> {
        let id = made_id(message);
        let call = calls::function_call(value, id.clone(), MessageOrigin::Client)?;
        if let BlockKind::Call { name, .. } = &call.kind {
            self.unanswered.push((name.clone(), id));
        }
        Ok(call)
    }

    fn result(&mut self, mut message: JsonObject<'_>) -> Result<(), MalformedRequest> {
        let id = message.required(&["tool_call_id"])?.text()?;
        let id = ThinkingSignature::split_from_id(&id).0.to_owned();
        let name = message.text(&["name"])?;
        self.push_result(id, name, message)
    }

    fn older_result(&mut self, mut message: JsonObject<'_>) -> Result<(), MalformedRequest> {
        let name = message.required(&["name"])?.text()?;
        let asked = self.unanswered.iter().position(|(called, _)| *called == name);
        let id = asked.map_or_else(|| made_id(message.at()), |asked| self.unanswered.remove(asked).1);
        self.push_result(id, Some(name), message)
    }

    /// Members of the message that only this format knows go with the result: the message is nothing else.
    fn push_result(
        &mut self,
        id: String,
        name: Option<String>,
        mut message: JsonObject<'_>,
    ) -> Result<(), MalformedRequest> {
        let content = parts::read(&message.required(&["content"])?)?;
        let at = message.at().to_owned();
        let kind = BlockKind::CallResult { id, name, content, failed: None };
        let block = ContentBlock { at: at.clone(), kind, extra: message.rest() };
        self.turns.push(ChatMessage { at, role: MessageRole::User, blocks: vec![block], extra: Vec::new() });
        Ok(())
    }
}

/// `call_messages_3` of `messages[3]`.
fn made_id(message: &str) -> String {
    format!("call_{}", message.replace('[', "_").replace(']', ""))
}
