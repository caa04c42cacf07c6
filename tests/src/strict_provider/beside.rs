//! What providers do beside turns: embeddings, verdicts, texts that go on, tokens counted. Each refuses what the real one
//! refuses.

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::gateway::UPSTREAM_KEY;
use crate::reply::Reply;
use crate::upstream::Received;

use super::Dialect;
use super::chat::Chat;
use super::check::{Checked, Complaint, ensure, has, key, known, list, text};
use super::conduct::INPUT_TOKENS;
use super::generate::Generate;
use super::messages::Messages;

/// Numbers of an embedding where nobody asks for fewer.
const NUMBERS: usize = 3;

/// The answer, by the path; `None` for a path of turns.
pub(super) fn answer(path: &str, request: &Received) -> Option<Reply> {
    let model = path.strip_prefix("/v1/models/").and_then(|rest| rest.split_once(':'));
    Some(match (path, model) {
        ("/v1/embeddings", _) => told::<Chat>(of_o(request, embeddings)),
        ("/v1/moderations", _) => told::<Chat>(of_o(request, verdicts)),
        ("/v1/completions", _) => told::<Chat>(of_o(request, goes_on)),
        ("/v1/responses/input_tokens", _) => told::<Chat>(of_o(request, counted_r)),
        ("/v1/messages/count_tokens", _) => told::<Messages>(counted_a(request)),
        (_, Some((model, "countTokens"))) => told::<Generate>(of_g(request, model, counted_g)),
        (_, Some((model, "batchEmbedContents"))) => told::<Generate>(of_g(request, model, embedded)),
        (_, Some((model, "embedContent"))) => told::<Generate>(of_g(request, model, embedded_one)),
        _ => return None,
    })
}

fn told<D: Dialect>(answer: Checked<Value>) -> Reply {
    match answer {
        Ok(answer) => Reply::json(200, &answer),
        Err(complaint) => Reply::json(complaint.status, &D::complaint(&complaint)),
    }
}

fn read(request: &Received) -> Checked<Value> {
    serde_json::from_slice(&request.body).map_err(|error| Complaint::new(error.to_string()))
}

fn of_o(request: &Received, act: fn(&Value) -> Checked<Value>) -> Checked<Value> {
    key(request.header("authorization"), &format!("Bearer {UPSTREAM_KEY}"))?;
    act(&read(request)?)
}

fn of_g(request: &Received, model: &str, act: fn(&str, &Value) -> Checked<Value>) -> Checked<Value> {
    key(request.header("x-goog-api-key"), UPSTREAM_KEY)?;
    act(model, &read(request)?)
}

fn unrecognized(name: &str) -> String {
    format!("Unrecognized request argument supplied: {name}")
}

/// One text, or a list of them.
fn texts(value: &Value) -> Checked<Vec<&str>> {
    match value {
        Value::String(_) => Ok(vec![text(value, "input")?]),
        value => list(value, "input")?.iter().map(|item| text(item, "input")).collect(),
    }
}

/// Says what text it is of, as far as a few numbers can; each is whole in 32 bits.
#[expect(clippy::cast_precision_loss, reason = "texts of tests are short")]
fn numbers(text: &str, count: usize) -> Vec<f32> {
    [text.len() as f32, -0.5, 1.25][..count].to_vec()
}

fn embeddings(body: &Value) -> Checked<Value> {
    known(body, &["model", "input", "encoding_format", "dimensions", "user"], unrecognized)?;
    text(&body["model"], "model")?;
    let count = body["dimensions"].as_u64().map_or(NUMBERS, |count| usize::try_from(count).unwrap_or_default());
    ensure((1..=NUMBERS).contains(&count), "dimensions: out of bounds")?;
    let base64 = match body["encoding_format"].as_str().unwrap_or("float") {
        "float" => false,
        "base64" => true,
        other => return Err(Complaint::new(format!("encoding_format: {other} is none"))),
    };
    let embedding = |text: &str| {
        let numbers = numbers(text, count);
        if base64 {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            json!(BASE64.encode(&bytes))
        } else {
            json!(numbers)
        }
    };
    let data: Vec<_> = (0..)
        .zip(texts(&body["input"])?)
        .map(|(index, text): (u32, _)| json!({"object": "embedding", "index": index, "embedding": embedding(text)}))
        .collect();
    let usage = json!({"prompt_tokens": INPUT_TOKENS, "total_tokens": INPUT_TOKENS});
    Ok(json!({"object": "list", "model": body["model"], "data": data, "usage": usage}))
}

fn verdicts(body: &Value) -> Checked<Value> {
    known(body, &["model", "input"], unrecognized)?;
    let texts = texts(&body["input"])?;
    let verdict = |text: &&str| {
        let bad = text.contains("violence");
        let score = if bad { 0.75 } else { 0.25 };
        json!({"flagged": bad, "categories": {"violence": bad}, "category_scores": {"violence": score}})
    };
    let results: Vec<_> = texts.iter().map(verdict).collect();
    Ok(json!({"id": "modr-1", "model": body["model"], "results": results}))
}

fn goes_on(body: &Value) -> Checked<Value> {
    known(body, &["model", "prompt", "max_tokens", "temperature", "top_p", "n", "stop", "user"], unrecognized)?;
    let prompt = text(&body["prompt"], "prompt")?;
    let choice = json!({"index": 0, "text": format!("You said: {prompt}"), "logprobs": null, "finish_reason": "stop"});
    let usage = json!({"prompt_tokens": INPUT_TOKENS, "completion_tokens": 7, "total_tokens": INPUT_TOKENS + 7});
    Ok(json!({
        "id": "cmpl-1", "object": "text_completion", "created": 1_700_000_000, "model": body["model"],
        "choices": [choice], "usage": usage,
    }))
}

fn counted_r(body: &Value) -> Checked<Value> {
    let names = [
        "model",
        "input",
        "instructions",
        "tools",
        "tool_choice",
        "reasoning",
        "text",
        "truncation",
        "parallel_tool_calls",
    ];
    known(body, &names, unrecognized)?;
    text(&body["model"], "model")?;
    ensure(has(body, "input"), "input: required")?;
    Ok(json!({"object": "response.input_tokens", "input_tokens": INPUT_TOKENS}))
}

fn counted_a(request: &Received) -> Checked<Value> {
    key(request.header("x-api-key"), UPSTREAM_KEY)?;
    ensure(request.header("anthropic-version").is_some(), "anthropic-version: header is required")?;
    let body = read(request)?;
    let names = ["model", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "cache_control"];
    known(&body, &names, |name| format!("{name}: Extra inputs are not permitted"))?;
    text(&body["model"], "model")?;
    list(&body["messages"], "messages")?;
    Ok(json!({"input_tokens": INPUT_TOKENS}))
}

fn unknown_name(name: &str) -> String {
    format!("Invalid JSON payload received. Unknown name \"{name}\": Cannot find field.")
}

fn counted_g(model: &str, body: &Value) -> Checked<Value> {
    known(body, &["contents", "generateContentRequest"], unknown_name)?;
    ensure(has(body, "contents") != has(body, "generateContentRequest"), "one of both must be set")?;
    if has(body, "generateContentRequest") {
        same_model(model, &body["generateContentRequest"])?;
        list(&body["generateContentRequest"]["contents"], "contents")?;
    } else {
        list(&body["contents"], "contents")?;
    }
    Ok(json!({"totalTokens": INPUT_TOKENS}))
}

fn embedded(model: &str, body: &Value) -> Checked<Value> {
    known(body, &["requests"], unknown_name)?;
    let embeddings = list(&body["requests"], "requests")?.iter().map(|one| {
        same_model(model, one)?;
        values(one)
    });
    Ok(json!({"embeddings": embeddings.collect::<Checked<Vec<_>>>()?}))
}

fn embedded_one(model: &str, body: &Value) -> Checked<Value> {
    if has(body, "model") {
        same_model(model, body)?;
    }
    Ok(json!({"embedding": values(body)?}))
}

fn same_model(model: &str, body: &Value) -> Checked {
    ensure(body["model"] == format!("models/{model}"), "model: must be that of the path")
}

fn values(body: &Value) -> Checked<Value> {
    known(body, &["model", "content", "taskType", "title", "outputDimensionality"], unknown_name)?;
    let parts = list(&body["content"]["parts"], "content.parts")?;
    let texts: Vec<_> = parts.iter().map(|part| text(&part["text"], "text")).collect::<Checked<_>>()?;
    let count =
        body["outputDimensionality"].as_u64().map_or(NUMBERS, |count| usize::try_from(count).unwrap_or_default());
    ensure((1..=NUMBERS).contains(&count), "outputDimensionality: out of bounds")?;
    Ok(json!({"values": numbers(&texts.concat(), count)}))
}
