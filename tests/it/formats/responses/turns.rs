//! One turn, whole and streamed, and what is refused.

use serde_json::{Value, json};
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::{Reply, Step, chunk, response_stream};

use super::{FORMATS, Formats, events, text};

#[tokio::test]
async fn a_turn_over_every_format() {
    let formats = Formats::start().await;
    for format in FORMATS {
        let body = json!({"model": format, "input": "Hello", "instructions": "Be kind."});
        let reply = formats.post("/v1/responses", &body).await;
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let whole: Value = reply.json().await.expect("JSON");
        assert_eq!(
            (text(&whole).as_str(), &whole["status"]),
            ("hello there", &json!("completed")),
            "{format}: {whole}"
        );
        assert_eq!((&whole["object"], &whole["usage"]["input_tokens"]), (&json!("response"), &json!(11)), "{format}");
        let sent = formats.sent().to_string();
        assert!(sent.contains("Hello") && sent.contains("Be kind."), "{format}: {sent}");
        let receipt = formats.gateway.receipt(&request_id).await;
        assert_eq!((receipt["rule"].as_str(), amount(&receipt["charged_usd"])), (Some("reported"), "0.000016".into()));

        let streamed = formats.ask_stream(&json!({"model": format, "input": "Hello", "stream": true})).await;
        let _ = formats.sent();
        assert_eq!(streamed[0]["type"], "response.created", "{format}");
        let last = streamed.last().expect("an end");
        assert_eq!(
            (last["type"].as_str(), text(&last["response"])),
            (Some("response.completed"), "hello there".into())
        );
        for (number, event) in streamed.iter().enumerate() {
            assert_eq!(event["sequence_number"], number, "{format}");
        }
        let deltas = streamed.iter().filter(|event| event["type"] == "response.output_text.delta");
        assert_eq!(deltas.filter_map(|event| event["delta"].as_str()).collect::<String>(), "hello there", "{format}");
    }
    formats.gateway.assert_books().await;
}

/// A provider of the same format gets the client's bytes but for the model and `store`, and its answer comes back as it is.
#[tokio::test]
async fn the_same_format_passes_through() {
    let formats = Formats::start().await;
    let answer = "{ \"id\":\"resp_1\",\"object\":\"response\",\"status\":\"completed\",\"future\":1.0,\"output\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}";
    formats.provider.answer(Reply::raw(200, "application/json", answer.into()));
    let body = "{\"model\" : \"responses\", \"input\":[{\"role\":\"user\",\"content\":\"x\",\"n\":1.0}],\"x\":1e2, \"store\": false}";
    let request = formats.gateway.chat(body).build().expect("a request");
    let (client, mut request) = (tollgate_tests::gateway::client(), request);
    *request.url_mut() = formats.gateway.url("/v1/responses").parse().expect("an address");
    let reply = client.execute(request).await.expect("an answer");
    assert_eq!(reply.text().await.expect("a body"), answer);
    let sent = formats.provider.take_received().remove(0).body;
    let expected = body.replace("\"responses\"", "\"upstream-model\"");
    assert_eq!(String::from_utf8(sent).expect("text"), expected);
}

/// Whoever reads the stream is told which response failed, and no event looks like a good end.
#[tokio::test]
async fn a_stream_that_breaks_ends_with_a_failed_response() {
    let formats = Formats::start().await;
    let own = response_stream("resp_up", "hel", 11, 5)[..3].to_vec();
    let error = "event: error\ndata: {\"type\":\"error\",\"code\":\"x\",\"message\":\"no\",\"sequence_number\":3}\n\n"
        .to_owned();
    let other = vec![chunk(&json!({"content": "hel"}), None)];
    for (format, begun, id) in [
        ("responses", own.clone(), Some("resp_up")),
        ("responses", [own, vec![error]].concat(), Some("resp_up")),
        ("chat", other, None),
    ] {
        formats.provider.answer(Reply::stream(begun).then(Step::Cut));
        let body = json!({"model": format, "input": "Hello", "stream": true});
        let reply = formats.post("/v1/responses", &body).await;
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let seen = events(&reply.text().await.expect("a body"));
        let [.., error, failed] = seen.as_slice() else { panic!("too few events: {seen:?}") };
        assert_eq!((&error["type"], &failed["type"]), (&json!("error"), &json!("response.failed")), "{seen:?}");
        assert!(error["message"].is_string() && failed["response"]["error"]["message"].is_string());
        let told = &seen[0]["response"]["id"];
        assert_eq!((&failed["response"]["id"], &failed["response"]["status"]), (told, &json!("failed")));
        assert!(id.is_none_or(|id| told == id));
        for (number, event) in seen.iter().enumerate() {
            assert_eq!(event["sequence_number"], number, "{seen:?}");
        }
        let receipt = formats.gateway.receipt(&request_id).await;
        assert_eq!(receipt["rule"], "broke_off_counted", "{receipt}");
        let path = format!("/v1/responses/{}", told.as_str().expect("an id"));
        assert_eq!(formats.get(&path).await.0, 404, "what failed is not kept");
    }
    formats.gateway.assert_books().await;
}

#[tokio::test]
async fn what_is_not_served_is_refused_by_name() {
    let formats = Formats::start().await;
    for format in FORMATS {
        for (member, value) in [
            ("background", json!(true)),
            ("conversation", json!("conv_1")),
            ("prompt", json!({"id": "pmpt_1"})),
            ("service_tier", json!("priority")),
        ] {
            let name = member.split('[').next().expect("a name");
            let mut body = json!({"model": format, "input": "Hello"});
            body[name] = value;
            let reply = formats.post("/v1/responses", &body).await;
            assert_eq!(reply.status(), 400, "{body}");
            let error = reply.json::<Value>().await.expect("JSON")["error"].clone();
            assert_eq!(error["param"], member, "{error}");
        }
        let body = json!({"model": format, "input": 7});
        assert_eq!(formats.post("/v1/responses", &body).await.status(), 400);
    }
    assert!(formats.provider.take_received().is_empty(), "nothing was sent");
    assert_eq!(amount(&formats.gateway.balance().await["held_usd"]), "0");
}
