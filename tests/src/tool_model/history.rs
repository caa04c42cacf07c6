//! What a request tells of the conversation so far, in order, whatever the format.

use serde_json::Value;

use crate::scripted_model::formats::Wire;

/// One step of a conversation.
#[derive(Debug)]
pub enum Step {
    /// A user says something.
    User(String),
    /// The model thought, and signed it so.
    Thought(String),
    /// The model called a tool.
    Call { id: String },
    /// The result of a call.
    Result { id: String, text: String },
}

impl Step {
    /// The text of a result.
    pub fn result(&self) -> Option<&str> {
        match self {
            Self::Result { text, .. } => Some(text),
            Self::User(_) | Self::Thought(_) | Self::Call { .. } => None,
        }
    }
}

/// The steps of a request, in order.
pub fn steps(wire: Wire, body: &Value) -> Result<Vec<Step>, String> {
    match wire {
        Wire::Chat => list(&body["messages"])?.iter().map(of_chat).collect::<Result<Vec<_>, _>>().map(flat),
        Wire::Responses if body["input"].is_string() => Ok(vec![Step::User(text(&body["input"]))]),
        Wire::Responses => list(&body["input"])?.iter().map(of_responses).collect::<Result<Vec<_>, _>>().map(flat),
        Wire::Messages => list(&body["messages"])?.iter().map(of_messages).collect::<Result<Vec<_>, _>>().map(flat),
        Wire::Generate => list(&body["contents"])?.iter().map(of_generate).collect::<Result<Vec<_>, _>>().map(flat),
    }
}

fn flat(steps: Vec<Vec<Step>>) -> Vec<Step> {
    steps.into_iter().flatten().collect()
}

fn of_chat(message: &Value) -> Result<Vec<Step>, String> {
    Ok(match message["role"].as_str() {
        Some("user") => vec![Step::User(text(&message["content"]))],
        Some("tool") => vec![Step::Result { id: id(&message["tool_call_id"])?, text: text(&message["content"]) }],
        Some("assistant") => {
            let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
            calls.iter().map(|call| Ok(Step::Call { id: id(&call["id"])? })).collect::<Result<_, String>>()?
        }
        Some("system" | "developer") => Vec::new(),
        _ => return Err(format!("no such role in {message}")),
    })
}

fn of_responses(item: &Value) -> Result<Vec<Step>, String> {
    Ok(match item["type"].as_str() {
        Some("message") | None => match item["role"].as_str() {
            Some("user") => vec![Step::User(text(&item["content"]))],
            Some("assistant" | "system" | "developer") => Vec::new(),
            _ => return Err(format!("no such role in {item}")),
        },
        Some("reasoning") => vec![Step::Thought(text(&item["encrypted_content"]))],
        Some("function_call") => vec![Step::Call { id: id(&item["call_id"])? }],
        Some("function_call_output") => {
            vec![Step::Result { id: id(&item["call_id"])?, text: text(&item["output"]) }]
        }
        Some(_) => return Err(format!("no such item: {item}")),
    })
}

fn of_messages(message: &Value) -> Result<Vec<Step>, String> {
    let of_user = message["role"] == "user";
    if message["content"].is_string() {
        return Ok(if of_user { vec![Step::User(text(&message["content"]))] } else { Vec::new() });
    }
    let mut steps = Vec::new();
    for block in list(&message["content"])? {
        match block["type"].as_str() {
            Some("text") if of_user => steps.push(Step::User(text(&block["text"]))),
            Some("text") => {}
            Some("thinking") => steps.push(Step::Thought(text(&block["signature"]))),
            Some("tool_use") => steps.push(Step::Call { id: id(&block["id"])? }),
            Some("tool_result") => {
                steps.push(Step::Result { id: id(&block["tool_use_id"])?, text: text(&block["content"]) });
            }
            _ => return Err(format!("no such block: {block}")),
        }
    }
    Ok(steps)
}

/// Calls of this format may be without ids; their names tell then, as a turn calls nothing twice.
fn of_generate(content: &Value) -> Result<Vec<Step>, String> {
    let of_user = content["role"] != "model";
    let of_function = |function: &Value| id(&function["id"]).or_else(|_| id(&function["name"]));
    let mut steps = Vec::new();
    for part in list(&content["parts"])? {
        if let Some(signature) = part["thoughtSignature"].as_str() {
            steps.push(Step::Thought(signature.to_owned()));
        }
        if let Some(call) = part.get("functionCall") {
            steps.push(Step::Call { id: of_function(call)? });
        } else if let Some(result) = part.get("functionResponse") {
            steps.push(Step::Result { id: of_function(result)?, text: result["response"].to_string() });
        } else if of_user {
            steps.push(Step::User(text(&part["text"])));
        }
    }
    Ok(steps)
}

fn list(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("no list: {value}"))
}

fn id(value: &Value) -> Result<String, String> {
    value
        .as_str()
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .ok_or_else(|| "a call or result without an id".to_owned())
}

/// A text, or the texts of parts.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}
