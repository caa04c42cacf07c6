//! Items that stand in the input by their ids, found in what is stored for the account.

use serde_json::{Value, json};
use tollgate_tests::gateway::{amount, client};
use tollgate_tests::reply::{Reply, response, response_message};

use super::state::stranger;
use super::{FORMATS, Formats, calls, post, text};

const PATHS: [&str; 3] = ["/v1/responses", "/v1/responses/compact", "/v1/responses/input_tokens"];

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn ids(response: &Value) -> Vec<Value> {
    response["output"].as_array().expect("items").iter().map(|item| item["id"].clone()).collect()
}

#[tokio::test]
async fn items_are_referred_to_whatever_the_provider_speaks() {
    let formats = Formats::start().await;
    for format in FORMATS {
        for (whole, stream) in [(true, false), (false, true)] {
            let first = json!({"model": format, "input": "My name is Ada.", "stream": stream});
            let first = if stream {
                formats.ask_stream(&first).await.pop().expect("an end")["response"].clone()
            } else {
                formats.ask(&first).await
            };
            let _ = formats.sent();
            let id = &ids(&first)[0];
            let reference = if whole { json!({"type": "item_reference", "id": id}) } else { json!({"id": id}) };
            let next = json!({"model": format, "input": [user("My name is Ada."), reference, user("Who am I?")]});
            let second = formats.ask(&next).await;
            let sent = formats.sent().to_string();
            let places = ["My name is Ada.", "hello there", "Who am I?"].map(|text| sent.find(text));
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{format}: {sent}");
            assert!(!sent.contains("item_reference"), "{format}: {sent}");
            // It is found in the newest response that it stands in, so that the first may go.
            let path = formats.gateway.url(&format!("/v1/responses/{}", first["id"].as_str().expect("an id")));
            let request = client().delete(path).bearer_auth(&formats.gateway.key);
            assert_eq!(request.send().await.expect("an answer").status(), 200);
            let third = json!({"model": format, "input": [{"id": id}, {"id": ids(&second)[0]}, user("And?")]});
            formats.ask(&third).await;
            assert_eq!(formats.sent().to_string().matches("hello there").count(), 2, "{format}");
        }
    }
    formats.gateway.assert_books().await;
}

#[tokio::test]
async fn calls_are_referred_to_beside_their_results() {
    let formats = Formats::start().await;
    let tools = json!([{"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}]);
    for format in FORMATS {
        formats.provider.on(calls);
        let first = formats.ask(&json!({"model": format, "input": "Look!", "tools": tools})).await;
        let call = first["output"].as_array().expect("items").iter().find(|item| item["type"] == "function_call");
        let call = call.unwrap_or_else(|| panic!("{format}: {first}"));
        let _ = formats.sent();
        formats.provider.on(|request| super::says(request, "I saw it."));
        let result = json!({"type": "function_call_output", "call_id": call["call_id"], "output": "a bird"});
        let reference = json!({"type": "item_reference", "id": call["id"]});
        let next = json!({"model": format, "input": [user("Look!"), reference, result], "tools": tools});
        assert_eq!(text(&formats.ask(&next).await), "I saw it.", "{format}");
        let sent = formats.sent().to_string();
        let places = ["Look!", "\"look\"", "a bird"].map(|text| sent.find(text));
        assert!(places.iter().all(Option::is_some), "{format}: {sent}");
    }
}

#[tokio::test]
async fn an_item_that_is_not_the_account_s_is_not_found() {
    let formats = Formats::start().await;
    let stranger = stranger(&formats).await;
    let kept = ids(&formats.ask(&json!({"model": "chat", "input": "x"})).await)[0].clone();
    let unkept = ids(&formats.ask(&json!({"model": "chat", "input": "x", "store": false})).await)[0].clone();
    let _ = formats.provider.take_received();
    let key = &formats.gateway.key;
    for (key, id) in [(key, json!("msg_none")), (key, json!("\u{0}\u{e9}")), (key, unkept), (&stranger, kept)] {
        for path in PATHS {
            let body = json!({"model": "chat", "input": [{"type": "item_reference", "id": id}, user("y")]});
            let reply = post(&formats.gateway, key, path, &body).await;
            assert_eq!(reply.status(), 404, "{path}");
            let error = reply.json::<Value>().await.expect("JSON")["error"].clone();
            let said = format!("Item with id '{}' not found", id.as_str().expect("a text"));
            assert!(error["message"].as_str().is_some_and(|message| message.starts_with(&said)), "{path}: {error}");
            assert_eq!(
                (&error["param"], &error["type"]),
                (&json!("input"), &json!("invalid_request_error")),
                "{error}"
            );
        }
    }
    assert!(formats.provider.take_received().is_empty(), "nothing was sent");
    assert_eq!(amount(&formats.gateway.balance().await["held_usd"]), "0");
}

#[tokio::test]
async fn references_have_a_bound_in_number_and_size() {
    let formats = Formats::start().await;
    let long = "x".repeat(1 << 20);
    formats.provider.on(move |request| super::says(request, &long));
    let id = ids(&formats.ask(&json!({"model": "responses", "input": "x"})).await)[0].clone();
    let _ = formats.provider.take_received();
    for count in [1_001, 40] {
        let input = vec![json!({"type": "item_reference", "id": id}); count];
        let reply = formats.post("/v1/responses", &json!({"model": "responses", "input": input})).await;
        assert_eq!(reply.status(), 400, "{count}");
        assert_eq!(reply.json::<Value>().await.expect("JSON")["error"]["param"], "input", "{count}");
    }
    assert!(formats.provider.take_received().is_empty(), "nothing was sent");
    let input = vec![json!({"type": "item_reference", "id": id}); 2];
    formats.ask(&json!({"model": "responses", "input": input})).await;
}

/// A member or kind that is newer than the lists is refused where a client sends it, and not where a provider answered it.
#[tokio::test]
async fn what_is_new_in_a_stored_answer_does_not_refuse_the_next_turn() {
    let formats = Formats::start().await;
    let news = json!({"id": "new_1", "type": "brand_new", "holds": {"any": [1.5]}});
    let mut message = response_message("msg_1", "hi");
    message["news"] = json!({"any": 1});
    let output = json!([news, message]);
    formats.provider.answer(Reply::json(200, &response("resp_new", &output, 11, 5)));
    let first = formats.ask(&json!({"model": "responses", "input": "x"})).await;
    let _ = formats.sent();
    let goes_on = json!({"model": "responses", "input": "y", "previous_response_id": first["id"]});
    let refers = json!({"model": "responses", "input": [{"id": "new_1"}, {"id": "msg_1"}, user("y")]});
    for body in [goes_on, refers] {
        formats.ask(&body).await;
        let sent = formats.sent()["input"].clone();
        let sent = sent.as_array().expect("items");
        assert!(sent.contains(&news) && sent.contains(&message), "{sent:?}");
    }
    for item in [news, message] {
        let body = json!({"model": "responses", "input": [item, user("y")]});
        assert_eq!(formats.post("/v1/responses", &body).await.status(), 400, "{item}");
    }
}

/// What the helpers of SDKs leave in an answer comes back with it.
#[tokio::test]
async fn what_helpers_add_to_an_answer_is_taken_back() {
    let formats = Formats::start().await;
    let input = json!([
        user("x"),
        {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}", "parsed_arguments": {"at": {"x": 1}}},
        {"type": "function_call_output", "call_id": "c", "output": "a bird"},
        {"type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": "{}", "annotations": [], "parsed": {"a": {"b": 1}}}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "signature": {"any": 1}, "format": {"any": 1}},
        user("y"),
    ]);
    for format in FORMATS {
        formats.ask(&json!({"model": format, "input": input})).await;
    }
}
