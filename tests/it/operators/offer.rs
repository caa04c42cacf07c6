//! What operators put on offer is sold as what the configuration has, at once, and beside it.

use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::gateway::{Options, exact};
use tollgate_tests::reply::{Reply, chat_stream, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, Upstream};

use super::admin_client::AdminClient;

const AT_ANY_PLACE: &str = "[admin]\nprovider_networks = [\"127.0.0.0/8\"]\nsecrets_key_env = \"SECRETS_KEY\"\n";

fn chat(model: &str) -> String {
    json!({"model": model, "messages": [{"role": "user", "content": "hello"}]}).to_string()
}

fn model(candidates: &Value) -> Value {
    json!({"context_tokens": 1000, "max_output_tokens": 100, "listed_as": "price", "candidates": candidates})
}

async fn priced(admin: &AdminClient, prompt: &str, completion: &str) {
    let settings = json!({"prompt": prompt, "completion": completion});
    AdminClient::data(admin.post("prices", &json!({"name": "price", "settings": settings})).await);
}

async fn provider(admin: &AdminClient, name: &str, upstream: &Upstream) {
    let body =
        json!({"name": name, "settings": {"base_url": upstream.base_url()}, "api_key": format!("key of {name}")});
    AdminClient::data(admin.post("providers", &body).await);
}

async fn answering() -> Upstream {
    let upstream = Upstream::start().await;
    upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    upstream
}

/// The receipt of a request for a model, and its status.
async fn receipt(gateway: &TestGateway, model: &str) -> Value {
    let reply = gateway.chat(chat(model)).send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let (status, told) = (reply.status().as_u16(), reply.text().await.expect("a body"));
    assert_eq!(status, 200, "{told}");
    gateway.receipt(&id).await
}

#[tokio::test]
async fn a_model_is_sold_once_it_has_provider_and_price_and_each_version_of_the_price_is_told() {
    let gateway = TestGateway::start().await;
    let (admin, upstream) = (AdminClient::of(&gateway).await, answering().await);
    provider(&admin, "alpha", &upstream).await;
    let body = json!({"name": "quick", "settings": model(&json!([{"upstream": "alpha", "model": "theirs"}]))});
    let (code, detail) = AdminClient::refused(admin.post("models", &body).await);
    assert!(code == "CATALOG_UNUSABLE" && detail.contains("settings.listed_as"), "{detail}");
    priced(&admin, "1", "2").await;
    AdminClient::data(admin.post("models", &body).await);
    let first = receipt(&gateway, "quick").await;
    assert_eq!((&first["price_version"], &first["charged_usd"]), (&json!("price v1"), &exact("0.000015")));
    let sent = upstream.take_received();
    assert_eq!(sent[0].header("authorization"), Some("Bearer key of alpha"));
    assert_eq!(serde_json::from_slice::<Value>(&sent[0].body).expect("JSON")["model"], "theirs");
    // A version takes the place of the one before, which stays to be read.
    let raised = json!({"settings": {"prompt": "10", "completion": "20"}, "reason": "dearer"});
    let price = AdminClient::data(admin.post("prices/price/versions", &raised).await);
    assert_eq!((&price["models"], &price["before"][0]["settings"]["prompt"]), (&json!(["quick"]), &json!("1")));
    let second = receipt(&gateway, "quick").await;
    assert_eq!((&second["price_version"], &second["charged_usd"]), (&json!("price v2"), &exact("0.00015")));
    // The log tells each change, with what was before and after.
    let log = AdminClient::data(admin.get("changes?action=price.change").await)["changes"][0].clone();
    assert_eq!(
        (&log["subject"], &log["reason"], &log["actor"]),
        (&json!("price"), &json!("dearer"), &json!("operator root"))
    );
    assert!(
        log["before"].as_str().expect("text").contains("\"1\"")
            && log["after"].as_str().expect("text").contains("\"10\"")
    );
    AdminClient::data(admin.delete("models/quick").await);
    assert_eq!(gateway.chat(chat("quick")).send().await.expect("an answer").status(), 404);
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_change_of_an_old_version_is_refused_and_one_that_is_there_is_done() {
    let gateway = TestGateway::start().await;
    let (admin, upstream) = (AdminClient::of(&gateway).await, answering().await);
    provider(&admin, "alpha", &upstream).await;
    let put = async |most: u64, version: &str| {
        let body = json!({"settings": {"base_url": upstream.base_url(), "concurrency_max": most}});
        admin.send(reqwest::Method::PUT, "providers/alpha", Some(&body), version).await
    };
    assert_eq!(AdminClient::data(put(5, "1").await)["version"], "2");
    assert_eq!(AdminClient::refused(put(6, "1").await).0, "CHANGED_MEANWHILE");
    // Its answer was lost, and it is sent again.
    assert_eq!(AdminClient::data(put(5, "1").await)["version"], "2");
    assert_eq!(AdminClient::data(put(6, "\"2\"").await)["version"], "3");
    // The same with another secret is another change, and of an old version it is refused.
    let put_secret = async |secret: &str, version: &str| {
        let settings = json!({"base_url": upstream.base_url(), "concurrency_max": 6});
        let body = json!({"settings": settings, "api_key": secret});
        admin.send(reqwest::Method::PUT, "providers/alpha", Some(&body), version).await
    };
    assert_eq!(AdminClient::data(put_secret("new", "3").await)["version"], "4");
    assert_eq!(AdminClient::data(put_secret("new", "3").await)["version"], "4", "sent again");
    assert_eq!(AdminClient::refused(put_secret("old", "3").await).0, "CHANGED_MEANWHILE");
    AdminClient::data(admin.delete("providers/alpha?reason=too%20dear").await);
    let lines = AdminClient::data(admin.get("changes?subject=alpha").await)["changes"].clone();
    assert_eq!(lines.as_array().expect("lines").len(), 5, "one for each that was made");
    assert_eq!((&lines[0]["action"], &lines[0]["reason"]), (&json!("provider.remove"), &json!("too dear")));
}

#[tokio::test]
async fn a_drained_provider_ends_what_it_has_and_is_sent_nothing_more() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    let (one, other) = (Upstream::start().await, answering().await);
    let gate = ReplyGate::default();
    let held = gate.clone();
    one.on(move |_| {
        Reply::stream(chat_stream(&["a", "b"], 9, 3)).step_at(2, tollgate_tests::reply::Step::Wait(held.clone()))
    });
    provider(&admin, "one", &one).await;
    provider(&admin, "other", &other).await;
    priced(&admin, "1", "2").await;
    let both = model(&json!([{"upstream": "one"}, {"upstream": "other"}]));
    AdminClient::data(admin.post("models", &json!({"name": "quick", "settings": both})).await);
    let body = json!({"model": "quick", "stream": true, "messages": [{"role": "user", "content": "hello"}]});
    let mut streamed = gateway.chat(body.to_string()).send().await.expect("an answer");
    let first = streamed.chunk().await.expect("a piece").expect("not its end");
    let drained = AdminClient::data(admin.post("providers/one/drain", &json!({})).await);
    assert_eq!(drained["state"], "draining");
    assert_eq!(receipt(&gateway, "quick").await["upstream"], "other");
    gate.open();
    let mut told = first.to_vec();
    while let Some(piece) = streamed.chunk().await.expect("a piece") {
        told.extend_from_slice(&piece);
    }
    assert!(String::from_utf8_lossy(&told).ends_with("[DONE]\n\n"), "the stream under way ends as it began");
    assert_eq!(one.take_received().len(), 1);
    // All that drain are none, and the client may come again.
    AdminClient::data(admin.post("providers/other/drain", &json!({})).await);
    let reply = gateway.chat(chat("quick")).send().await.expect("an answer");
    assert!(reply.status() == 503 && reply.headers().contains_key("retry-after"), "{reply:?}");
    AdminClient::data(admin.post("providers/one/resume", &json!({})).await);
    one.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    assert_eq!(receipt(&gateway, "quick").await["upstream"], "one");
    // The configuration's can be drained too, and stays so after a start.
    AdminClient::data(admin.post("providers/fake/drain", &json!({})).await);
    let gateway = gateway.again(AT_ANY_PLACE, Clock::system()).await;
    assert_eq!(gateway.hello().send().await.expect("an answer").status(), 503);
}

#[tokio::test]
async fn what_the_configuration_has_is_its_own_and_what_contradicts_it_is_left_out() {
    let rung = AlarmLog::of_this_test();
    let gateway = TestGateway::start().await;
    let (admin, upstream) = (AdminClient::of(&gateway).await, answering().await);
    provider(&admin, "alpha", &upstream).await;
    priced(&admin, "1", "2").await;
    for (name, fallback) in [("quick", json!([])), ("slow", json!(["quick"]))] {
        let mut settings = model(&json!([{"upstream": "alpha"}]));
        settings["fallback"] = fallback;
        AdminClient::data(admin.post("models", &json!({"name": name, "settings": settings})).await);
    }
    let mut taken = model(&json!([{"upstream": "alpha"}]));
    taken["aliases"] = json!(["tiny"]);
    let (code, detail) = AdminClient::refused(admin.post("models", &json!({"name": "new", "settings": taken})).await);
    assert!(code == "CATALOG_UNUSABLE" && detail.contains("`tiny` is a name of the configuration"), "{detail}");
    let alias = json!({"name": "tiny", "settings": model(&json!([{"upstream": "alpha"}]))});
    assert_eq!(AdminClient::refused(admin.post("models", &alias).await).0, "CATALOG_CONFIGURED");
    // The next configuration has a provider of that name, and a price list with that price.
    std::fs::write(
        gateway.folder.path().join("list.toml"),
        "[prices.price]\nprompt = \"7\"\ncompletion = \"7\"\n[prices.other]\nprompt = \"3\"\ncompletion = \"4\"\n",
    )
    .expect("a file of ours");
    let own = format!(
        "price_list = \"list.toml\"\n{AT_ANY_PLACE}[upstreams.alpha]\nbase_url = \"{}\"\n",
        gateway.upstream.base_url()
    );
    let gateway = gateway.again(&own, Clock::system()).await;
    let admin = admin.at(gateway.url(""));
    let quick = AdminClient::data(admin.get("models/quick").await);
    assert_eq!((&quick["origin"], &quick["fault"]), (&json!("api"), &Value::Null), "the list prices it now");
    assert_eq!((&quick["price"]["prompt"], &quick["price_version"]), (&json!("7"), &json!("config")));
    gateway.upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    assert_eq!(receipt(&gateway, "quick").await["charged_usd"], exact("0.000084"));
    assert_eq!(AdminClient::data(admin.get("providers/alpha").await)["origin"], "file");
    assert_eq!(AdminClient::data(admin.get("prices/price").await)["origin"], "file");
    let alarms = rung.rung();
    let told: Vec<_> = alarms.iter().filter(|alarm| alarm["alarm"] == "catalog").map(|alarm| &alarm["entry"]).collect();
    assert_eq!(told, ["provider `alpha`", "price `price`"]);
    // The price list's prices cannot be changed here.
    for answer in [
        admin.post("prices", &json!({"name": "other", "settings": {"prompt": "1", "completion": "1"}})).await,
        admin.post("prices/other/versions", &json!({"settings": {"prompt": "1", "completion": "1"}})).await,
        admin.delete("prices/other").await,
    ] {
        assert_eq!(AdminClient::refused(answer).0, "CATALOG_CONFIGURED");
    }
    let list = json!({"list": "[prices.other]\nprompt = \"1\"\ncompletion = \"1\"\n"});
    let compared = AdminClient::data(admin.post("price_list/comparison", &list).await);
    assert_eq!(compared["differences"][0]["kind"], "configured");
    AdminClient::data(admin.post("price_list", &list).await);
    assert_eq!(AdminClient::data(admin.get("prices/other").await)["settings"]["prompt"], "3", "it stays as it is");
    // Without the provider in either, the models are not sold, and each tells why.
    gateway.upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    let gateway = gateway.again(&own.replace("upstreams.alpha", "upstreams.beta"), Clock::system()).await;
    let admin = admin.at(gateway.url(""));
    assert_eq!(AdminClient::data(admin.get("providers/alpha").await)["origin"], "api");
    assert_eq!(AdminClient::data(admin.get("models/quick").await)["fault"], Value::Null);
}

#[tokio::test]
async fn a_price_list_is_taken_as_it_was_compared_or_not_at_all() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    priced(&admin, "1", "2").await;
    let list = |new: &str| {
        json!({"list": format!("version = \"x\"\n[prices.price]\nprompt = \"3\"\ncompletion = \"4\"\n[prices.\"a/new\"]\n\
            prompt = \"{new}\"\ncompletion = \"1\"\n")})
    };
    let compared = AdminClient::data(admin.post("price_list/comparison", &list("1")).await);
    let kinds: Vec<_> =
        compared["differences"].as_array().expect("a list").iter().map(|it| (&it["name"], &it["kind"])).collect();
    assert_eq!(kinds, [(&json!("a/new"), &json!("new")), (&json!("price"), &json!("changed"))]);
    let version = compared["version"].as_str().expect("text");
    let take =
        async |body: &Value, version: &str| admin.send(reqwest::Method::POST, "price_list", Some(body), version).await;
    assert_eq!(AdminClient::refused(take(&list("2"), version).await).0, "CHANGED_MEANWHILE", "another list");
    assert_eq!(AdminClient::refused(take(&list("cheap"), "*").await).0, "CATALOG_UNUSABLE");
    assert_eq!(AdminClient::data(admin.get("prices/price").await)["version"], "1", "all or none");
    AdminClient::data(take(&list("1"), version).await);
    assert_eq!(AdminClient::data(admin.get("prices/a%2Fnew").await)["settings"]["prompt"], "1");
    assert_eq!(AdminClient::data(admin.get("prices/price").await)["price_version"], "price v2");
    let again = AdminClient::data(admin.post("price_list/comparison", &list("1")).await);
    assert_eq!((&again["differences"], &again["same"]), (&json!([]), &json!(2)));
    // As long as the public lists are, and by its name what is wrong in it.
    let price = |name: u32| format!("[prices.\"vendor/model-{name}\"]\nprompt = \"1\"\ncompletion = \"2\"\n");
    let long: String = (0..3_000).map(price).collect();
    let body = json!({"list": long, "reason": "all of them"});
    let taken = AdminClient::data(take(&body, "*").await);
    assert_eq!(taken["differences"].as_array().expect("a list").len(), 3_000);
    let (code, detail) = AdminClient::refused(take(&json!({"list": long.replace("\"2\"", "\"x\"")}), "*").await);
    assert!(code == "CATALOG_UNUSABLE" && detail.contains("vendor/model-0.completion"), "{detail}");
    let unlisted = json!({"list": long, "names": ["vendor/model-1", "nobody"]});
    assert!(AdminClient::refused(take(&unlisted, "*").await).1.contains("`nobody`"));
}

#[tokio::test]
async fn groups_pay_their_ratio_and_stay_while_an_account_is_in_them() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    gateway.upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    AdminClient::data(admin.post("groups", &json!({"name": "friends", "ratio": "0.5"})).await);
    let account = format!("accounts/{}", gateway.account);
    let patch =
        async |group: &str| admin.send(reqwest::Method::PATCH, &account, Some(&json!({"group": group})), "*").await;
    AdminClient::data(patch("friends").await);
    let charged = async |ratio: &str| {
        // The server takes over a group within a second.
        until("the ratio", || async {
            let receipt = receipt(&gateway, "small").await;
            (receipt["ratio"] == ratio).then_some(receipt["charged_usd"].clone())
        })
        .await
    };
    assert_eq!(charged("0.5").await, exact("0.000001575"));
    assert_eq!(AdminClient::refused(admin.delete("groups/friends").await).0, "CATALOG_IN_USE");
    AdminClient::data(admin.put("groups/friends", &json!({"ratio": "2"})).await);
    assert_eq!(charged("2").await, exact("0.0000063"));
    AdminClient::data(patch("default").await);
    AdminClient::data(admin.delete("groups/friends").await);
    assert_eq!(patch("friends").await.0, 400);
    assert_eq!(charged("1").await, exact("0.00000315"));
    // The usual group has a ratio of its own as long as operators say so.
    AdminClient::data(admin.post("groups", &json!({"name": "default", "ratio": "2"})).await);
    assert_eq!(charged("2").await, exact("0.0000063"));
    AdminClient::data(admin.delete("groups/default").await);
    assert_eq!(charged("1").await, exact("0.00000315"));
    // Another server may put an account into a group in the moment in which it is taken off.
    let accounts = &gateway.service().accounts;
    accounts.set_group(gateway.account, "friends".parse().expect("a group"), "test").await.expect("it is there");
    let rung = AlarmLog::of_this_test();
    let gateway = gateway.again(AT_ANY_PLACE, Clock::system()).await;
    assert_eq!(rung.rings("catalog").await["group"], "friends");
    assert_eq!(gateway.hello().send().await.expect("an answer").status(), 503, "it is sold nothing");
}

#[tokio::test]
async fn providers_are_on_the_open_internet_unless_the_configuration_allows_a_network() {
    let config = "[admin]\nprovider_networks = [\"10.1.0.0/16\"]\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let admin = AdminClient::of(&gateway).await;
    for (base_url, allowed) in [
        ("https://api.example.com/v1", true),
        ("https://api.example.com:8443/v1", true),
        ("http://10.1.2.3:8000/v1", true),
        ("http://10.2.0.1/v1", false),
        ("http://127.0.0.1/v1", false),
        ("https://127.0.0.1/v1", false),
        ("https://0x7f.1/v1", false),
        ("https://[::1]/v1", false),
        ("https://[::ffff:10.2.0.1]/v1", false),
        ("https://169.254.169.254/latest", false),
        ("https://localhost/v1", false),
        ("https://vault.internal/v1", false),
        ("https://user:password@api.example.com/v1", false),
        ("ftp://api.example.com/v1", false),
        ("file:///etc/passwd", false),
        ("api.example.com", false),
    ] {
        let name = format!("at {}", base_url.len());
        let (status, told) = admin.post("providers", &json!({"name": name, "settings": {"base_url": base_url}})).await;
        assert_eq!(status == 200, allowed, "{base_url}: {told}");
        if allowed {
            AdminClient::data(admin.delete(&format!("providers/{}", name.replace(' ', "%20"))).await);
        } else {
            assert_eq!(told["code"], "CATALOG_UNUSABLE");
        }
    }
    assert_eq!(AdminClient::data(admin.get("providers?origin=api").await)["providers"], json!([]));
}

#[tokio::test]
async fn a_sandbox_sells_what_it_has() {
    let served = tokio::task::spawn_blocking(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = folder.path().display().to_string();
        let (ok, made) = tollgate_tests::binary::run_json(&[
            "operator", "create", "root", "--key", "--role", "owner", "--data", &data,
        ]);
        assert!(ok, "{made}");
        (
            tollgate_tests::binary::Served::start(&["--data", &data]),
            made["key"].as_str().expect("a key").to_owned(),
            folder,
        )
    });
    let (served, key, _folder) = served.await.expect("no panic");
    let admin = AdminClient::new(served.url().to_owned(), key);
    let provider = json!({"name": "alpha", "settings": {"base_url": "https://api.example.com/v1"}});
    let model = json!({"name": "quick", "settings": model(&json!([{"upstream": "sandbox"}]))});
    let (price, group) = (json!({"prompt": "1", "completion": "1"}), json!({"name": "friends", "ratio": "1"}));
    let list = json!({"list": "[prices.a]\nprompt = \"1\"\ncompletion = \"1\"\n"});
    for answer in [
        admin.post("providers", &provider).await,
        admin.put("providers/alpha", &json!({"settings": provider["settings"]})).await,
        admin.delete("providers/alpha").await,
        admin.post("models", &model).await,
        admin.put("models/quick", &json!({"settings": model["settings"]})).await,
        admin.delete("models/quick").await,
        admin.post("prices", &json!({"name": "a", "settings": price})).await,
        admin.post("prices/a/versions", &json!({"settings": price})).await,
        admin.delete("prices/a").await,
        admin.post("price_list", &list).await,
        admin.post("groups", &group).await,
        admin.put("groups/friends", &json!({"ratio": "1"})).await,
        admin.delete("groups/friends").await,
    ] {
        assert_eq!(AdminClient::refused(answer).0, "CATALOG_SANDBOX");
    }
}

/// The ledger of a sandbox may have been one of a server before, with real providers: their answers are not for its credit.
#[tokio::test]
async fn a_sandbox_sells_nothing_that_operators_added_before() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (data, config) = (folder.path().join("data"), folder.path().join("tollgate.toml"));
    let text = |more: &str| {
        format!("data_dir = {data:?}\n[admin]\npublic = true\nprovider_networks = [\"127.0.0.0/8\"]\n{more}")
    };
    let upstream = answering().await;
    let serve = async |more: &str| {
        std::fs::write(&config, text(more)).expect("a file of ours");
        let path = config.display().to_string();
        let start = move || tollgate_tests::binary::Served::start(&["--config", &path]);
        tokio::task::spawn_blocking(start).await.expect("a server")
    };
    std::fs::write(&config, text("")).expect("a file of ours");
    let words = ["operator", "create", "root", "--key", "--role", "owner", "--config"].map(str::to_owned);
    let path = config.display().to_string();
    let made = tokio::task::spawn_blocking(move || {
        let words: Vec<&str> = words.iter().map(String::as_str).chain([path.as_str()]).collect();
        tollgate_tests::binary::run_json(&words).1
    });
    let key = made.await.expect("no panic")["key"].as_str().expect("a key").to_owned();
    let served = serve("").await;
    let admin = AdminClient::new(served.url().to_owned(), key);
    AdminClient::data(
        admin.post("providers", &json!({"name": "sandbox", "settings": {"base_url": upstream.base_url()}})).await,
    );
    assert!(served.terminate());
    std::fs::rename(data.join("tollgate.db"), data.join("sandbox.db")).expect("the ledger's file");
    let served = serve("[sandbox]\nenabled = true\n").await;
    let key = served.greeting["demo_key"].as_str().expect("a demo key").to_owned();
    // Servers look for changes twice a second.
    let begun = std::time::Instant::now();
    while begun.elapsed() < std::time::Duration::from_secs(2) {
        let request = tollgate_tests::client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&key);
        let request = request.header("content-type", "application/json").body(chat("sandbox"));
        assert_eq!(request.send().await.expect("an answer").status(), 200);
    }
    let admin = admin.at(served.url().to_owned());
    assert_eq!(AdminClient::data(admin.get("providers?origin=api").await)["providers"], json!([]));
    assert_eq!(upstream.take_received().len(), 0, "the sandbox's own provider answered");
    drop(served);
}
