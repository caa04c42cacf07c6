//! Answers with the tools that the client declared, whatever the provider had them as.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::BytesMut;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::super::{Block, Delta, Event, EventWriter, Kind, Opening, Reply};
use super::lower::INPUT;
use super::{ClientTool, FunctionNames};

/// Puts the client's tools in the place of the functions that a whole answer calls. What is in a namespace keeps its
/// function's name: the writer of the format that has namespaces tells it.
pub fn restore(reply: &mut Reply, names: &FunctionNames) {
    for block in reply.choices.iter_mut().flat_map(|choice| &mut choice.blocks) {
        let Kind::Call { id, name, arguments, custom, .. } = &mut block.kind else { continue };
        match names.tool(name) {
            Some(ClientTool::Custom { namespace, name: own }) => {
                (*custom, *arguments) = (true, free_text(arguments));
                if namespace.is_none() {
                    own.clone_into(name);
                }
            }
            Some(ClientTool::Search) => block.kind = search_call(id, arguments),
            Some(ClientTool::Function { .. }) | None => {}
        }
    }
}

/// Writes a stream with the client's tools in the place of the functions that it calls.
#[derive(Debug)]
pub struct Restoring {
    writer: Box<dyn EventWriter>,
    names: Arc<FunctionNames>,
    /// Calls whose arguments are known only when they are whole.
    held: BTreeMap<usize, Held>,
}

/// A call that waits for its arguments.
#[derive(Debug)]
struct Held {
    id: String,
    search: bool,
    arguments: String,
}

impl Restoring {
    /// In front of the writer of the client's format.
    #[must_use]
    pub fn before(writer: Box<dyn EventWriter>, names: Arc<FunctionNames>) -> Box<dyn EventWriter> {
        if names.is_empty() { writer } else { Box::new(Self { writer, names, held: BTreeMap::new() }) }
    }

    fn open(&mut self, index: usize, opening: Opening, out: &mut BytesMut) {
        let opening = match opening {
            Opening::Call { id, name, custom } => match self.names.tool(&name) {
                Some(ClientTool::Custom { namespace, name: own }) => {
                    let name = if namespace.is_none() { own.clone() } else { name };
                    self.held.insert(index, Held { id: id.clone(), search: false, arguments: String::new() });
                    Opening::Call { id, name, custom: true }
                }
                Some(ClientTool::Search) => {
                    self.held.insert(index, Held { id, search: true, arguments: String::new() });
                    return;
                }
                Some(ClientTool::Function { .. }) | None => Opening::Call { id, name, custom },
            },
            other => other,
        };
        self.writer.write(Event::Open { index, opening }, out);
    }

    fn close(&mut self, index: usize, out: &mut BytesMut) {
        match self.held.remove(&index) {
            Some(Held { id, search: true, arguments }) => {
                let block = Block { at: String::new(), kind: search_call(&id, &arguments), extra: Vec::new() };
                self.writer.write(Event::Open { index, opening: Opening::Whole(Box::new(block)) }, out);
            }
            Some(Held { arguments, .. }) => {
                let delta = Delta::Arguments(free_text(&arguments));
                self.writer.write(Event::Delta { index, delta }, out);
            }
            None => {}
        }
        self.writer.write(Event::Close { index }, out);
    }
}

impl EventWriter for Restoring {
    fn write(&mut self, event: Event, out: &mut BytesMut) {
        match event {
            Event::Open { index, opening } => self.open(index, opening, out),
            Event::Delta { index, delta: Delta::Arguments(piece) } if self.held.contains_key(&index) => {
                if let Some(held) = self.held.get_mut(&index) {
                    held.arguments.push_str(&piece);
                }
            }
            // A search has no place for the signature of a call.
            Event::Delta { index, .. } if self.held.get(&index).is_some_and(|held| held.search) => {}
            Event::Close { index } => self.close(index, out),
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
fn search_call(id: &str, arguments: &str) -> Kind {
    let arguments = serde_json::from_str::<Value>(arguments).unwrap_or_else(|_| serde_json::json!({}));
    let item = serde_json::json!({
        "id": format!("tsc_{id}"),
        "type": "tool_search_call",
        "status": "completed",
        "execution": "client",
        "call_id": id,
        "arguments": arguments,
    });
    Kind::Other { name: "tool_search_call".to_owned(), raw: to_raw_value(&item).expect("it is JSON") }
}
