//! Items of an answer, as clients get them.

use serde_json::value::RawValue;

use super::super::functions::{ClientTool, FunctionNames};
use super::super::json::ObjectWriter;
use super::super::{BlockKind, ContentBlock, Format, MediaContent, MediaSource, ThinkingSignature};
use super::media;

/// One item of an answer.
#[derive(Debug)]
pub struct ResponseItem {
    /// Its id, unless it is a raw one.
    pub id: String,
    /// Its kind, with the content of that kind.
    pub body: ItemBody,
    /// True if it is complete.
    pub done: bool,
}

/// The kind of an item, with its content.
#[derive(Debug)]
pub enum ItemBody {
    /// Texts and refusals in a row.
    Message(Vec<MessagePart>),
    /// Thinking: its summary, and what its maker wants back.
    Reasoning { text: String, closed: Option<String> },
    /// A call.
    Call { call_id: String, namespace: Option<String>, name: String, custom: bool, arguments: String },
    /// A picture, in base64.
    Picture { mime: Option<String>, data: String },
    /// The conversation in short.
    Compaction { closed: String },
    /// An item as the provider of this format wrote it.
    Raw(Box<RawValue>),
}

/// A part of a message.
#[derive(Debug)]
pub struct MessagePart {
    /// True for a refusal, which says why there is no answer.
    pub refusal: bool,
    /// The text or refusal.
    pub text: String,
    /// The annotations, where a provider of this format told them with the whole text.
    pub annotations: Option<Box<RawValue>>,
    /// True if it is complete.
    pub done: bool,
}

impl MessagePart {
    /// One that has yet to be filled.
    pub const fn new(refusal: bool) -> Self {
        Self { refusal, text: String::new(), annotations: None, done: false }
    }

    /// The text or refusal of a block.
    fn of_block(refusal: bool, text: &str, block: &ContentBlock) -> Self {
        // By this name a text has it in this format alone.
        let annotations = block.extra.iter().find(|extra| extra.name == "annotations" && extra.value.get() != "null");
        Self { refusal, text: text.to_owned(), annotations: annotations.map(|extra| extra.value.clone()), done: true }
    }

    /// Writes it.
    pub fn write(&self, mut object: ObjectWriter<'_>) {
        if self.refusal {
            object.member("type", "refusal").member("refusal", &self.text);
        } else {
            object.member("type", "output_text").member("text", &self.text);
            match &self.annotations {
                Some(annotations) => {
                    object.member("annotations", annotations);
                }
                None => object.array("annotations").end(),
            }
            object.array("logprobs").end();
        }
        object.end();
    }
}

impl ResponseItem {
    /// One that has yet to be filled, the `index`th of the answer with the id `answer`.
    pub fn new(body: ItemBody, answer: &str, index: usize) -> Self {
        let prefix = match &body {
            ItemBody::Message(_) => "msg",
            ItemBody::Reasoning { .. } => "rs",
            ItemBody::Call { custom: false, .. } => "fc",
            ItemBody::Call { custom: true, .. } => "ctc",
            ItemBody::Picture { .. } => "ig",
            ItemBody::Compaction { .. } => "cmp",
            ItemBody::Raw(_) => "item",
        };
        Self { id: format!("{prefix}_{answer}{index:04x}"), body, done: false }
    }

    /// The body with the client's own name, where it calls one of its tools that providers have by another name.
    pub fn named(mut body: ItemBody, functions: &FunctionNames) -> ItemBody {
        if let ItemBody::Call { namespace, name, .. } = &mut body {
            let (of, own) = match functions.tool(name) {
                Some(ClientTool::Function { namespace, name }) => (Some(namespace.clone()), name.clone()),
                Some(ClientTool::Custom { namespace, name }) => (namespace.clone(), name.clone()),
                Some(ClientTool::Search | ClientTool::Renamed { .. }) | None => return body,
            };
            (*namespace, *name) = (of, own);
        }
        body
    }

    /// The body for a block that comes whole; `None` where this format has no item for it.
    pub fn of_block(block: &ContentBlock) -> Option<ItemBody> {
        let whole = |refusal, text: &str| ItemBody::Message(vec![MessagePart::of_block(refusal, text, block)]);
        let closed = |signature: &ThinkingSignature| signature.for_client(Format::Responses);
        Some(match &block.kind {
            BlockKind::Text(text) => whole(false, text),
            BlockKind::Refusal(text) => whole(true, text),
            BlockKind::Thinking { text, id: _, signature } => {
                ItemBody::Reasoning { text: text.clone(), closed: signature.as_ref().map(closed) }
            }
            BlockKind::ClosedThinking(signature) => {
                ItemBody::Reasoning { text: String::new(), closed: Some(closed(signature)) }
            }
            BlockKind::Call { id, name, arguments, custom, signature } => ItemBody::Call {
                call_id: signature.as_ref().map_or_else(|| id.clone(), |signature| signature.append_to_id(id)),
                namespace: None,
                name: name.clone(),
                custom: *custom,
                arguments: complete(arguments, *custom),
            },
            BlockKind::Image(MediaContent { mime, source: MediaSource::Base64(data), .. }) => {
                ItemBody::Picture { mime: mime.clone(), data: data.clone() }
            }
            BlockKind::Image(MediaContent { source: MediaSource::Url(address), .. }) => {
                whole(false, &format!("![]({address})"))
            }
            BlockKind::Compaction { id: _, closed } => ItemBody::Compaction { closed: closed.clone() },
            BlockKind::Other { name, raw } if is_item(name) => ItemBody::Raw(raw.clone()),
            BlockKind::Image(_)
            | BlockKind::Document(_)
            | BlockKind::Audio(_)
            | BlockKind::Video(_)
            | BlockKind::CallResult { .. }
            | BlockKind::Other { .. } => return None,
        })
    }

    /// Writes it as far as it has come; `state` is `in_progress`, `completed` or `incomplete`.
    pub fn write(&self, state: &str, mut object: ObjectWriter<'_>) {
        object.member("id", &self.id);
        match &self.body {
            ItemBody::Message(parts) => {
                object.member("type", "message").member("status", state).member("role", "assistant");
                let mut content = object.array("content");
                for part in parts {
                    part.write(content.object());
                }
                content.end();
            }
            ItemBody::Reasoning { text, closed } => reasoning(text, closed.as_deref(), &mut object),
            ItemBody::Call { call_id, namespace, name, custom, arguments } => {
                object.member("type", if *custom { "custom_tool_call" } else { "function_call" });
                object.member("status", state).member("call_id", call_id).member("name", name);
                object.maybe("namespace", namespace.as_ref());
                object.member(if *custom { "input" } else { "arguments" }, arguments);
            }
            ItemBody::Picture { mime, data } => {
                let mime = mime.as_deref().unwrap_or_else(|| media::picture_kind(data));
                // Several megabytes are not sent twice.
                let data = Some(data).filter(|_| state != "in_progress");
                object.member("type", "image_generation_call").member("status", state).member("result", &data);
                object.maybe("output_format", mime.strip_prefix("image/"));
            }
            ItemBody::Compaction { closed } => {
                object.member("type", "compaction").member("encrypted_content", closed);
            }
            ItemBody::Raw(_) => {}
        }
        object.end();
    }
}

/// Thinking has no state: providers refuse one when the item comes back.
fn reasoning(text: &str, closed: Option<&str>, object: &mut ObjectWriter<'_>) {
    object.member("type", "reasoning");
    let mut summary = object.array("summary");
    if !text.is_empty() {
        summary_part(text, summary.object());
    }
    summary.end();
    // Also where the client did not ask for it: clients that send items back instead of an id need it to go on.
    object.maybe("encrypted_content", closed);
}

/// A part of a summary of thinking.
pub fn summary_part(text: &str, mut object: ObjectWriter<'_>) {
    object.member("type", "summary_text").member("text", text);
    object.end();
}

/// Arguments of a call that came to an end.
pub fn complete(arguments: &str, custom: bool) -> String {
    if arguments.is_empty() && !custom { "{}".to_owned() } else { arguments.to_owned() }
}

/// True if a block that nobody else knows is an item of this format's answers.
fn is_item(name: &str) -> bool {
    const WORDS: [&str; 6] = [
        "mcp_list_tools",
        "mcp_approval_request",
        "shell_call_output",
        "apply_patch_call_output",
        "program",
        "program_output",
    ];
    WORDS.contains(&name) || name.ends_with("_call")
}
