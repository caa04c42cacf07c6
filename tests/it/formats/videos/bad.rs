//! Orders that are refused: by us, without a word to anybody, or by the provider. Nothing is held afterwards.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::fake_video_provider::{FakeVideoProvider, Plan};
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::Reply;
use tollgate_tests::reply_gate::ReplyGate;

use super::{STUDIOS, charged, gateway, order, order_form, over, pair, receipt};

const TEXT: &str = "/videoA/v1/videos/text2video";
const IMAGE: &str = "/videoA/v1/videos/image2video";

#[tokio::test]
async fn what_cannot_be_filmed_or_paid_for_is_not_sent() {
    let (gateway, _) = gateway().await;
    for (path, body, status, code) in [
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "seconds": "5"}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "seconds": "x"}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "seconds": [4]}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "size": "large"}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "film-o"}), 400, "missing_field"),
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "input_reference": "x"}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "input_reference": {}}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "nobody", "prompt": "a"}), 404, "model_not_found"),
        ("/v1/videos", json!({"model": "small", "prompt": "a"}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "film-small", "prompt": "a", "size": "1792x1024"}), 400, "bad_field"),
        (
            "/v1/videos",
            json!({"model": "film-a", "prompt": "a", "input_reference": {"file_id": "f"}}),
            400,
            "provider_state",
        ),
        (
            "/v1/videos",
            json!({"model": "film-o", "prompt": "a", "input_reference": {"image_url": "https://x", "file_id": "f"}}),
            400,
            "provider_state",
        ),
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "N_Variants": 4}), 400, "bad_field"),
        ("/v1/videos", json!({"model": "film-o", "prompt": "a", "duration": 12}), 400, "bad_field"),
        (TEXT, json!({"model": "film-a", "prompt": "a", "image": "https://x"}), 400, "bad_field"),
        (
            TEXT,
            json!({"model": "film-a", "prompt": "a", "mode": "std", "width": 1920, "height": 1080}),
            400,
            "bad_field",
        ),
        (TEXT, json!({"model": "film-o", "prompt": "a", "mode": "pro"}), 400, "not_convertible"),
        (TEXT, json!({"model": "film-a", "prompt": "a", "duration": 7}), 400, "bad_field"),
        (TEXT, json!({"model": "film-a", "prompt": "a", "width": 720}), 400, "bad_field"),
        (TEXT, json!({"model": "film-a", "prompt": "a", "height": 720}), 400, "bad_field"),
        (TEXT, json!({"model": "film-a", "prompt": "a", "mode": "4k"}), 400, "bad_field"),
        (TEXT, json!({"model": "film-a", "prompt": "a", "sound": "on"}), 400, "bad_field"),
        (TEXT, json!({"model": "film-a"}), 400, "missing_field"),
        (IMAGE, json!({"model": "film-a", "image": "not base64!"}), 400, "bad_field"),
        (IMAGE, json!({"model": "film-a", "image": "data:image/png;base64,!"}), 400, "bad_field"),
        (IMAGE, json!({"model": "film-a"}), 400, "missing_field"),
    ] {
        let (found, _, answer) = order(&gateway, path, &body).await;
        assert_eq!((found, &answer["error"]["code"]), (status, &json!(code)), "{body}: {answer}");
    }
    assert!(gateway.upstream.take_received().is_empty());
    assert_eq!(amount(&gateway.balance().await["held_usd"]), "0");
    gateway.assert_books().await;
}

#[tokio::test]
async fn forms_with_something_wrong_in_them_are_refused() {
    let (gateway, _) = gateway().await;
    for (parts, code) in [
        (&[("prompt", "a"), ("seconds", "four")][..], "bad_field"),
        (&[("prompt", "a"), ("prompt", "b")], "bad_field"),
        (&[("seconds", "4")], "missing_field"),
        (&[("prompt", "a"), ("n", "2")], "bad_field"),
        (&[("prompt", "a"), ("input_reference", "nothing")], "bad_field"),
        (&[("prompt", "a"), ("input_reference[file_id]", "f")], "provider_state"),
        (
            &[("prompt", "a"), ("input_reference[image_url]", "https://x"), ("input_reference[file_id]", "f")],
            "provider_state",
        ),
    ] {
        let (status, _, answer) = order_form(&gateway, parts).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(code)), "{parts:?}: {answer}");
    }
    assert!(gateway.upstream.take_received().is_empty());
}

#[tokio::test]
async fn an_order_beyond_the_credit_is_refused() {
    let (gateway, studio) = gateway().await;
    studio.plan(Plan { questions: usize::MAX, ..Plan::default() });
    let body = json!({"model": "film-o", "prompt": "a", "seconds": "12", "size": "1792x1024"});
    for status in [200, 200, 429] {
        let (found, _, answer) = order(&gateway, "/v1/videos", &body).await;
        assert_eq!(found, status, "{answer}");
    }
}

#[tokio::test]
async fn a_provider_s_no_is_told_and_costs_nothing() {
    let (gateway, _) = gateway().await;
    for (path, model) in [("/v1/videos", "film-o"), (TEXT, "film-a"), ("/v1/videos", "film-a"), (TEXT, "film-o")] {
        let (status, headers, answer) = order(&gateway, path, &json!({"model": model, "prompt": "forbidden"})).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("upstream_refused")), "{answer}");
        assert!(answer["error"]["message"].as_str().expect("text").contains("this is not filmed here"), "{answer}");
        let receipt = receipt(&gateway, &headers).await;
        assert_eq!((&receipt["rule"], charged(&receipt).1.as_str()), (&json!("nothing_delivered"), "0"));
    }
    // Nobody is shown a video that was never made.
    let list: Value = gateway.get("/v1/videos").send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(list["data"], json!([]));
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_provider_that_cannot_is_told_as_what_it_is() {
    let (gateway, _) = gateway().await;
    let second = |code: i64| Reply::json(200, &json!({"code": code, "message": "m", "request_id": "r"}));
    for (model, reply, status, code) in [
        ("film-o", Reply::json(500, &json!({})), 502, "bad_gateway"),
        ("film-o", Reply::json(429, &json!({})), 429, "upstream_rate_limited"),
        ("film-o", Reply::json(401, &json!({})), 502, "bad_gateway"),
        ("film-o", Reply::json(200, &json!({"no": "job"})), 502, "bad_gateway"),
        ("film-o", Reply::raw(200, "text/html", b"<html>".to_vec()), 502, "bad_gateway"),
        ("film-o", Reply::hang_up(), 502, "bad_gateway"),
        ("film-a", second(1002), 502, "bad_gateway"),
        ("film-a", second(1004), 502, "bad_gateway"),
        ("film-a", second(1102), 502, "bad_gateway"),
        ("film-a", second(1200), 400, "upstream_refused"),
        ("film-a", second(1303), 429, "upstream_rate_limited"),
        ("film-a", second(5001), 503, "no_available_channel"),
        ("film-a", second(5002), 504, "upstream_timeout"),
        ("film-a", Reply::json(200, &json!({"code": 0})), 502, "bad_gateway"),
    ] {
        let told = format!("{reply:?}");
        gateway.upstream.answer(reply);
        let (found, headers, answer) = order(&gateway, "/v1/videos", &json!({"model": model, "prompt": "a"})).await;
        assert_eq!((found, &answer["error"]["code"]), (status, &json!(code)), "{told}: {answer}");
        assert_eq!(charged(&receipt(&gateway, &headers).await).1, pair("", "0").1);
    }
    assert_eq!(amount(&gateway.balance().await["held_usd"]), "0");
    gateway.assert_books().await;
}

/// A provider that has as many requests under way as it may have was not asked, and the receipt says so.
#[tokio::test]
async fn an_order_that_no_provider_has_room_for_was_not_sent() {
    const NARROW: &str = r#"
[upstreams.narrow]
base_url = "{upstream}"
api_key_env = "FAKE_UPSTREAM_KEY"
concurrency_max = 1
[models.film-narrow]
context_tokens = 1
max_output_tokens = 1
price = { prompt = "0", completion = "0", video_second = "0.1" }
video_seconds = [4]
candidates = [{ upstream = "narrow" }]
"#;
    let config = [STUDIOS, NARROW].concat();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let studio = FakeVideoProvider::at(&gateway.upstream.base_url());
    let (asked, gate) = (ReplyGate::default(), ReplyGate::default());
    let (answering, told, held) = (studio.clone(), asked.clone(), gate.clone());
    gateway.upstream.on(move |request| {
        told.open();
        Reply { head_after: Some(held.clone()), ..answering.answer(request) }
    });
    let body = json!({"model": "film-narrow", "prompt": "a", "seconds": "4"});
    let second = async {
        asked.passed().await;
        let (status, headers, answer) = order(&gateway, "/v1/videos", &body).await;
        assert_eq!((status, &answer["error"]["code"]), (503, &json!("no_available_channel")), "{answer}");
        let receipt = receipt(&gateway, &headers).await;
        assert_eq!((&receipt["rule"], &receipt["upstream"]), (&json!("not_sent"), &Value::Null));
        gate.open();
    };
    let ((status, _, first), ()) = tokio::join!(order(&gateway, "/v1/videos", &body), second);
    assert_eq!(status, 200, "{first}");
    over(&gateway, first["id"].as_str().expect("an id")).await;
    gateway.assert_books().await;
}
