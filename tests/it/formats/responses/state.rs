//! Going on from an earlier response, whatever the provider speaks.

use serde_json::{Value, json};
use tollgate_tests::gateway::client;
use tollgate_tests::reply::{Reply, Step, chunk, response_stream};

use super::{FORMATS, Formats, calls, post, text};

#[tokio::test]
async fn a_conversation_goes_on_from_a_whole_and_from_a_streamed_answer() {
    let formats = Formats::start().await;
    for format in FORMATS {
        for stream in [false, true] {
            let first =
                json!({"model": format, "input": "My name is Ada.", "instructions": "Rhyme.", "stream": stream});
            let id = if stream {
                formats.ask_stream(&first).await.last().expect("an end")["response"]["id"].clone()
            } else {
                formats.ask(&first).await["id"].clone()
            };
            let _ = formats.sent();
            let next = json!({"model": format, "input": "Who am I?", "previous_response_id": id});
            let second = formats.ask(&next).await;
            let sent = formats.sent();
            let said = sent.to_string();
            let places = ["My name is Ada.", "hello there", "Who am I?"].map(|text| said.find(text));
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{format}: {sent}");
            assert!(!said.contains("Rhyme."), "instructions are for one turn: {sent}");
            assert!(sent["previous_response_id"].is_null(), "{sent}");
            if format == "responses" {
                assert_eq!(sent["store"], false);
            }
            // A third turn has all of it, also when the first is forgotten.
            let path = formats.gateway.url(&format!("/v1/responses/{}", id.as_str().expect("an id")));
            let request = client().delete(path).bearer_auth(&formats.gateway.key);
            assert_eq!(request.send().await.expect("an answer").status(), 200);
            formats.ask(&json!({"model": format, "input": "And?", "previous_response_id": second["id"]})).await;
            assert!(formats.sent().to_string().contains("My name is Ada."), "{format}");
        }
    }
    formats.gateway.assert_books().await;
}

#[tokio::test]
async fn a_response_tells_which_one_it_goes_on_from() {
    let formats = Formats::start().await;
    for format in FORMATS {
        let first = formats.ask(&json!({"model": format, "input": "x"})).await;
        assert!(first["previous_response_id"].is_null(), "{format}: {first}");
        let mut next = json!({"model": format, "input": "y", "previous_response_id": first["id"]});
        let whole = formats.ask(&next).await;
        assert_eq!(whole["previous_response_id"], first["id"], "{format}: {whole}");
        next["stream"] = json!(true);
        let events = formats.ask_stream(&next).await;
        let shown: Vec<&Value> = events.iter().filter_map(|event| event.get("response")).collect();
        assert!(shown.len() > 1, "{format}: {events:?}");
        for response in &shown {
            assert_eq!(response["previous_response_id"], first["id"], "{format}: {response}");
        }
        // What is kept tells it too.
        for response in [&whole, shown[shown.len() - 1]] {
            let path = format!("/v1/responses/{}", response["id"].as_str().expect("an id"));
            assert_eq!(&formats.get(&path).await, &(200, response.clone()), "{format}");
        }
    }
}

#[tokio::test]
async fn a_broken_response_tells_which_one_it_goes_on_from() {
    let formats = Formats::start().await;
    for (format, begun) in [
        ("responses", response_stream("resp_up", "hel", 11, 5)[..3].to_vec()),
        ("chat", vec![chunk(&json!({"content": "hel"}), None)]),
    ] {
        formats.provider.on(|request| super::says(request, "hello there"));
        let first = formats.ask(&json!({"model": format, "input": "x"})).await["id"].clone();
        formats.provider.answer(Reply::stream(begun).then(Step::Cut));
        let next = json!({"model": format, "input": "y", "stream": true, "previous_response_id": first});
        let events = formats.ask_stream(&next).await;
        let failed = &events.last().expect("an end")["response"];
        assert_eq!((&failed["status"], &failed["previous_response_id"]), (&json!("failed"), &first), "{format}");
    }
}

#[tokio::test]
async fn results_of_calls_alone_go_on_from_the_calls() {
    let formats = Formats::start().await;
    let tools = json!([{"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}]);
    for format in FORMATS {
        formats.provider.on(calls);
        let first = formats.ask(&json!({"model": format, "input": "Look!", "tools": tools})).await;
        let call = first["output"].as_array().expect("items").iter().find(|item| item["type"] == "function_call");
        let call_id = call.unwrap_or_else(|| panic!("{format}: {first}"))["call_id"].clone();
        let _ = formats.sent();
        formats.provider.on(|request| super::says(request, "I saw it."));
        let result = json!([{"type": "function_call_output", "call_id": call_id, "output": "a bird"}]);
        let next = json!({"model": format, "input": result, "tools": tools, "previous_response_id": first["id"]});
        assert_eq!(text(&formats.ask(&next).await), "I saw it.", "{format}");
        let sent = formats.sent().to_string();
        let places = ["Look!", "at", "a bird"].map(|text| sent.find(text));
        assert!(places.iter().all(Option::is_some) && sent.contains("look"), "{format}: {sent}");
    }
}

#[tokio::test]
async fn a_response_that_is_not_there_is_not_gone_on_from() {
    let formats = Formats::start().await;
    let unkept = formats.ask(&json!({"model": "chat", "input": "x", "store": false})).await["id"].clone();
    let kept = formats.ask(&json!({"model": "chat", "input": "x"})).await["id"].clone();
    let stranger = stranger(&formats).await;
    let _ = formats.provider.take_received();
    for (key, id) in [(&formats.gateway.key, json!("resp_unknown")), (&formats.gateway.key, unkept), (&stranger, kept)]
    {
        for path in ["/v1/responses", "/v1/responses/compact", "/v1/responses/input_tokens"] {
            let body = json!({"model": "chat", "input": "y", "previous_response_id": id});
            let reply = post(&formats.gateway, key, path, &body).await;
            assert_eq!(reply.status(), 400, "{path}");
            let error = reply.json::<Value>().await.expect("JSON")["error"].clone();
            let codes = ["previous_response_not_found", "PREVIOUS_RESPONSE_NOT_FOUND"];
            assert!(codes.contains(&error["code"].as_str().expect("a code")), "{path}: {error}");
        }
    }
    assert!(formats.provider.take_received().is_empty(), "nothing was sent");
}

/// A key of another account, with credit.
pub(super) async fn stranger(formats: &Formats) -> String {
    use tollgate_accounts::NewKey;
    use tollgate_credit::GrantRequest;

    let service = formats.gateway.service();
    let account = service.accounts.create_account("stranger", "test").await.expect("a fresh name").id;
    let ask = GrantRequest {
        account,
        amount: "1".parse().expect("an amount"),
        idem: "stranger",
        actor: "test".into(),
        note: "",
    };
    service.credit.grant(ask).await.expect("credit is granted");
    let key = NewKey { account, label: "test".to_owned(), expires_at_ms: None };
    service.accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned()
}
