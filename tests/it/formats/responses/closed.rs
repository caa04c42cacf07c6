//! Thinking that comes closed: asked for wherever the answer is stored, shown to who asked for it, sent back to its maker.

use serde_json::{Value, json};
use tollgate_tests::reply::{Reply, generated, message, response, response_message};
use tollgate_tests::upstream::Received;

use super::{Formats, events, streams};

const INCLUDE: &str = "reasoning.encrypted_content";
const CLOSED: &str = "gAAA-closed";

fn body(request: &Received) -> Value {
    serde_json::from_slice(&request.body).expect("JSON")
}

fn thought() -> Value {
    json!({"id": "rs_up", "type": "reasoning", "summary": [], "encrypted_content": CLOSED})
}

/// A provider of format R that thinks, and gives its thinking closed where it is asked for it.
fn thinks(request: &Received) -> Reply {
    let sent = body(request);
    let mut thought = thought();
    if !asks(&sent) {
        thought["encrypted_content"] = Value::Null;
    }
    let message = response_message("msg_up", "hello there");
    let done = response("resp_up", &json!([thought, message]), 11, 5);
    if !streams(request) {
        return Reply::json(200, &done);
    }
    let mut begun = response("resp_up", &json!([]), 0, 0);
    (begun["status"], begun["usage"]) = (json!("in_progress"), Value::Null);
    let told = [
        json!({"type": "response.created", "response": begun}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": thought}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": thought}),
        json!({"type": "response.output_item.done", "output_index": 1, "item": message}),
        json!({"type": "response.completed", "response": done}),
    ];
    let event = |(number, mut event): (usize, Value)| {
        event["sequence_number"] = json!(number);
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a text"))
    };
    Reply::stream(told.into_iter().enumerate().map(event))
}

fn asks(sent: &Value) -> bool {
    sent["include"].as_array().is_some_and(|include| include.contains(&json!(INCLUDE)))
}

/// The closed thinking in the input of what the provider was sent.
fn sent_back(sent: &Value) -> Vec<&str> {
    let items = sent["input"].as_array().expect("items").iter();
    items.filter_map(|item| item["encrypted_content"].as_str()).collect()
}

#[tokio::test]
async fn the_next_turn_has_it_however_it_goes_on() {
    let formats = Formats::start().await;
    formats.provider.on(thinks);
    for stream in [false, true] {
        for include in [json!(null), json!([INCLUDE])] {
            let asked = !include.is_null();
            let first = json!({"model": "responses", "input": "x", "include": include, "stream": stream});
            let reply = formats.post("/v1/responses", &first).await.text().await.expect("a body");
            assert_eq!(reply.contains(CLOSED), asked, "{reply}");
            let first: Value = match stream {
                true => events(&reply).pop().expect("an end")["response"].clone(),
                false => serde_json::from_str(&reply).expect("JSON"),
            };
            assert!(asks(&formats.sent()));
            assert_eq!(first["output"][0]["encrypted_content"], if asked { json!(CLOSED) } else { Value::Null });
            assert_eq!(formats.get("/v1/responses/resp_up").await, (200, first.clone()), "as it was told");
            let mut told = first["output"].clone();
            told[0].as_object_mut().expect("an object").retain(|_, value| !value.is_null());
            let user = json!({"role": "user", "content": "y"});
            for next in [
                json!({"input": "y", "previous_response_id": first["id"]}),
                json!({"input": [{"type": "item_reference", "id": "rs_up"}, {"id": "msg_up"}, user]}),
                json!({"input": [told[0], told[1], user]}),
            ] {
                let mut next = next;
                next["model"] = json!("responses");
                formats.ask(&next).await;
                assert_eq!(sent_back(&formats.sent()), [CLOSED], "{next}");
            }
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_not_stored_is_asked_as_the_client_says() {
    let formats = Formats::start().await;
    formats.provider.on(thinks);
    for (include, asked) in [(json!(null), false), (json!([INCLUDE]), true)] {
        let answer =
            formats.ask(&json!({"model": "responses", "input": "x", "include": include, "store": false})).await;
        assert_eq!(asks(&formats.sent()), asked);
        assert_eq!(answer["output"][0]["encrypted_content"], if asked { json!(CLOSED) } else { Value::Null });
    }
}

/// A model that does not think: its provider refuses the question, and answers without it.
#[tokio::test]
async fn a_provider_that_refuses_the_question_is_asked_without_it() {
    let formats = Formats::start().await;
    let refuse = |param: &str| {
        let error = json!({"error": {"message": "Encrypted content is not supported with this model.",
            "type": "invalid_request_error", "param": param, "code": null}});
        Reply::json(400, &error)
    };
    formats.provider.on(move |request| if asks(&body(request)) { refuse("include") } else { thinks(request) });
    // The client's own question is the client's.
    let own = json!({"model": "responses", "input": "x", "include": [INCLUDE]});
    assert_eq!(formats.post("/v1/responses", &own).await.status(), 400);
    assert_eq!(formats.provider.take_received().len(), 1);
    for (stream, times) in [(false, 2), (true, 1), (false, 1)] {
        let reply = formats.post("/v1/responses", &json!({"model": "responses", "input": "x", "stream": stream})).await;
        assert_eq!(reply.status(), 200);
        let _ = reply.text().await.expect("a body");
        assert_eq!(formats.provider.take_received().len(), times, "it is learnt");
    }
    // What is refused without the question too teaches nothing.
    let formats = Formats::start().await;
    formats.provider.on(move |_| refuse("input"));
    for _ in 0..2 {
        let reply = formats.post("/v1/responses", &json!({"model": "responses", "input": "x"})).await;
        assert_eq!(reply.status(), 400);
        assert_eq!(formats.provider.take_received().len(), 2);
    }
    formats.gateway.assert_books().await;
}

/// What providers of other formats sign goes back to them by way of what is stored.
#[tokio::test]
async fn signatures_of_other_formats_go_back_to_their_maker() {
    let formats = Formats::start().await;
    formats.provider.on(|request| match request.line.contains("/v1/messages") {
        true => {
            let thought = json!({"type": "thinking", "thinking": "hm", "signature": "c2lnbmVk"});
            Reply::json(200, &message(&json!([thought, {"type": "text", "text": "hello there"}]), 11, 5))
        }
        false => {
            let thought = json!({"text": "hm", "thought": true});
            let said = json!({"text": "hello there", "thoughtSignature": "c2lnbmVk"});
            Reply::json(200, &generated(&json!([thought, said]), 11, 5))
        }
    });
    for format in ["messages", "generate"] {
        let reasoning = json!({"effort": "low"});
        let first = formats.ask(&json!({"model": format, "input": "x", "reasoning": reasoning})).await;
        let _ = formats.sent();
        let items = first["output"].as_array().expect("items");
        assert!(items.iter().all(|item| item["encrypted_content"].is_null()), "{format}: {first}");
        let mut refers: Vec<Value> = items.iter().map(|item| json!({"id": item["id"]})).collect();
        refers.push(json!({"role": "user", "content": "y"}));
        for next in [json!({"input": "y", "previous_response_id": first["id"]}), json!({"input": refers})] {
            let mut next = next;
            (next["model"], next["reasoning"]) = (json!(format), reasoning.clone());
            formats.ask(&next).await;
            let sent = formats.sent().to_string();
            assert!(sent.contains("\"c2lnbmVk\""), "{format}: {sent}");
        }
    }
}
