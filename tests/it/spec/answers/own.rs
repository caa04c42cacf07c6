//! What the rooms refuse: models, credit, conversions, and what is not there.

use serde_json::{Value, json};
use tollgate_accounts::{KeyLimits, NewKey};
use tollgate_base::{KeyScope, PoolId, Usd};
use tollgate_credit::GrantRequest;
use tollgate_tests::formats::answer;
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway};

use super::asks::{Ask, Names};
use super::codes::{Cases, Expected, Shape};
use super::{Door, TURNS, another_team, gateway, kept, ordered, orders, people};

/// An order for a video, whose errors have a shape of their own.
const ORDER: &str = "video_a.create_from_text";
/// Of which one request holds nearly all: 1,000 tokens of output at 0.6 USD per million, and its prompt. A tenth of that is more
/// than what is left.
const TIGHT: i64 = 650_000;
/// What is asked about a video.
const VIDEOS: &[&str] = &[
    "videos.get",
    "videos.get_generation",
    "videos.delete",
    "videos.download",
    "video_a.get_text",
    "video_a.get_image",
];

pub(super) async fn run(cases: &mut Cases) {
    let gateway = gateway(Options::default()).await;
    let door = Door::open(gateway.service()).await;
    turns(cases, &gateway, &door).await;
    short_of_credit(cases, &gateway, &door).await;
    not_there(cases, &gateway, &door).await;
    carried_out_once(cases, &gateway, &door).await;
    not_for_the_key(cases, &gateway, &door).await;
    people::run(cases, &gateway, &door).await;
    orders::run(cases, &gateway, &door).await;
    let request =
        Ask::of("service.metrics", &Names::default()).request(&door.url).header("x-forwarded-for", "192.0.2.1");
    let reply = door.send("service.metrics", request).await;
    cases.answered(Expected::new(Shape::O, "ROUTE_NOT_FOUND"), reply).await;
    let page = Ask { path: "/docs/no-such-page".to_owned(), ..Ask::of("service.docs_file", &Names::default()) };
    let reply = door.send("service.docs_file", page.request(&door.url)).await;
    cases.answered(Expected::new(Shape::O, "ROUTE_NOT_FOUND"), reply).await;
    gateway.assert_books().await;
}

/// Before anything is held or sent.
async fn turns(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let with_model = TURNS.into_iter().chain(["models.get", "responses.compact", "responses.count_tokens", ORDER]);
    for operation in with_model {
        let request = Ask::of(operation, &Names::of_model("nothing")).request(&door.url).bearer_auth(&gateway.key);
        let reply = door.send(operation, request).await;
        cases.answered(Expected::new(Shape::of(operation), "MODEL_NOT_FOUND"), reply).await;
    }
    let version =
        Ask { headers: vec![("anthropic-version", "x")], ..Ask::of("models.get", &Names::of_model("nothing")) };
    let reply = door.send("models.get", version.request(&door.url).bearer_auth(&gateway.key)).await;
    cases.answered(Expected::new(Shape::A, "MODEL_NOT_FOUND"), reply).await;
    let stops = json!(["a", "b", "c", "d", "e", "f"]);
    for operation in TURNS {
        // No price that could be paid: the bound is the model's own, which is beyond all money.
        let mut dear = Ask::of(operation, &Names::of_model("dear"));
        for name in ["max_completion_tokens", "max_output_tokens", "max_tokens", "generationConfig"] {
            dear.body.as_mut().and_then(|body| body.as_object_mut()?.remove(name));
        }
        if operation == "messages.create" {
            dear = dear.with("max_tokens", json!(1_000_000_000_000_u64));
        }
        let reply = door.send(operation, dear.request(&door.url).bearer_auth(&gateway.key)).await;
        cases.answered(Expected::new(Shape::of(operation), "UNKNOWN_PRICE"), reply).await;
        // What the provider's format has no word for.
        let over = |model: &str| Ask::of(operation, &Names::of_model(model));
        let ask = match operation {
            "chat.create" => over("via-messages").with("n", json!(2)),
            "completions.create" => over("via-messages").with("echo", json!(true)),
            "messages.create" => over("via-chat").with("stop_sequences", stops.clone()),
            "responses.create" => over("via-messages").with("top_logprobs", json!(2)),
            _ => over("via-chat").with("generationConfig", json!({"stopSequences": stops})),
        };
        let reply = door.send(operation, ask.request(&door.url).bearer_auth(&gateway.key)).await;
        cases.answered(Expected::new(Shape::of(operation), "NOT_CONVERTIBLE"), reply).await;
        for (member, value, code) in closed(operation) {
            let ask = Ask::of(operation, &Names::default()).with(member, value);
            let reply = door.send(operation, ask.request(&door.url).bearer_auth(&gateway.key)).await;
            cases.answered(Expected::new(Shape::of(operation), code), reply).await;
        }
    }
    for (model, code) in [("via-chat", "BAD_FIELD"), ("unfilmed", "NOT_CONVERTIBLE")] {
        let request = Ask::of(ORDER, &Names::of_model(model)).request(&door.url).bearer_auth(&gateway.key);
        let reply = door.send(ORDER, request).await;
        cases.answered(Expected::new(Shape::VideoCreate, code), reply).await;
    }
    assert!(gateway.upstream.take_received().is_empty(), "nothing was sent");
}

/// Members that do not pass, with the code that tells why.
fn closed(operation: &str) -> Vec<(&'static str, Value, &'static str)> {
    let file = |part: Value| json!([{"role": "user", "content": [part]}]);
    let own = match operation {
        "chat.create" => vec![
            ("service_tier", json!("priority"), "NOT_OFFERED"),
            ("speed", json!("fast"), "NOT_OFFERED"),
            ("extra_body", json!({"fast": {"a": 1}}), "MEMBER_UNKNOWN"),
            ("messages", file(json!({"type": "file", "file": {"file_id": "f"}})), "PROVIDER_STATE"),
        ],
        "responses.create" => vec![
            ("service_tier", json!("priority"), "NOT_OFFERED"),
            ("input", file(json!({"type": "input_image", "file_id": "f"})), "PROVIDER_STATE"),
        ],
        "messages.create" => vec![
            ("speed", json!("fast"), "NOT_OFFERED"),
            ("fallbacks", json!([{"model": "other"}]), "NOT_OFFERED"),
            ("container", json!("c"), "PROVIDER_STATE"),
            ("thread", json!({"type": "continue", "previous_message_id": "m"}), "THREAD_UNSUPPORTED"),
        ],
        "completions.create" => Vec::new(),
        _ => vec![
            ("serviceTier", json!("priority"), "NOT_OFFERED"),
            ("cachedContent", json!("cachedContents/1"), "PROVIDER_STATE"),
        ],
    };
    own.into_iter().chain([("brand_new", json!({"size": 1}), "MEMBER_UNKNOWN")]).collect()
}

async fn short_of_credit(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let poor = key_with(gateway, "poor", 0).await;
    for operation in TURNS.into_iter().chain([ORDER]) {
        let request = Ask::of(operation, &Names::default()).request(&door.url).bearer_auth(&poor);
        let reply = door.send(operation, request).await;
        cases.answered(Expected::new(Shape::of(operation), "INSUFFICIENT_CREDIT"), reply).await;
    }
    while_another_is_under_way(cases, gateway, door, &key_with(gateway, "tight", TIGHT).await, "CREDIT_IN_FLIGHT")
        .await;
    let team = key_of_team(gateway, door, Usd::from_nanos(TIGHT)).await;
    while_another_is_under_way(cases, gateway, door, &team, "BUDGET_IN_FLIGHT").await;
}

/// One request of a key holds nearly all that it can have.
async fn while_another_is_under_way(
    cases: &mut Cases,
    gateway: &TestGateway,
    door: &Door,
    tight: &str,
    code: &'static str,
) {
    let gate = ReplyGate::default();
    let held = gate.clone();
    gateway.upstream.on(move |request| answer(request).step_at(0, Step::Wait(held.clone())));
    let first = Ask::of("chat.create", &Names::default()).with("max_completion_tokens", json!(1000));
    let first = tokio::spawn(first.request(&door.url).bearer_auth(tight).send());
    until("the first to be sent", || async { (!gateway.upstream.take_received().is_empty()).then_some(()) }).await;
    for operation in TURNS.into_iter().chain([ORDER]) {
        let request = Ask::of(operation, &Names::default()).request(&door.url).bearer_auth(tight);
        let reply = door.send(operation, request).await;
        cases.answered(Expected::new(Shape::of(operation), code), reply).await;
    }
    gate.open();
    assert_eq!(first.await.expect("no panic").expect("an answer").status(), 200);
    gateway.upstream.on(answer);
}

async fn not_there(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let nothing = Names::default();
    let compacted = json!([{"type": "compaction", "encrypted_content": "tgc1.x"}, {"role": "user", "content": "x"}]);
    let mut asks = vec![
        ("receipts.get", Ask::of("receipts.get", &nothing), "RECEIPT_NOT_FOUND"),
        ("responses.cancel", Ask::of("responses.cancel", &kept(gateway, door).await), "NOT_CANCELLABLE"),
    ];
    for &operation in VIDEOS {
        asks.push((operation, Ask::of(operation, &nothing), "VIDEO_NOT_FOUND"));
    }
    let after = Ask { path: "/api/user/self/receipts?after=none".to_owned(), ..Ask::of("receipts.list", &nothing) };
    asks.push(("receipts.list", after, "RECEIPT_NOT_FOUND"));
    let wide = "/api/user/self/usage?from=2020-01-01&to=2026-01-01".to_owned();
    asks.push(("usage.get", Ask { path: wide, ..Ask::of("usage.get", &nothing) }, "USAGE_TOO_WIDE"));
    let after = Ask { path: "/v1/videos?after=video_none".to_owned(), ..Ask::of("videos.list", &nothing) };
    asks.push(("videos.list", after, "VIDEO_NOT_FOUND"));
    gateway.upstream.on(|request| {
        let unfinished =
            Reply::json(200, &json!({"id": "film", "object": "video", "status": "queued", "seconds": "4"}));
        if request.line.contains("/videos") { unfinished } else { answer(request) }
    });
    let video = ordered(gateway, door).await;
    for operation in ["videos.delete", "videos.download"] {
        let names = Names { video: video.clone(), ..Names::default() };
        asks.push((operation, Ask::of(operation, &names), "VIDEO_NOT_READY"));
    }
    for operation in ["responses.get", "responses.delete", "responses.cancel", "responses.input_items"] {
        asks.push((operation, Ask::of(operation, &nothing), "RESPONSE_NOT_FOUND"));
    }
    for operation in ["responses.create", "responses.compact", "responses.count_tokens"] {
        let ask = Ask::of(operation, &nothing);
        let after = ask.clone().with("previous_response_id", json!("resp_none"));
        asks.push((operation, after, "PREVIOUS_RESPONSE_NOT_FOUND"));
        let referring = json!([{"type": "item_reference", "id": "msg_none"}]);
        asks.push((operation, ask.clone().with("input", referring), "ITEM_NOT_FOUND"));
        asks.push((operation, ask.with("input", compacted.clone()), "BAD_COMPACTION"));
    }
    for (operation, ask, code) in asks {
        let reply = door.send(operation, ask.request(&door.url).bearer_auth(&gateway.key)).await;
        cases.answered(Expected::new(Shape::of(operation), code), reply).await;
    }
}

/// With a key that was used: by another request, by one that is under way, by one whose answer was a stream.
async fn carried_out_once(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    for operation in TURNS.into_iter().chain([ORDER]) {
        let shape = Shape::of(operation);
        let send = async |ask: &Ask, key: &str| {
            let request = ask.request(&door.url).bearer_auth(&gateway.key).header("idempotency-key", key);
            door.send(operation, request).await
        };
        gateway.upstream.on(answer);
        let ask = Ask::of(operation, &Names::default());
        let reply = send(&ask, &format!("{operation} 1")).await;
        assert_eq!(reply.status(), 200, "{operation}");
        reply.bytes().await.expect("a body");
        let reply = send(&ask.clone().with("user", json!("another")), &format!("{operation} 1")).await;
        cases.answered(Expected::new(shape, "IDEMPOTENCY_MISMATCH"), reply).await;
        if ![ORDER, "content.generate"].contains(&operation) {
            let stream = ask.clone().streamed();
            let reply = send(&stream, &format!("{operation} 2")).await;
            assert_eq!(reply.status(), 200, "{operation}");
            reply.bytes().await.expect("a body");
            let reply = send(&stream, &format!("{operation} 2")).await;
            cases.answered(Expected::new(shape, "IDEMPOTENCY_DONE"), reply).await;
        }
        let gate = ReplyGate::default();
        let held = gate.clone();
        drop(gateway.upstream.take_received());
        gateway.upstream.on(move |request| answer(request).step_at(0, Step::Wait(held.clone())));
        let key = format!("{operation} 3");
        let first = ask.request(&door.url).bearer_auth(&gateway.key).header("idempotency-key", &key);
        let first = tokio::spawn(first.send());
        // Videos of before are asked for all the while, by GET.
        let sent = || gateway.upstream.take_received().iter().any(|sent| sent.line.starts_with("POST"));
        until("the first to be sent", || async { sent().then_some(()) }).await;
        let reply = send(&ask, &key).await;
        cases.answered(Expected::new(shape, "IDEMPOTENCY_IN_FLIGHT"), reply).await;
        gate.open();
        assert_eq!(first.await.expect("no panic").expect("an answer").status(), 200, "{operation}");
    }
    gateway.upstream.on(answer);
}

/// By keys that are for another model, and that may spend nothing.
async fn not_for_the_key(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let scope = KeyScope { models: Some(vec!["via-chat".to_owned()]), ..KeyScope::default() };
    let narrow = limited_key(gateway, KeyLimits { scope, ..KeyLimits::default() }).await;
    let poor = limited_key(gateway, KeyLimits { budget_life: Some(Usd::ZERO), ..KeyLimits::default() }).await;
    let of_team = key_of_team(gateway, door, Usd::ZERO).await;
    let free = ["models.get", "content.get_model", "messages.count_tokens", "responses.count_tokens"];
    for operation in TURNS.into_iter().chain(["responses.compact", ORDER]).chain(free) {
        let ask = Ask::of(operation, &Names::default());
        let reply = door.send(operation, ask.request(&door.url).bearer_auth(&narrow)).await;
        cases.answered(Expected::new(Shape::of(operation), "MODEL_NOT_ALLOWED"), reply).await;
        if !free.contains(&operation) {
            let reply = door.send(operation, ask.request(&door.url).bearer_auth(&poor)).await;
            cases.answered(Expected::new(Shape::of(operation), "KEY_SPEND_CAP_EXCEEDED"), reply).await;
            let reply = door.send(operation, ask.request(&door.url).bearer_auth(&of_team)).await;
            cases.answered(Expected::new(Shape::of(operation), "BUDGET_EXCEEDED"), reply).await;
        }
    }
    let version = Ask { headers: vec![("anthropic-version", "x")], ..Ask::of("models.get", &Names::default()) };
    let reply = door.send("models.get", version.request(&door.url).bearer_auth(&narrow)).await;
    cases.answered(Expected::new(Shape::A, "MODEL_NOT_ALLOWED"), reply).await;
}

/// A key of a team that may spend so much in a day.
async fn key_of_team(gateway: &TestGateway, door: &Door, budget: Usd) -> String {
    let team = another_team(gateway, &format!("with {budget}")).await;
    let names = Names { team, ..Names::default() };
    let change = Ask::of("teams.change", &names).with("budget_day_usd", budget.to_string().parse().expect("a number"));
    assert_eq!(change.request(&door.url).bearer_auth(&gateway.key).send().await.expect("an answer").status(), 200);
    limited_key(gateway, KeyLimits { team: Some(PoolId(team)), ..KeyLimits::default() }).await
}

async fn limited_key(gateway: &TestGateway, limits: KeyLimits) -> String {
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
    let created = gateway.service().accounts.create_limited_key(key, limits, "test").await.expect("a key");
    created.secret.reveal().to_owned()
}

/// A key of an account of its own with so much credit.
async fn key_with(gateway: &TestGateway, name: &str, nanos: i64) -> String {
    let service = gateway.service();
    let account = service.accounts.create_account(name, "test").await.expect("an account").id;
    if nanos > 0 {
        let amount = Usd::from_nanos(nanos);
        service
            .credit
            .grant(GrantRequest { account, amount, idem: name, actor: "test".into(), note: "" })
            .await
            .expect("a grant");
    }
    let key = NewKey { account, label: String::new(), expires_at_ms: None };
    service.accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned()
}
