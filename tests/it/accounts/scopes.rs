//! What a key may be used for: models, operations and addresses, in each format; and the life of keys over HTTP.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tollgate_accounts::{KeyLimits, NewKey};
use tollgate_base::{Clock, KeyScope};
use tollgate_tests::formats::{answer, config};
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::Reply;
use tollgate_tests::{TestGateway, client};

const KEYS: &str = "/api/user/self/keys";

/// A request with a key, and a body if there is one.
fn ask(gateway: &TestGateway, method: Method, path: &str, key: &str, body: Option<&Value>) -> RequestBuilder {
    let request = client().request(method, gateway.url(path)).bearer_auth(key);
    match body {
        Some(body) => request.header("content-type", "application/json").body(body.to_string()),
        None => request,
    }
}

/// The status and the JSON of an answer.
async fn told(request: RequestBuilder) -> (u16, Value) {
    let reply = request.send().await.expect("an answer");
    let status = reply.status().as_u16();
    (status, serde_json::from_str(&reply.text().await.expect("a body")).expect("JSON"))
}

async fn key_for(gateway: &TestGateway, scope: KeyScope) -> String {
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
    let limits = KeyLimits { scope, ..KeyLimits::default() };
    let created = gateway.service().accounts.create_limited_key(key, limits, "test").await.expect("a key");
    created.secret.reveal().to_owned()
}

fn models(names: &[&str]) -> KeyScope {
    KeyScope { models: Some(names.iter().map(|name| (*name).to_owned()).collect()), ..KeyScope::default() }
}

#[tokio::test]
async fn a_key_lives_from_its_making_to_its_revocation() {
    let gateway = TestGateway::start().await;
    let asked = json!({
        "label": "for the batch", "models": ["tiny"], "operations": ["chat.create", "keys.list"],
        "addresses": ["127.0.0.1", "10.1.2.3/8", "2001:DB8::/32"], "budget_day_usd": 0.5, "budget_week_usd": 1,
        "budget_month_usd": 2, "budget_usd": 10.000000001, "requests_per_minute": 60, "tokens_per_minute": 1000, "in_flight": 2,
    });
    let (status, made) = told(ask(&gateway, Method::POST, KEYS, &gateway.key, Some(&asked))).await;
    assert_eq!((status, &made["success"]), (200, &json!(true)), "{made}");
    let (secret, shown) = (made["data"]["api_key"].as_str().expect("a key").to_owned(), &made["data"]["key"]);
    assert_eq!(shown["addresses"], json!(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"]));
    for member in ["label", "models", "operations", "requests_per_minute", "tokens_per_minute", "in_flight"] {
        assert_eq!(shown[member], asked[member], "{member}");
    }
    assert!(shown.get("expires_at").is_none() && shown["status"] == "active", "{shown}");
    let id = shown["key_id"].as_i64().expect("a number");
    let (_, listed) = told(ask(&gateway, Method::GET, KEYS, &gateway.key, None)).await;
    assert!(listed["data"].as_array().expect("a list").contains(shown), "{listed}");
    assert!(!listed.to_string().contains(&secret));
    // It is used for what it is for, and for nothing else.
    gateway.upstream.on(answer);
    let hello = json!({"model": "small", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 9});
    assert_eq!(told(ask(&gateway, Method::POST, "/v1/chat/completions", &secret, Some(&hello))).await.0, 200);
    assert_eq!(told(ask(&gateway, Method::GET, "/v1/models", &secret, None)).await.0, 403);
    // Limits are changed one by one, and taken away by null.
    let one = format!("{KEYS}/{id}");
    let change = json!({"label": "for all", "operations": null, "budget_usd": null, "in_flight": 7});
    let (status, changed) = told(ask(&gateway, Method::PATCH, &one, &gateway.key, Some(&change))).await;
    let key = &changed["data"];
    assert!(status == 200 && key.get("operations").is_none() && key.get("budget_usd").is_none(), "{changed}");
    assert_eq!((&key["in_flight"], &key["label"], &key["models"]), (&json!(7), &json!("for all"), &json!(["tiny"])));
    assert_eq!(told(ask(&gateway, Method::GET, "/v1/models", &secret, None)).await.0, 200, "at once on this node");
    // It is revoked for ever, and again is the same as once.
    for _ in 0..2 {
        let (status, gone) = told(ask(&gateway, Method::DELETE, &one, &gateway.key, None)).await;
        assert_eq!((status, &gone["data"]["status"]), (200, &json!("revoked")), "{gone}");
    }
    assert_eq!(told(ask(&gateway, Method::GET, "/v1/models", &secret, None)).await.0, 401);
    gateway.assert_books().await;
}

#[tokio::test]
async fn what_cannot_be_a_limit_is_named() {
    let gateway = TestGateway::start().await;
    for (member, value, field) in [
        ("addresses", json!(["10.0.0.0/8", "10.0.0.0/33"]), "addresses[1]"),
        ("addresses", json!(["example.org"]), "addresses[0]"),
        ("addresses", json!([]), "addresses"),
        ("models", json!(["a\nb"]), "models[0]"),
        ("models", json!("small"), "models"),
        ("operations", json!(["chat.create", "chat.dream"]), "operations[1]"),
        ("operations", json!(["sessions.login"]), "operations[0]"),
        ("budget_day_usd", json!(-1), "budget_day_usd"),
        ("budget_usd", json!("1"), "budget_usd"),
        ("requests_per_minute", json!(0), "requests_per_minute"),
        ("expires_at", json!(1), "expires_at"),
        ("label", json!("a\nb"), "label"),
        ("label", json!(""), "label"),
        ("color", json!("red"), "color"),
    ] {
        let mut body = json!({"label": "x"});
        body[member] = value;
        let (status, refused) = told(ask(&gateway, Method::POST, KEYS, &gateway.key, Some(&body))).await;
        assert_eq!((status, &refused["code"]), (400, &json!("BAD_FIELD")), "{body}: {refused}");
        assert_eq!(refused["data"]["field"], field, "{body}: {refused}");
    }
}

#[tokio::test]
async fn a_key_makes_none_that_goes_further_than_itself() {
    let (clock, _hand) = Clock::manual(1_800_000_000_000);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    let limited = key_for(&gateway, models(&["small"])).await;
    let body = json!({"label": "wide"});
    let (status, refused) = told(ask(&gateway, Method::POST, KEYS, &limited, Some(&body))).await;
    assert_eq!((status, &refused["code"]), (403, &json!("KEY_LIMITED")), "{refused}");
    // One that only expires makes keys that expire no later.
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: Some(1_800_000_060_000) };
    let expiring = gateway.service().accounts.create_key(key, "test").await.expect("a key").secret;
    let (_, made) = told(ask(&gateway, Method::POST, KEYS, expiring.reveal(), Some(&body))).await;
    assert_eq!(made["data"]["key"]["expires_at"], 1_800_000_060, "{made}");
    for (expires_at, want) in [(1_800_000_060_i64, 200), (1_800_000_061, 400)] {
        let body = json!({"label": "x", "expires_at": expires_at});
        assert_eq!(
            told(ask(&gateway, Method::POST, KEYS, expiring.reveal(), Some(&body))).await.0,
            want,
            "{expires_at}"
        );
    }
}

#[tokio::test]
async fn models_of_a_key_hold_in_every_format_and_show_in_every_list() {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(answer);
    let key = key_for(&gateway, models(&["via-chat", "gone"])).await;
    let turns = json!([{"role": "user", "content": "Hello"}]);
    let o = |model: &str| ("/v1/chat/completions".to_owned(), json!({"model": model, "messages": turns}));
    let a = |model: &str| ("/v1/messages".to_owned(), json!({"model": model, "messages": turns, "max_tokens": 9}));
    let g = |model: &str| {
        let path = format!("/v1beta/models/{model}:generateContent");
        (path, json!({"contents": [{"parts": [{"text": "Hello"}]}]}))
    };
    type Make<'m> = &'m dyn Fn(&str) -> (String, Value);
    let asks: [(&str, Make<'_>, &str); 3] =
        [("o", &o, "/error/code"), ("a", &a, "/error/code"), ("g", &g, "/error/details/0/reason")];
    for (format, make, code) in asks {
        for (model, want) in [("via-chat", 200), ("via-messages", 403), ("nothing", 404)] {
            let (path, body) = make(model);
            let request = ask(&gateway, Method::POST, &path, &key, Some(&body)).header("a-version", "2023-06-01");
            let (status, reply) = told(request).await;
            assert_eq!(status, want, "{format} {model}: {reply}");
            if want == 403 {
                let code = reply.pointer(code).and_then(Value::as_str).expect("a code").to_ascii_uppercase();
                assert_eq!(code, "MODEL_NOT_ALLOWED", "{format}: {reply}");
            }
        }
    }
    for (path, version, list) in
        [("/v1/models", None, "/data"), ("/v1/models", Some("x"), "/data"), ("/v1beta/models", None, "/models")]
    {
        let request = ask(&gateway, Method::GET, path, &key, None);
        let (_, listed) = told(
            version
                .map_or(request.try_clone(), |version| Some(request.try_clone()?.header("a-version", version)))
                .expect("no body"),
        )
        .await;
        let models = listed.pointer(list).and_then(Value::as_array).expect("a list");
        assert!(models.len() == 1 && models[0].to_string().contains("via-chat"), "{path}: {listed}");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_model_that_the_key_may_not_use_does_not_stand_in() {
    let main = "[models.main]\ncontext_tokens = 1000\nmax_output_tokens = 100\nfallback = [\"via-chat\", \"via-responses\"]\n\
        price = { prompt = \"1\", completion = \"1\" }\ncandidates = [{ upstream = \"fake\", model = \"inner\" }]\n";
    let gateway = TestGateway::with(Options { config: config() + main, ..Options::default() }).await;
    gateway.upstream.on(|request| {
        let failing = String::from_utf8_lossy(&request.body).contains("inner");
        if failing { Reply::json(500, &json!({"error": {"message": "no"}})) } else { answer(request) }
    });
    let body = json!({"model": "main", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 9});
    let send = async |key: &str| {
        let reply =
            ask(&gateway, Method::POST, "/v1/chat/completions", key, Some(&body)).send().await.expect("an answer");
        let stands = reply.headers().get("x-tollgate-fallback").map(|name| name.to_str().expect("text").to_owned());
        (reply.status().as_u16(), stands)
    };
    assert_eq!(send(&gateway.key).await, (200, Some("via-chat".to_owned())));
    assert_eq!(
        send(&key_for(&gateway, models(&["main", "via-responses"])).await).await,
        (200, Some("via-responses".to_owned()))
    );
    assert_eq!(send(&key_for(&gateway, models(&["main"])).await).await, (502, None));
    assert_eq!(send(&key_for(&gateway, models(&["via-chat"])).await).await, (403, None));
    gateway.assert_books().await;
}

#[tokio::test]
async fn an_address_is_the_peer_s_unless_a_proxy_is_trusted() {
    let direct = TestGateway::start().await;
    let trusting = "[listener]\ntrusted_proxies = [\"127.0.0.1\"]\n".to_owned();
    let behind = TestGateway::with(Options { config: trusting, ..Options::default() }).await;
    for (gateway, range, forwarded, want) in [
        (&direct, "127.0.0.0/8", None, 200),
        (&direct, "192.0.2.0/24", None, 403),
        // The client's own word.
        (&direct, "192.0.2.0/24", Some("192.0.2.7"), 403),
        (&behind, "192.0.2.0/24", Some("192.0.2.7"), 200),
        (&behind, "192.0.2.0/24", Some("192.0.2.7, 198.51.100.1"), 403),
        (&behind, "198.51.100.1", Some("192.0.2.7, 198.51.100.1"), 200),
        (&behind, "2001:db8::/32", Some("2001:db8::7"), 200),
        (&behind, "127.0.0.1", Some("nobody"), 403),
        (&behind, "0.0.0.0/0", Some("nobody"), 403),
        (&behind, "127.0.0.1", None, 200),
    ] {
        let scope = KeyScope { addresses: Some(vec![range.parse().expect("a range")]), ..KeyScope::default() };
        let key = key_for(gateway, scope).await;
        let request = ask(gateway, Method::GET, "/v1/models", &key, None);
        let request =
            forwarded.map_or(request.try_clone(), |hops| Some(request.try_clone()?.header("x-forwarded-for", hops)));
        let (status, reply) = told(request.expect("no body")).await;
        assert_eq!(status, want, "{range} {forwarded:?}: {reply}");
    }
}
