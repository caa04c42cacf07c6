//! The input of a request as a list of items: for what the service keeps, and for going on from there.

use serde_json::value::RawValue;

use super::super::MalformedRequest;
use super::super::json::{ArrayWriter, JsonObject, JsonValue, ObjectWriter};

/// The request's input as items, each with an id: a new one is made of `answer`, 32 hex digits, where the client gave none.
///
/// # Errors
/// When the input is neither a text nor a list of items.
pub fn items(body: &[u8], answer: &str) -> Result<Vec<Box<RawValue>>, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let Some(input) = object.value(&["input"]) else { return Ok(Vec::new()) };
    let items = as_items(&input)?;
    items.iter().enumerate().map(|(index, item)| with_id(item, &input, answer, index)).collect()
}

/// The output of a response object, item by item.
///
/// # Errors
/// When it is no response object.
pub fn outputs(response: &[u8]) -> Result<Vec<Box<RawValue>>, MalformedRequest> {
    let output = JsonValue::document(response)?.object()?.required(&["output"])?.list()?;
    Ok(output.into_iter().map(|item| item.raw.to_owned()).collect())
}

/// A reference to something stored, in an item of the input as [`items`] gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredReference {
    /// All of it: it is the id of an item and nothing else.
    Item(String),
    /// Its closed content: thinking that a client sends back as it was told it, by its id.
    ClosedThinking(String),
}

/// The reference of an item, if it has one.
#[must_use]
pub fn reference(item: &RawValue) -> Option<StoredReference> {
    let mut object = JsonValue { at: String::new(), raw: item }.object().ok()?;
    let id = object.text(&["id"]).ok()??;
    match object.text(&["type"]).ok()??.as_str() {
        "item_reference" => Some(StoredReference::Item(id)),
        "reasoning" if object.value(&["encrypted_content"]).is_none() => Some(StoredReference::ClosedThinking(id)),
        _ => None,
    }
}

/// The request with `previous_items` in front of its own input and without `previous_response_id`. All else stays as it
/// stands.
///
/// # Errors
/// When the input is neither a text nor a list of items.
pub fn expand(previous_items: &[Box<RawValue>], body: &[u8]) -> Result<Vec<u8>, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let own = object.value(&["input"]).map(|input| as_items(&input)).transpose()?.unwrap_or_default();
    object.raw("previous_response_id");
    Ok(join(object, previous_items.iter().chain(&own)))
}

/// The request with these items as its input. All else stays as it stands.
///
/// # Errors
/// When the body is no object.
pub fn with_items(body: &[u8], items: &[Box<RawValue>]) -> Result<Vec<u8>, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    object.raw("input");
    Ok(join(object, items))
}

fn join<'i>(object: JsonObject<'_>, items: impl IntoIterator<Item = &'i Box<RawValue>>) -> Vec<u8> {
    let mut body = Vec::with_capacity(4096);
    let mut out = ObjectWriter::new(&mut body);
    out.extras(&object.rest());
    let mut list = out.array("input");
    for item in items {
        list.element(item);
    }
    list.end();
    out.end();
    body
}

/// A text is one message of the user's.
fn as_items(input: &JsonValue<'_>) -> Result<Vec<Box<RawValue>>, MalformedRequest> {
    const EXPECTED: &str = "a text or a list of items";
    if !input.starts_with('"') {
        let items = input.list().map_err(|_| input.wrong(EXPECTED))?;
        return Ok(items.into_iter().map(|item| item.raw.to_owned()).collect());
    }
    let text = input.text()?;
    let message = written(|object| {
        object.member("type", "message").member("role", "user");
        one_text("input_text", &text, object.array("content"));
    });
    Ok(vec![message])
}

/// An item as the list of a response's input items has it: typed, with an id, a message's content in parts.
fn with_id(
    item: &RawValue,
    input: &JsonValue<'_>,
    answer: &str,
    index: usize,
) -> Result<Box<RawValue>, MalformedRequest> {
    let mut object = JsonValue { at: format!("{}[{index}]", input.at), raw: item }.object()?;
    let kind = match object.text(&["type"])? {
        Some(kind) => kind,
        None if object.has("role") => "message".to_owned(),
        None if object.has("id") => "item_reference".to_owned(),
        None => return Err(object.missing("type")),
    };
    let id = object.text(&["id"])?.filter(|id| !id.is_empty());
    let id = id.unwrap_or_else(|| format!("{}_{answer}i{index:04x}", prefix(&kind)));
    let content = (kind == "message").then(|| object.value(&["content"])).flatten();
    let role = object.text(&["role"])?;
    let mut fault = None;
    let item = written(|out| {
        out.member("id", &id).member("type", &kind).maybe("role", role.as_ref());
        if let Some(content) = content {
            fault = write_content(&content, role.as_deref(), out).err();
        }
        out.extras(&object.rest());
    });
    fault.map_or(Ok(item), Err)
}

fn write_content(
    content: &JsonValue<'_>,
    role: Option<&str>,
    out: &mut ObjectWriter<'_>,
) -> Result<(), MalformedRequest> {
    if content.starts_with('"') {
        let kind = if role == Some("assistant") { "output_text" } else { "input_text" };
        one_text(kind, &content.text()?, out.array("content"));
    } else {
        out.member("content", content.raw);
    }
    Ok(())
}

fn one_text(kind: &str, text: &str, mut content: ArrayWriter<'_>) {
    let mut part = content.object();
    part.member("type", kind).member("text", text);
    if kind == "output_text" {
        part.array("annotations").end();
    }
    part.end();
    content.end();
}

fn written(write: impl FnOnce(&mut ObjectWriter<'_>)) -> Box<RawValue> {
    let mut out = Vec::new();
    let mut object = ObjectWriter::new(&mut out);
    write(&mut object);
    object.end();
    let text = String::from_utf8(out).expect("JSON is text");
    RawValue::from_string(text).expect("what the writer wrote is JSON")
}

/// The prefix of ids of such items; providers check it.
fn prefix(kind: &str) -> &'static str {
    match kind {
        "message" => "msg",
        "reasoning" => "rs",
        "function_call" => "fc",
        "function_call_output" => "fco",
        "custom_tool_call" => "ctc",
        "custom_tool_call_output" => "ctco",
        "compaction" => "cmp",
        "web_search_call" => "ws",
        "file_search_call" => "fs",
        "image_generation_call" => "ig",
        "code_interpreter_call" => "ci",
        "computer_call" | "computer_call_output" => "cu",
        _ if kind.starts_with("mcp_") => "mcp",
        _ => "item",
    }
}
