//! A model for programs that offer tools: it looks up a price, multiplies it, and says the total, as text or in the form that
//! is asked for. It speaks all four formats, whole and as streams, and decides by the history that it gets: every call has its
//! one result, numbers are those of the results, and what it signed comes back, or it refuses the request by name.
//!
//! Start it with `upstream.on(tool_model())`.

mod history;

use serde_json::{Value, json};

use crate::reply::Reply;
use crate::scripted_model::call::{Call, Input};
use crate::scripted_model::formats::{self, Answer, Thought, Wire};
use crate::scripted_model::offered::{self, Offered};
use crate::upstream::Received;

use history::Step;

/// What it looks up.
pub const ITEM: &str = "tea";
/// What providers want back with thinking. Format G has bytes in base64.
const THOUGHT: Thought = Thought { text: "The price first.", signature: "c2lnbmVkLXRob3VnaHQ=" };

/// The model of a provider.
pub fn tool_model() -> impl Fn(&Received) -> Reply + Send + Sync + 'static {
    move |received| {
        let Some(wire) = Wire::of(&received.line) else {
            return Reply::raw(404, "text/plain", b"no such path".to_vec());
        };
        let Ok(body) = serde_json::from_slice::<Value>(&received.body) else {
            return Reply::raw(400, "text/plain", b"no JSON".to_vec());
        };
        let body = if wire == Wire::Generate { in_camel_case(body) } else { body };
        match answer(wire, &body) {
            Ok((answer, thought)) => formats::reply(wire, &body, &received.line, &answer, thought),
            Err(why) => {
                let message = format!("the history is wrong: {why}");
                Reply::json(
                    400,
                    &json!({"type": "error", "error": {"type": "invalid_request_error", "message": message,
                    "code": 400, "status": "INVALID_ARGUMENT"}}),
                )
            }
        }
    }
}

/// A model that calls the first tool that it is offered, with the word `here` for whatever it requires, and else says hello.
pub fn calling_model() -> impl Fn(&Received) -> Reply + Send + Sync + 'static {
    |received| {
        let (Some(wire), Ok(body)) = (Wire::of(&received.line), serde_json::from_slice::<Value>(&received.body)) else {
            return Reply::raw(400, "text/plain", b"no turn".to_vec());
        };
        let call = |tool: Offered| {
            let required = tool.schema["required"].as_array().cloned().unwrap_or_default();
            let names = required.iter().filter_map(Value::as_str);
            let arguments = Value::Object(names.map(|name| (name.to_owned(), json!("here"))).collect());
            Answer::Call(Box::new(Call { tool, input: Input::Arguments(arguments), id: "call_0".to_owned() }))
        };
        let called = offered::tools(wire, &body).into_iter().next().map(call);
        let answer = called.unwrap_or_else(|| Answer::Text("Hello there, friend.".to_owned()));
        formats::reply(wire, &body, &received.line, &answer, None)
    }
}

/// A model that calls the tool of this name, one in a namespace by its name in there, with these arguments or this text, and
/// says hello where no such tool is offered or its result is there.
pub fn calling(name: &'static str, input: Value) -> impl Fn(&Received) -> Reply + Send + Sync + 'static {
    move |received| {
        let (Some(wire), Ok(body)) = (Wire::of(&received.line), serde_json::from_slice::<Value>(&received.body)) else {
            return Reply::raw(400, "text/plain", b"no turn".to_vec());
        };
        let tool = offered::tools(wire, &body).into_iter().find(|tool| tool.name == name);
        let call = |tool: Offered| {
            let input = match &input {
                Value::String(text) => Input::Text(text.clone()),
                arguments => Input::Arguments(arguments.clone()),
            };
            Answer::Call(Box::new(Call { tool, input, id: "call_0".to_owned() }))
        };
        let called = tool.filter(|_| offered::results(wire, &body) == 0).map(call);
        let answer = called.unwrap_or_else(|| Answer::Text("Hello there, friend.".to_owned()));
        formats::reply(wire, &body, &received.line, &answer, None)
    }
}

fn answer(wire: Wire, body: &Value) -> Result<(Answer, Option<Thought>), String> {
    let steps = history::steps(wire, body)?;
    let thinks = thinks(wire, body);
    paired(&steps)?;
    let calls = steps.iter().filter(|step| matches!(step, Step::Call { .. })).count();
    let asked = steps.iter().rposition(|step| matches!(step, Step::User(_))).ok_or("nobody asks")?;
    let Step::User(question) = &steps[asked] else { return Err("nobody asks".to_owned()) };
    if thinks && wants_back(wire, body) {
        came_back(&steps[asked..])?;
    }
    let results: Vec<&str> = steps[asked..].iter().filter_map(Step::result).collect();
    let offered = offered::tools(wire, body);
    let count = number(question).ok_or("the question has no number")?;
    let call = |tool: &Offered, arguments: Value| {
        Answer::Call(Box::new(Call {
            tool: tool.clone(),
            input: Input::Arguments(arguments),
            id: format!("call_{calls}"),
        }))
    };
    let price = |result: &&str| number(result).ok_or_else(|| format!("no number in the result `{result}`"));
    let tool = |name: &str| offered.iter().find(|tool| plain(tool.own_name()).ends_with(name));
    let answer = match (&results[..], tool("lookupprice"), tool("multiply")) {
        ([], Some(lookup), _) => call(lookup, json!({"item": ITEM})),
        ([found], _, Some(multiply)) => call(multiply, json!({"price": price(found)?, "count": count})),
        (results, ..) => {
            let total = results.last().map_or(Ok(count), price)?;
            let told = json!({"item": ITEM, "total": total});
            let form = offered.iter().find(|tool| tool.schema["properties"].get("total").is_some());
            match form {
                Some(form) => call(form, told),
                None if asks_for_json(wire, body) => Answer::Text(told.to_string()),
                None => Answer::Text(format!("The total is {total}.")),
            }
        }
    };
    Ok((answer, thinks.then_some(THOUGHT)))
}

/// A body of format G, whose members providers take in snake case too.
fn in_camel_case(value: Value) -> Value {
    let camel = |name: &str| {
        let mut words = name.split('_').filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
    };
    match value {
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (camel(&name), in_camel_case(value))).collect())
        }
        Value::Array(elements) => elements.into_iter().map(in_camel_case).collect(),
        value => value,
    }
}

/// Every call has one result, behind it.
fn paired(steps: &[Step]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    for step in steps {
        match step {
            Step::Call { id } => open.push(id),
            Step::Result { id, .. } => {
                let at =
                    open.iter().position(|call| call == id).ok_or_else(|| format!("a result without a call: {id}"))?;
                open.remove(at);
            }
            Step::User(_) | Step::Thought(_) => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("calls without a result: {open:?}")) }
}

/// Whether a provider of the format wants thinking back before each call of this turn.
fn wants_back(wire: Wire, body: &Value) -> bool {
    match wire {
        Wire::Chat => false,
        Wire::Messages | Wire::Generate => true,
        Wire::Responses => {
            let include = body["include"].as_array();
            include.is_some_and(|include| include.contains(&json!("reasoning.encrypted_content")))
        }
    }
}

fn came_back(turn: &[Step]) -> Result<(), String> {
    let mut signed = false;
    for step in turn {
        match step {
            Step::Thought(signature) => signed |= signature == THOUGHT.signature,
            Step::Call { id } if !std::mem::take(&mut signed) => {
                return Err(format!("the thinking before {id} is lost"));
            }
            Step::Call { .. } | Step::User(_) | Step::Result { .. } => {}
        }
    }
    Ok(())
}

/// Whether the request asks for thinking.
fn thinks(wire: Wire, body: &Value) -> bool {
    match wire {
        Wire::Chat => body["reasoning_effort"].as_str().is_some_and(|effort| effort != "none"),
        Wire::Responses => body["reasoning"]["effort"].as_str().is_some_and(|effort| effort != "none"),
        Wire::Messages => matches!(body["thinking"]["type"].as_str(), Some("enabled" | "adaptive")),
        Wire::Generate => {
            let config = &body["generationConfig"]["thinkingConfig"];
            config.is_object() && config["thinkingBudget"] != 0
        }
    }
}

fn asks_for_json(wire: Wire, body: &Value) -> bool {
    let is_json = |format: &Value| matches!(format["type"].as_str(), Some("json_schema" | "json_object"));
    match wire {
        Wire::Chat => is_json(&body["response_format"]),
        Wire::Responses => is_json(&body["text"]["format"]),
        Wire::Messages => {
            // JSON without a schema is asked for in words.
            let in_words = body["system"].to_string().contains("Answer with one JSON object");
            in_words || is_json(&body["output_config"]["format"]) || is_json(&body["output_format"])
        }
        Wire::Generate => body["generationConfig"]["responseMimeType"] == "application/json",
    }
}

/// The last whole number in a text.
fn number(text: &str) -> Option<u64> {
    text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).next_back()
}

/// A name without what its language puts between words.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}
