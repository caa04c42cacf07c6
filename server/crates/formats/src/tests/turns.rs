//! Thinking over two turns: what a provider signed reaches it again as it was, through a client of any format that sends
//! back what its SDK keeps of an answer; and reaches no other provider.

use serde_json::{Value, json};

use super::super::{ConversionTarget, Format, convert_response, decode_request, encode_request, has_foreign_signature};
use super::{FORMATS, UPSTREAM, echo, golden, name, target};

/// The request of the second turn: the question, the answer as the client's SDK sends it back, and what the call gave.
fn second_turn(client: Format, answer: &Value) -> Value {
    match client {
        Format::Chat | Format::Completions => {
            let message = &answer["choices"][0]["message"];
            let kept = ["role", "content", "tool_calls", "reasoning_content", "reasoning_details"];
            let mut back = serde_json::Map::new();
            for member in kept.into_iter().filter(|member| !message[*member].is_null()) {
                back.insert(member.into(), message[member].clone());
            }
            let result = json!({"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": "4"});
            let question = json!({"role": "user", "content": "Weather in Bern?"});
            json!({"model": "m", "messages": [question, back, result]})
        }
        Format::Responses => {
            let mut input = vec![json!({"role": "user", "content": "Weather in Bern?"})];
            let output = answer["output"].as_array().expect("items");
            input.extend(output.iter().cloned());
            let call = output.iter().find(|item| item["type"] == "function_call").expect("a call");
            input.push(json!({"type": "function_call_output", "call_id": call["call_id"], "output": "4"}));
            json!({"model": "m", "input": input, "include": ["reasoning.encrypted_content"]})
        }
        Format::Messages => {
            let content = answer["content"].as_array().expect("blocks");
            let call = content.iter().find(|block| block["type"] == "tool_use").expect("a call");
            let result = json!({"type": "tool_result", "tool_use_id": call["id"], "content": "4"});
            json!({"model": "m", "max_tokens": 4000, "thinking": {"type": "enabled", "budget_tokens": 2000}, "messages": [
                {"role": "user", "content": "Weather in Bern?"},
                {"role": "assistant", "content": content},
                {"role": "user", "content": [result]},
            ]})
        }
        Format::Generate => {
            let content = &answer["candidates"][0]["content"];
            let parts = content["parts"].as_array().expect("parts");
            let call = parts.iter().find_map(|part| part.get("functionCall")).expect("a call");
            let result =
                json!({"functionResponse": {"id": call["id"], "name": "weather", "response": {"result": "4"}}});
            json!({"contents": [
                {"role": "user", "parts": [{"text": "Weather in Bern?"}]},
                content,
                {"role": "user", "parts": [result]},
            ]})
        }
    }
}

/// The client's second request, after an answer that `upstream` gave as `reply`.
fn after(upstream: Format, client: Format, reply: &[u8]) -> Value {
    let answer = convert_response(upstream, client, reply, UPSTREAM, &echo()).expect("of its format");
    second_turn(client, &serde_json::from_slice(&answer.body).expect("JSON"))
}

/// The body that a provider gets of a request.
fn written(client: Format, upstream: Format, body: &str, target: &ConversionTarget<'_>) -> Value {
    let ask = decode_request(client, body.as_bytes(), "m", false).unwrap_or_else(|fault| panic!("{body}: {fault}"));
    let encoded = encode_request(upstream, &ask, target).unwrap_or_else(|fault| panic!("{body}: {fault}"));
    serde_json::from_slice(&encoded.body).expect("JSON")
}

/// The second turn's body for the provider that gave the first answer itself.
fn sent_back(upstream: Format, client: Format, target: &ConversionTarget<'_>) -> Value {
    let body = after(upstream, client, &reply(upstream)).to_string();
    written(client, upstream, &body, target)
}

/// An answer of a provider with signed thinking and a call.
fn reply(upstream: Format) -> Vec<u8> {
    let mut fixtures = golden::fixtures("turns", ".json").into_iter();
    fixtures.find(|(of, _)| of == name(upstream)).expect("one for each format").1
}

/// The signatures that each maker wants back, in the members that its format has for them.
fn signatures(upstream: Format, body: &Value) -> Vec<String> {
    let found = |text: Option<&Value>| text.and_then(Value::as_str).map(str::to_owned);
    let all = |list: &Value| list.as_array().cloned().unwrap_or_default();
    match upstream {
        Format::Chat | Format::Completions => {
            all(&body["messages"]).iter().filter_map(|one| found(one.get("reasoning_content"))).collect()
        }
        Format::Responses => all(&body["input"]).iter().filter_map(|one| found(one.get("encrypted_content"))).collect(),
        Format::Messages => all(&body["messages"][1]["content"])
            .iter()
            .filter_map(|one| found(one.get("signature")).or_else(|| found(one.get("data"))))
            .collect(),
        Format::Generate => {
            all(&body["contents"][1]["parts"]).iter().filter_map(|one| found(one.get("thoughtSignature"))).collect()
        }
    }
}

const fn signed(upstream: Format) -> &'static [&'static str] {
    match upstream {
        Format::Chat | Format::Completions => &["hm"],
        Format::Responses => &["RU5D"],
        Format::Messages => &["EqRk+/="],
        Format::Generate => &["U2ln+/=="],
    }
}

#[test]
fn what_was_signed_goes_back_to_its_maker() {
    for upstream in FORMATS {
        let path = format!("turns/{}", name(upstream));
        let mut all = serde_json::Map::new();
        for client in FORMATS {
            let body = sent_back(upstream, client, &target());
            assert_eq!(signatures(upstream, &body), signed(upstream), "{} through {}", name(upstream), name(client));
            all.insert(name(client).into(), body);
        }
        golden::check(&format!("{path}.golden.json"), &(serde_json::to_string_pretty(&all).expect("JSON") + "\n"));
    }
}

#[test]
fn what_was_signed_goes_to_nobody_else() {
    let other = ConversionTarget { upstream: "another", ..target() };
    for (upstream, client) in FORMATS.into_iter().flat_map(|upstream| FORMATS.map(|client| (upstream, client))) {
        // A client keeps a signature of its own format unpacked: which of its providers made it, nobody can tell.
        if upstream == client {
            continue;
        }
        let body = sent_back(upstream, client, &other).to_string();
        for text in signed(upstream) {
            assert!(!body.contains(&json!(text).to_string()), "{} through {}: {body}", name(upstream), name(client));
        }
        assert!(!body.contains("tg1"), "{} through {}: {body}", name(upstream), name(client));
    }
}

#[test]
fn a_provider_of_the_client_s_own_format_sees_no_other_s_signature() {
    for (upstream, client) in FORMATS.into_iter().flat_map(|upstream| FORMATS.map(|client| (upstream, client))) {
        if upstream == client {
            continue;
        }
        let body = after(upstream, client, &reply(upstream)).to_string();
        assert!(has_foreign_signature(body.as_bytes()), "{} through {}: {body}", name(upstream), name(client));
        let sent = written(client, client, &body, &target()).to_string();
        assert!(!has_foreign_signature(sent.as_bytes()), "{} through {}: {sent}", name(upstream), name(client));
        for text in signed(upstream).iter().filter(|text| **text != "hm") {
            assert!(!sent.contains(&json!(text).to_string()), "{} through {}: {sent}", name(upstream), name(client));
        }
    }
}
