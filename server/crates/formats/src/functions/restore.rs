//! Answers with the tools that the client declared, whatever the provider had them as.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::BytesMut;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::super::{BlockDelta, BlockKind, BlockOpening, ChatResponse, ContentBlock, StreamEncoder, StreamEvent};
use super::lower::INPUT;
use super::{ClientTool, FunctionNames};

/// Puts the client's tools in the place of the functions that a whole answer calls. What is in a namespace keeps its
/// function's name: the writer of the format that has namespaces tells it.
pub fn restore(reply: &mut ChatResponse, names: &FunctionNames) {
    for block in reply.choices.iter_mut().flat_map(|choice| &mut choice.blocks) {
        let BlockKind::Call { id, name, arguments, custom, .. } = &mut block.kind else { continue };
        match names.tool(name) {
            Some(ClientTool::Custom { namespace, name: own }) => {
                (*custom, *arguments) = (true, free_text(arguments));
                if namespace.is_none() {
                    own.clone_into(name);
                }
            }
            Some(ClientTool::Renamed { name: own }) => own.clone_into(name),
            Some(ClientTool::Search) => block.kind = search_call(id, arguments),
            Some(ClientTool::Function { .. }) | None => {}
        }
    }
}

/// Writes a stream with the client's tools in the place of the functions that it calls.
#[derive(Debug)]
pub struct ToolRestorer {
    writer: Box<dyn StreamEncoder>,
    names: Arc<FunctionNames>,
    /// Calls whose arguments are known only when they are whole.
    held: BTreeMap<usize, PendingCall>,
}

/// A call that waits for its arguments.
#[derive(Debug)]
struct PendingCall {
    id: String,
    search: bool,
    arguments: String,
}

impl ToolRestorer {
    /// In front of the writer of the client's format.
    #[must_use]
    pub fn wrap(writer: Box<dyn StreamEncoder>, names: Arc<FunctionNames>) -> Box<dyn StreamEncoder> {
        if names.is_empty() { writer } else { Box::new(Self { writer, names, held: BTreeMap::new() }) }
    }

    fn open(&mut self, index: usize, opening: BlockOpening, out: &mut BytesMut) {
        let opening = match opening {
            BlockOpening::Call { id, name, custom } => match self.names.tool(&name) {
                Some(ClientTool::Custom { namespace, name: own }) => {
                    let name = if namespace.is_none() { own.clone() } else { name };
                    self.held.insert(index, PendingCall { id: id.clone(), search: false, arguments: String::new() });
                    BlockOpening::Call { id, name, custom: true }
                }
                Some(ClientTool::Search) => {
                    self.held.insert(index, PendingCall { id, search: true, arguments: String::new() });
                    return;
                }
                Some(ClientTool::Renamed { name: own }) => BlockOpening::Call { id, name: own.clone(), custom },
                Some(ClientTool::Function { .. }) | None => BlockOpening::Call { id, name, custom },
            },
            other => other,
        };
        self.writer.write(StreamEvent::Open { index, opening }, out);
    }

    fn close(&mut self, index: usize, out: &mut BytesMut) {
        match self.held.remove(&index) {
            Some(PendingCall { id, search: true, arguments }) => {
                let block = ContentBlock { at: String::new(), kind: search_call(&id, &arguments), extra: Vec::new() };
                self.writer.write(StreamEvent::Open { index, opening: BlockOpening::Whole(Box::new(block)) }, out);
            }
            Some(PendingCall { arguments, .. }) => {
                let delta = BlockDelta::Arguments(free_text(&arguments));
                self.writer.write(StreamEvent::Delta { index, delta }, out);
            }
            None => {}
        }
        self.writer.write(StreamEvent::Close { index }, out);
    }
}

impl StreamEncoder for ToolRestorer {
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut) {
        match event {
            StreamEvent::Open { index, opening } => self.open(index, opening, out),
            StreamEvent::Delta { index, delta: BlockDelta::Arguments(piece) } if self.held.contains_key(&index) => {
                if let Some(held) = self.held.get_mut(&index) {
                    held.arguments.push_str(&piece);
                }
            }
            // A search has no place for the signature of a call.
            StreamEvent::Delta { index, .. } if self.held.get(&index).is_some_and(|held| held.search) => {}
            StreamEvent::Close { index } => self.close(index, out),
            other => self.writer.write(other, out),
        }
    }

    fn response(&self) -> Option<Vec<u8>> {
        self.writer.response()
    }

    fn fail(&mut self, code: &str, message: &str, body: &[u8], out: &mut BytesMut) {
        self.writer.fail(code, message, body, out);
    }
}

/// The free text among the arguments of a call. Models err: what is no such object is the text itself.
fn free_text(arguments: &str) -> String {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(mut members)) => match members.remove(INPUT) {
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
            None => arguments.to_owned(),
        },
        _ => arguments.to_owned(),
    }
}

/// The item of format R that asks its client for a search.
fn search_call(id: &str, arguments: &str) -> BlockKind {
    let arguments = serde_json::from_str::<Value>(arguments).unwrap_or_else(|_| serde_json::json!({}));
    let item = serde_json::json!({
        "id": format!("tsc_{id}"),
        "type": "tool_search_call",
        "status": "completed",
        "execution": "client",
        "call_id": id,
        "arguments": arguments,
    });
    BlockKind::Other { name: "tool_search_call".to_owned(), raw: to_raw_value(&item).expect("it is JSON") }
}
