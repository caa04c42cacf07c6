//! A client's request, read.

mod calls;
mod settings;
mod tools;
mod turns;

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ChatRequest, ContentBlock, Format, MalformedRequest};
use super::part::{GeneratePart, PartPayload, listed};

/// Reads the body of `:generateContent`. `model` and `stream` stand in the path.
///
/// # Errors
/// [`MalformedRequest`] with the place, in the client's own spelling.
pub fn read(body: &[u8], model: &str, stream: bool) -> Result<ChatRequest, MalformedRequest> {
    read_object(JsonValue::document(body)?.object()?, model, stream)
}

/// Reads the same where it is a member of another object.
///
/// # Errors
/// As [`read`].
pub fn read_object(mut body: JsonObject<'_>, model: &str, stream: bool) -> Result<ChatRequest, MalformedRequest> {
    // The path names the model; bodies that are kept for later repeat it.
    body.raw("model");
    let mut ask = empty(model, stream);
    ask.system = system(&mut body)?;
    let contents = body.required(&["contents"])?;
    ask.turns = turns::read(&contents)?;
    ask.tools = tools::read(&mut body)?;
    tools::choice(&mut body, &mut ask)?;
    if let Some(config) = body.object(&["generationConfig", "generation_config"])? {
        settings::read(config, &mut ask)?;
    }
    ask.service_tier = body.at_with(&["serviceTier", "service_tier"], JsonValue::text)?;
    ask.store = body.at_with(&["store"], JsonValue::flag)?;
    ask.extra.extend(body.rest());
    Ok(ask)
}

/// Instructions. What the provider keeps in a cache stands before all else that is said, so that it is one of them: where
/// it cannot be had, the request means something else.
fn system(body: &mut JsonObject<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    let mut system = Vec::new();
    if let Some(cached) = body.value(&["cachedContent", "cached_content"]) {
        cached.text()?;
        let kind = BlockKind::Other { name: "cachedContent".to_owned(), raw: cached.raw.to_owned() };
        system.push(ContentBlock { at: cached.at, kind, extra: Vec::new() });
    }
    if let Some(mut content) = body.object(&["systemInstruction", "system_instruction"])? {
        // Some SDKs write a role here; it means nothing.
        content.raw("role");
        let parts = content.value(&["parts"]).map_or_else(|| Ok(Vec::new()), |parts| listed(&parts))?;
        for value in parts {
            let GeneratePart { at, payload, extra, .. } = GeneratePart::read(&value)?;
            let PartPayload::Text(text) = payload else { return Err(value.wrong("a part with text")) };
            system.push(ContentBlock { at, kind: BlockKind::Text(text), extra });
        }
    }
    Ok(system)
}

fn empty(model: &str, stream: bool) -> ChatRequest {
    ChatRequest {
        from: Format::Generate,
        model: model.strip_prefix("models/").unwrap_or(model).to_owned(),
        stream,
        system: Vec::new(),
        turns: Vec::new(),
        tools: Vec::new(),
        tool_choice: None,
        parallel_calls: None,
        output_max: None,
        choices: None,
        stop: None,
        temperature: None,
        top_p: None,
        top_k: None,
        presence_penalty: None,
        frequency_penalty: None,
        seed: None,
        logprobs: None,
        top_logprobs: None,
        logit_bias: None,
        shape: None,
        reasoning: None,
        verbosity: None,
        user: None,
        service_tier: None,
        cache_key: None,
        metadata: None,
        store: None,
        extra: Vec::new(),
    }
}
