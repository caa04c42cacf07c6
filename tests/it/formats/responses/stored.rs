//! What is remembered: asked for, listed, forgotten, by its owner alone, and after a crash.

use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::Upstream;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::{Options, client};

use super::state::stranger;
use super::{FORMATS, Formats, models, says};

async fn ask_with(key: &str, method: reqwest::Method, url: String) -> (u16, Value) {
    let reply = client().request(method, url).bearer_auth(key).send().await.expect("an answer");
    (reply.status().as_u16(), reply.json().await.expect("JSON"))
}

#[tokio::test]
async fn a_response_is_told_again_until_it_is_forgotten() {
    let formats = Formats::start().await;
    for format in FORMATS {
        let whole = formats.ask(&json!({"model": format, "input": "x"})).await;
        let path = format!("/v1/responses/{}", whole["id"].as_str().expect("an id"));
        assert_eq!(formats.get(&path).await, (200, whole.clone()), "{format}");
        let (status, error) =
            ask_with(&formats.gateway.key, reqwest::Method::POST, formats.gateway.url(&format!("{path}/cancel"))).await;
        assert_eq!(status, 400, "{error}");
        assert!(error.to_string().to_uppercase().contains("NOT_CANCELLABLE"), "{error}");
        let url = formats.gateway.url(&path);
        let (status, gone) = ask_with(&formats.gateway.key, reqwest::Method::DELETE, url.clone()).await;
        assert_eq!((status, gone), (200, json!({"id": whole["id"], "object": "response", "deleted": true})));
        for (method, path) in [
            (reqwest::Method::GET, path.clone()),
            (reqwest::Method::DELETE, path.clone()),
            (reqwest::Method::POST, format!("{path}/cancel")),
            (reqwest::Method::GET, format!("{path}/input_items")),
        ] {
            let (status, error) = ask_with(&formats.gateway.key, method, formats.gateway.url(&path)).await;
            assert_eq!(status, 404, "{path}: {error}");
            assert!(error.to_string().to_uppercase().contains("RESPONSE_NOT_FOUND"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_streamed_response_is_told_as_its_last_event_told_it() {
    let formats = Formats::start().await;
    for format in FORMATS {
        let seen = formats.ask_stream(&json!({"model": format, "input": "x", "stream": true})).await;
        let last = &seen.last().expect("an end")["response"];
        let path = format!("/v1/responses/{}", last["id"].as_str().expect("an id"));
        assert_eq!(formats.get(&path).await, (200, last.clone()), "{format}");
    }
    let unkept = formats.ask_stream(&json!({"model": "chat", "input": "x", "stream": true, "store": false})).await;
    let path = format!("/v1/responses/{}", unkept[0]["response"]["id"].as_str().expect("an id"));
    assert_eq!(formats.get(&path).await.0, 404);
}

#[tokio::test]
async fn nobody_sees_another_account_s_responses() {
    let formats = Formats::start().await;
    let stranger = stranger(&formats).await;
    let whole = formats.ask(&json!({"model": "chat", "input": "x"})).await;
    let path = format!("/v1/responses/{}", whole["id"].as_str().expect("an id"));
    for (method, path) in [
        (reqwest::Method::GET, path.clone()),
        (reqwest::Method::DELETE, path.clone()),
        (reqwest::Method::POST, format!("{path}/cancel")),
        (reqwest::Method::GET, format!("{path}/input_items")),
    ] {
        let (status, _) = ask_with(&stranger, method, formats.gateway.url(&path)).await;
        assert_eq!(status, 404, "{path}");
    }
    assert_eq!(formats.get(&path).await.0, 200, "it is still there for its owner");
}

#[tokio::test]
async fn input_items_come_in_pages() {
    let formats = Formats::start().await;
    let first = formats.ask(&json!({"model": "messages", "input": "one"})).await;
    let input = json!([{"role": "user", "content": "two"}, {"role": "user", "content": "three"}]);
    let next = json!({"model": "messages", "input": input, "previous_response_id": first["id"]});
    let second = formats.ask(&next).await;
    let path = format!("/v1/responses/{}/input_items", second["id"].as_str().expect("an id"));
    let (_, all) = formats.get(&format!("{path}?order=asc")).await;
    let said = |page: &Value| -> Vec<String> {
        let items = page["data"].as_array().expect("items").iter();
        items.map(|item| item["content"][0]["text"].as_str().expect("a text").to_owned()).collect()
    };
    assert_eq!(said(&all), ["one", "hello there", "two", "three"]);
    assert_eq!(all["has_more"], false);
    let (_, newest) = formats.get(&format!("{path}?limit=3")).await;
    assert_eq!(
        (said(&newest), &newest["has_more"]),
        (vec!["three".into(), "two".into(), "hello there".into()], &json!(true))
    );
    let (_, rest) = formats.get(&format!("{path}?limit=3&after={}", newest["last_id"].as_str().expect("an id"))).await;
    assert_eq!((said(&rest), &rest["has_more"]), (vec!["one".into()], &json!(false)));
    for wrong in ["order=up", "after=msg_unknown", "limit=0", "limit=101"] {
        assert_eq!(formats.get(&format!("{path}?{wrong}")).await.0, 400, "{wrong}");
    }
}

#[tokio::test]
async fn a_response_is_kept_for_thirty_days() {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let formats = Formats::with(Options { clock, ..Options::default() }).await;
    let whole = formats.ask(&json!({"model": "chat", "input": "x"})).await;
    let path = format!("/v1/responses/{}", whole["id"].as_str().expect("an id"));
    hand.advance_ms(30 * 86_400_000 - 1);
    assert_eq!(formats.get(&path).await.0, 200);
    hand.advance_ms(1);
    assert_eq!(formats.get(&path).await.0, 404);
    let next = json!({"model": "chat", "input": "y", "previous_response_id": whole["id"]});
    assert_eq!(formats.post("/v1/responses", &next).await.status(), 400);
}

/// Seen complete is kept: the process is killed the moment that the client has read the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_takes_no_response_that_was_seen_complete() {
    let provider = Upstream::start().await;
    provider.on(|request| says(request, "hello there"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = folder.path().join("tollgate.toml");
    let text = format!("data_dir = {:?}\n{}", folder.path(), models(&provider));
    std::fs::write(&config, text).expect("a file of ours");
    let config = config.display().to_string();
    let args = ["--config", config.as_str()];
    for command in ["account create ada", "credit grant --account ada --usd 5"] {
        let command: Vec<&str> = command.split(' ').collect();
        let (done, said) = run_json(&[&args[..], &command].concat());
        assert!(done, "{said}");
    }
    let (_, made) = run_json(&[&args[..], &["key", "create", "--account", "ada"]].concat());
    let key = made["key"].as_str().expect("a key").to_owned();
    let mut seen: Vec<(String, Value)> = Vec::new();
    for format in FORMATS {
        let served = Served::start(&args);
        for (id, before) in &seen {
            let url = format!("{}/v1/responses/{id}", served.url());
            assert_eq!(&ask_with(&key, reqwest::Method::GET, url).await, &(200, before.clone()), "{format}");
        }
        let url = format!("{}/v1/responses", served.url());
        let body = json!({"model": format, "input": "x", "stream": true}).to_string();
        let request = client().post(url).bearer_auth(&key).header("content-type", "application/json").body(body);
        let text = request.send().await.expect("an answer").text().await.expect("a body");
        served.kill();
        let last = super::events(&text).pop().expect("an end");
        assert_eq!(last["type"], "response.completed", "{text}");
        seen.push((last["response"]["id"].as_str().expect("an id").to_owned(), last["response"].clone()));
    }
    let served = Served::start(&args);
    let (id, before) = &seen[3];
    let next = json!({"model": "generate", "input": "y", "previous_response_id": id}).to_string();
    let url = format!("{}/v1/responses", served.url());
    let request = client().post(url).bearer_auth(&key).header("content-type", "application/json").body(next);
    assert_eq!(request.send().await.expect("an answer").status(), 200, "{before}");
    assert!(served.terminate());
    let (clean, report) = run_json(&[&args[..], &["audit"]].concat());
    assert!(clean, "{report}");
}
