//! A client's request, read.

use super::super::decode_request::{one_or_more, stop};
use crate::json::JsonValue;
use crate::{BlockKind, ChatMessage, ChatRequest, ContentBlock, Format, MalformedRequest, MessageRole, Unsupported};

/// Checks that the request means something to a model that holds conversations.
///
/// # Errors
/// [`Unsupported`] for what it does not: several texts, tokens, and members that ask for the text in another way.
pub fn check_portable(body: &[u8]) -> Result<(), Unsupported> {
    // What cannot be read is told by `read`.
    let Ok(mut object) = JsonValue::document(body).and_then(|value| value.object()) else { return Ok(()) };
    let refused = |at: &str, reason: &str| Err(Unsupported { at: at.to_owned(), reason: reason.to_owned() });
    if object.value(&["prompt"]).is_some_and(|prompt| prompt.starts_with('[')) {
        return refused("prompt", "a conversation takes one text, no list and no tokens");
    }
    for name in ["suffix", "logprobs"] {
        if object.value(&[name]).is_some() {
            return refused(name, "a chat request has no such member; leave it out");
        }
    }
    if object.value(&["echo"]).is_some_and(|echo| echo.flag() != Ok(false)) {
        return refused("echo", "a conversation does not repeat the text");
    }
    if object.value(&["max_tokens"]).is_some_and(|most| most.whole() == Ok(0)) {
        return refused("max_tokens", "a turn of a conversation has at least one token");
    }
    if object.value(&["best_of"]).is_some_and(|best_of| best_of.whole() != Ok(1)) {
        return refused("best_of", "a conversation has no choice of the best");
    }
    Ok(())
}

/// Reads the body of `POST /v1/completions`.
///
/// # Errors
/// When it is no JSON, or a member is missing or of the wrong type.
pub fn read(body: &[u8]) -> Result<ChatRequest, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let model = object.required(&["model"])?.text()?;
    let stream = object.flag(&["stream"])?.unwrap_or(false);
    let prompt = object.required(&["prompt"])?.text()?;
    // The usage switch of the stream is our part.
    object.value(&["stream_options"]);
    for name in ["echo", "best_of"] {
        object.value(&[name]);
    }
    let block = ContentBlock { at: "prompt".to_owned(), kind: BlockKind::Text(prompt), extra: Vec::new() };
    let turn = ChatMessage { at: "prompt".to_owned(), role: MessageRole::User, blocks: vec![block], extra: Vec::new() };
    Ok(ChatRequest {
        from: Format::Completions,
        model,
        stream,
        system: Vec::new(),
        turns: vec![turn],
        tools: Vec::new(),
        tool_choice: None,
        parallel_calls: None,
        output_max: object.at_with(&["max_tokens"], one_or_more)?,
        choices: object.at_with(&["n"], one_or_more)?,
        stop: object.at_with(&["stop"], stop)?,
        temperature: object.at_with(&["temperature"], JsonValue::number)?,
        top_p: object.at_with(&["top_p"], JsonValue::number)?,
        top_k: object.at_with(&["top_k"], JsonValue::number)?,
        presence_penalty: object.at_with(&["presence_penalty"], JsonValue::number)?,
        frequency_penalty: object.at_with(&["frequency_penalty"], JsonValue::number)?,
        seed: object.at_with(&["seed"], JsonValue::number)?,
        logprobs: None,
        top_logprobs: None,
        logit_bias: object.at_with(&["logit_bias"], |value| value.object().map(|_| value.raw.to_owned()))?,
        shape: None,
        reasoning: None,
        verbosity: None,
        user: object.at_with(&["user"], JsonValue::text)?,
        service_tier: None,
        cache_key: None,
        metadata: None,
        store: None,
        extra: object.rest(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_turn_of_the_user() {
        let body = br#"{"model":"m","prompt":"Once","max_tokens":5,"stop":"x","echo":false,"best_of":1,"odd":2}"#;
        check_portable(body).expect("a text alone");
        let ask = read(body).expect("a request");
        let [ChatMessage { role: MessageRole::User, blocks, .. }] = &ask.turns[..] else { panic!("one turn") };
        assert!(matches!(&blocks[..], [ContentBlock { kind: BlockKind::Text(text), .. }] if text == "Once"));
        assert_eq!(
            (ask.output_max.map(|max| max.value), ask.stop.map(|stop| stop.value)),
            (Some(5), Some(vec!["x".into()]))
        );
        assert_eq!(ask.extra.iter().map(|extra| extra.name.as_str()).collect::<Vec<_>>(), ["odd"]);
    }

    #[test]
    fn what_a_conversation_cannot_say_is_refused_by_name() {
        for (member, at) in [
            (r#""prompt":["a"]"#, "prompt"),
            (r#""prompt":[1,2]"#, "prompt"),
            (r#""prompt":"a","suffix":"b""#, "suffix"),
            (r#""prompt":"a","logprobs":0"#, "logprobs"),
            (r#""prompt":"a","echo":true"#, "echo"),
            (r#""prompt":"a","best_of":2"#, "best_of"),
            (r#""prompt":"a","max_tokens":0"#, "max_tokens"),
        ] {
            let refused = check_portable(format!("{{\"model\":\"m\",{member}}}").as_bytes()).expect_err(member);
            assert_eq!(refused.at, at, "{member}");
        }
        check_portable(br#"{"prompt":"a","suffix":null,"echo":null}"#).expect("null is absent");
    }
}
