//! Reading videos: on every family's path, page by page, in parts; by their account alone.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::fake_video_provider::{FILM, Plan};
use tollgate_tests::gateway::client;
use tollgate_tests::wait::until;

use super::{answered, gateway, order, over};

async fn finished(gateway: &TestGateway, model: &str) -> String {
    let (status, _, job) = order(gateway, "/v1/videos", &json!({"model": model, "prompt": "a cat"})).await;
    assert_eq!(status, 200, "{job}");
    let id = job["id"].as_str().expect("an id").to_owned();
    assert_eq!(over(gateway, &id).await["status"], "completed");
    id
}

async fn get(gateway: &TestGateway, path: &str) -> (u16, Value) {
    let (status, _, body) = answered(gateway.get(path)).await;
    (status, body)
}

#[tokio::test]
async fn a_video_is_read_on_every_path_by_its_account_alone() {
    let (gateway, _) = gateway().await;
    let id = finished(&gateway, "film-o").await;
    let paths = [
        format!("/v1/videos/{id}"),
        format!("/v1/video/generations/{id}"),
        format!("/videoA/v1/videos/text2video/{id}"),
        format!("/videoA/v1/videos/image2video/{id}"),
    ];
    for path in &paths {
        let (status, body) = get(&gateway, path).await;
        assert_eq!((status, &body["status"]), (200, &json!("completed")), "{path}: {body}");
    }
    let stranger = stranger(&gateway).await;
    for path in paths.iter().chain([&format!("/v1/videos/{id}/content")]) {
        let (status, _, theirs) = answered(client().get(gateway.url(path)).bearer_auth(&stranger)).await;
        let (missing, _, nobody) =
            answered(client().get(gateway.url(&path.replace(&id, "video_x"))).bearer_auth(&stranger)).await;
        assert_eq!((status, missing), (404, 404), "{path}");
        let text = theirs.to_string().replace(&id, "video_x");
        assert_eq!(nameless(serde_json::from_str(&text).expect("JSON")), nameless(nobody), "told apart by nothing");
    }
    let request = client().delete(gateway.url(&format!("/v1/videos/{id}"))).bearer_auth(&stranger);
    assert_eq!(answered(request).await.0, 404);
    let (_, _, list) = answered(client().get(gateway.url("/v1/videos")).bearer_auth(&stranger)).await;
    assert_eq!(list, json!({"object": "list", "data": [], "first_id": null, "last_id": null, "has_more": false}));
}

/// An error without the name of its request.
fn nameless(mut body: Value) -> Value {
    body["error"].as_object_mut().expect("an object").remove("request_id");
    body
}

/// A key of another account.
async fn stranger(gateway: &TestGateway) -> String {
    let accounts = &gateway.service().accounts;
    let account = accounts.create_account("stranger", "test").await.expect("an account").id;
    let key = tollgate_accounts::NewKey { account, label: "test".to_owned(), expires_at_ms: None };
    accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned()
}

#[tokio::test]
async fn a_film_is_read_in_parts_wherever_it_lies() {
    let (gateway, _) = gateway().await;
    for model in ["film-o", "film-a"] {
        let id = finished(&gateway, model).await;
        let path = format!("/v1/videos/{id}/content");
        for (range, status, expected, told) in [
            ("bytes=2-5", 206, &FILM[2..6], Some("bytes 2-5/28")),
            ("bytes=20-", 206, &FILM[20..], Some("bytes 20-27/28")),
        ] {
            let reply = gateway.get(&path).header("range", range).send().await.expect("an answer");
            assert_eq!(reply.status().as_u16(), status);
            assert_eq!(reply.headers().get("content-range").and_then(|value| value.to_str().ok()), told);
            assert_eq!(reply.bytes().await.expect("a part"), expected);
        }
        let (status, _, answer) = answered(gateway.get(&path).header("range", "bytes=28-")).await;
        assert_eq!((status, &answer["error"]["code"]), (416, &json!("upstream_refused")), "{model}: {answer}");
    }
    // Where the provider names the address of the video alone, the video must not pass for a picture of it.
    let pictured = finished(&gateway, "film-a").await;
    let (status, answer) = get(&gateway, &format!("/v1/videos/{pictured}/content?variant=thumbnail")).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("upstream_refused")), "{answer}");
    let (status, answer) =
        get(&gateway, &format!("/v1/videos/{}/content?variant=sound", finished(&gateway, "film-o").await)).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad_parameter")));
}

#[tokio::test]
async fn videos_are_listed_page_by_page_and_a_deleted_one_is_gone() {
    let (gateway, studio) = gateway().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(finished(&gateway, "film-o").await);
    }
    let page = async |query: &str| {
        let (status, page) = get(&gateway, &format!("/v1/videos{query}")).await;
        assert_eq!(status, 200, "{page}");
        let found =
            page["data"].as_array().expect("a list").iter().map(|job| job["id"].as_str().expect("an id").to_owned());
        (found.collect::<Vec<_>>(), page["has_more"].clone())
    };
    let newest: Vec<String> = ids.iter().rev().cloned().collect();
    assert_eq!(page("").await, (newest.clone(), json!(false)));
    assert_eq!(page("?order=asc&limit=2").await, (ids[..2].to_vec(), json!(true)));
    assert_eq!(page(&format!("?order=asc&after={}", ids[1])).await, (ids[2..].to_vec(), json!(false)));
    assert_eq!(page(&format!("?after={}&limit=1", newest[0])).await, (newest[1..2].to_vec(), json!(true)));
    assert_eq!(get(&gateway, "/v1/videos?after=video_x").await.0, 404);
    assert_eq!(get(&gateway, "/v1/videos?order=up").await.0, 400);

    let deleted = gateway.url(&format!("/v1/videos/{}", ids[1]));
    let delete = || answered(client().delete(&deleted).bearer_auth(&gateway.key));
    let (status, _, answer) = delete().await;
    assert_eq!((status, answer), (200, json!({"id": ids[1], "object": "video.deleted", "deleted": true})));
    assert_eq!(delete().await.0, 404);
    assert_eq!(get(&gateway, &format!("/v1/videos/{}", ids[1])).await.0, 404);
    assert_eq!(page("").await.0, [newest[0].clone(), newest[2].clone()]);
    // A page ends at a video that was deleted since, and the next one follows all the same.
    assert_eq!(page(&format!("?order=asc&after={}", ids[1])).await, (ids[2..].to_vec(), json!(false)));
    until("the provider's own to be deleted", || async { studio.films()[1].deleted.then_some(()) }).await;
}

#[tokio::test]
async fn what_is_not_finished_is_neither_read_nor_deleted() {
    let (gateway, studio) = gateway().await;
    studio.plan(Plan { questions: usize::MAX, ..Plan::default() });
    let (_, _, job) = order(&gateway, "/v1/videos", &json!({"model": "film-o", "prompt": "a cat"})).await;
    let path = format!("/v1/videos/{}", job["id"].as_str().expect("an id"));
    let (status, answer) = get(&gateway, &format!("{path}/content")).await;
    assert_eq!((status, &answer["error"]["code"]), (409, &json!("video_not_ready")), "{answer}");
    let (status, _, answer) = answered(client().delete(gateway.url(&path)).bearer_auth(&gateway.key)).await;
    assert_eq!((status, &answer["error"]["code"]), (409, &json!("video_not_ready")), "{answer}");
    // It goes on whether or not anybody asks, and says how far it is.
    studio.plan(Plan { questions: 1, made: true, ..Plan::default() });
    over(&gateway, job["id"].as_str().expect("an id")).await;
}
