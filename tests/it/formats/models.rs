//! `GET /v1/models` and `GET /v1/models/{model}` in the three formats.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::Options;

const TWO_MORE: &str = "[models.\"org/large:v1\"]\ncontext_tokens = 5\nmax_output_tokens = 5\nprice = { prompt = \"1\", completion = \"1\" }\n\
    candidates = [{ upstream = \"fake\" }]\ncreated = 1700000000\ndisplay_name = \"Large\"\n\
    [models.middle]\ncontext_tokens = 5\nmax_output_tokens = 5\nprice = { prompt = \"1\", completion = \"1\" }\ncandidates = [{ upstream = \"fake\" }]\n";

async fn gateway() -> TestGateway {
    TestGateway::with(Options { config: TWO_MORE.to_owned(), ..Options::default() }).await
}

async fn ask(gateway: &TestGateway, path: &str, headers: &[(&str, &str)]) -> (u16, Value) {
    let mut request = gateway.get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let reply = request.send().await.expect("an answer");
    (reply.status().as_u16(), reply.json().await.expect("JSON"))
}

fn ids(list: &Value, key: &str) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|model| model[key].as_str().expect("text").to_owned()).collect()
}

#[tokio::test]
async fn the_list_has_the_format_of_who_asks() {
    let gateway = gateway().await;
    let key = gateway.key.clone();
    let (_, o) = ask(&gateway, "/v1/models", &[]).await;
    assert_eq!(o["object"], "list");
    assert_eq!(ids(&o["data"], "id"), ["org/large:v1", "middle", "small"]);
    let pricing = json!({"prompt": "0.000001", "completion": "0.000001", "input_cache_read": "0.000001",
        "input_cache_write": "0.00000125", "request": "0"});
    assert_eq!(
        o["data"][0],
        json!({"id": "org/large:v1", "object": "model", "created": 1_700_000_000, "owned_by": "tollgate",
            "context_length": 5, "max_output_tokens": 5, "pricing": pricing})
    );
    for headers in [&[("a-version", "2026-10-21")][..], &[("anthropic-version", "x"), ("x-api-key", &key)]] {
        let (_, a) = ask(&gateway, "/v1/models", headers).await;
        assert_eq!((a["has_more"].as_bool(), a["first_id"].as_str()), (Some(false), Some("org/large:v1")));
        assert_eq!(a["data"][0]["created_at"], "2023-11-14T22:13:20Z");
        assert_eq!(a["data"][0]["display_name"], "Large");
    }
    for headers in [&[("x-goog-api-key", key.as_str())][..], &[("x-g-api-key", &key), ("a-version", "1")]] {
        let (_, g) = ask(&gateway, "/v1/models", headers).await;
        assert_eq!(ids(&g["models"], "name"), ["models/org/large:v1", "models/middle", "models/small"]);
        assert!(g.get("nextPageToken").is_none());
    }
    // The key alone, as clients that know no version send it, is format O by the rules of the source.
    let (_, o) = ask(&gateway, "/v1/models", &[("x-api-key", &key)]).await;
    assert_eq!(o["object"], "list");
}

/// What a request may have that decides the format, in the words of the spec's `select`.
const DECIDING: [&str; 4] = ["x-api-key", "a-version", "x-g-api-key", "query.key"];

/// Format by what a request has; bit `n` of the place is `DECIDING[n]`. Written down from the words of the source, with
/// its two rules in their order and the third, ours, for clients of format A that send a bearer token.
const FORMATS: [&str; 16] = ["o", "o", "a", "a", "g", "g", "g", "a", "g", "g", "g", "a", "g", "g", "g", "a"];

/// The same by the rule as the spec has it: the first branch that fits.
fn by_the_spec(operation: &str, has: &[&str]) -> (String, String) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = tollgate_spec_language::parse::SpecSources::read(&root).expect("a spec");
    let spec = tollgate_spec_language::load(&sources).spec;
    let fits = |branch: &tollgate_spec_language::model::DeclaredBranch| {
        let any = branch.has_any.is_empty() || branch.has_any.iter().any(|word| has.contains(&word.value.as_str()));
        branch.otherwise || (any && branch.has.iter().all(|word| has.contains(&word.value.as_str())))
    };
    let branch = spec.operations[operation].select.iter().find(|branch| fits(branch)).expect("the last takes all");
    (branch.envelope.value.clone(), branch.ok.value.clone())
}

#[tokio::test]
async fn every_combination_of_what_decides_has_the_format_that_the_spec_says() {
    let gateway = gateway().await;
    let key = gateway.key.clone();
    for (bits, expected) in FORMATS.into_iter().enumerate() {
        let has: Vec<&str> = (0..4).filter(|bit| bits >> bit & 1 == 1).map(|bit| DECIDING[bit]).collect();
        assert_eq!(by_the_spec("models.list", &has), (expected.to_owned(), format!("ModelList{}", upper(expected))));
        assert_eq!(by_the_spec("models.get", &has), (expected.to_owned(), format!("Model{}", upper(expected))));
        // Where no header of these carries the key, a bearer token does, as the gateway's client sends it.
        let headers: Vec<(&str, &str)> = has
            .iter()
            .filter(|name| !name.starts_with("query."))
            .map(|name| (*name, if *name == "a-version" { "2026-10-21" } else { key.as_str() }))
            .collect();
        let query = if has.contains(&"query.key") { format!("?key={key}") } else { String::new() };
        let (status, list) = ask(&gateway, &format!("/v1/models{query}"), &headers).await;
        assert_eq!((status, format_of(&list)), (200, expected), "{has:?}: {list}");
        let (status, one) = ask(&gateway, &format!("/v1/models/small{query}"), &headers).await;
        assert_eq!((status, format_of(&one)), (200, expected), "{has:?}: {one}");
        // A refusal has the format's own shape too.
        let (status, lost) = ask(&gateway, &format!("/v1/models/nothing{query}"), &headers).await;
        assert_eq!((status, format_of(&lost)), (404, expected), "{has:?}: {lost}");
    }
}

fn upper(format: &str) -> String {
    format.to_ascii_uppercase()
}

/// The format of a list of models, of a model, or of an error, by what only that format has.
fn format_of(body: &Value) -> &'static str {
    let has = |pointer: &str| body.pointer(pointer).is_some();
    let is = |pointer: &str, word: &str| body.pointer(pointer).and_then(Value::as_str) == Some(word);
    let found = [
        ("a", has("/first_id") || is("/type", "model") || is("/type", "error")),
        ("g", has("/models") || has("/supportedGenerationMethods") || is("/error/status", "NOT_FOUND")),
        ("o", is("/object", "list") || is("/object", "model") || has("/error/param")),
    ];
    let fits: Vec<&str> = found.into_iter().filter(|(_, fits)| *fits).map(|(format, _)| format).collect();
    let [one] = fits[..] else { panic!("{fits:?}: {body}") };
    one
}

/// What is configured, as each format has it; what is not is not known.
#[tokio::test]
async fn lists_tell_what_models_can_do_and_cost() {
    let more = "[groups.default]\nratio = \"0.5\"\n[models.able]\ncontext_tokens = 9\nmax_output_tokens = 8\n\
        price = { prompt = \"1\", cached = \"0.1\", cache_write = \"1.25\", completion = \"3\", per_request = \"0.002\" }\n\
        capabilities = { thinking = \"adaptive\", input = [\"text\", \"image\"], structured_output = true, tools = true }\n\
        candidates = [{ upstream = \"fake\" }]\n\
        [models.older]\ncontext_tokens = 9\nmax_output_tokens = 8\nprice = { prompt = \"1\", completion = \"3\" }\n\
        capabilities.thinking = \"budget\"\ncandidates = [{ upstream = \"fake\" }]\n";
    let gateway = TestGateway::with(Options { config: more.to_owned(), ..Options::default() }).await;
    let (_, o) = ask(&gateway, "/v1/models/able", &[]).await;
    assert_eq!((&o["context_length"], &o["max_output_tokens"]), (&json!(9), &json!(8)));
    let halved = json!({"prompt": "0.0000005", "completion": "0.0000015", "input_cache_read": "0.00000005",
        "input_cache_write": "0.000000625", "request": "0.001"});
    assert_eq!((&o["pricing"], &o["input_modalities"]), (&halved, &json!(["text", "image"])));
    assert!(ask(&gateway, "/v1/models/small", &[]).await.1.get("input_modalities").is_none());
    for (model, thinks, adaptive, budget, rest) in
        [("able", true, true, false, true), ("older", true, false, true, false), ("small", false, false, false, false)]
    {
        let (_, a) = ask(&gateway, &format!("/v1/models/{model}"), &[("a-version", "1")]).await;
        let can = |pointer: &str| a["capabilities"].pointer(&format!("{pointer}/supported")).and_then(Value::as_bool);
        for (pointer, supported) in [
            ("/thinking", thinks),
            ("/thinking/types/adaptive", adaptive),
            ("/thinking/types/enabled", budget),
            ("/effort", adaptive),
            ("/effort/max", adaptive),
            ("/image_input", rest),
            ("/structured_outputs", rest),
            ("/pdf_input", false),
            ("/batch", false),
        ] {
            assert_eq!(can(pointer), Some(supported), "{model} {pointer}: {a}");
        }
        let lengths = if model == "small" { (json!(100_000), json!(1000)) } else { (json!(9), json!(8)) };
        assert_eq!((&a["max_input_tokens"], &a["max_tokens"]), (&lengths.0, &lengths.1), "{a}");
        assert_eq!(a["lifecycle"], "active", "{a}");
        let (_, g) = ask(&gateway, &format!("/v1beta/models/{model}"), &[]).await;
        assert_eq!((&g["inputTokenLimit"], &g["outputTokenLimit"]), (&lengths.0, &lengths.1), "{g}");
        assert_eq!(g.get("thinking").and_then(Value::as_bool), thinks.then_some(true), "{g}");
        assert_eq!(g["version"], "001");
    }
}

#[tokio::test]
async fn formats_a_and_g_come_in_pages() {
    let gateway = gateway().await;
    let version = [("a-version", "1")];
    let (_, page) = ask(&gateway, "/v1/models?limit=2", &version).await;
    assert_eq!((ids(&page["data"], "id").len(), page["has_more"].as_bool()), (2, Some(true)));
    let (_, page) = ask(&gateway, "/v1/models?limit=2&after_id=middle", &version).await;
    assert_eq!((ids(&page["data"], "id"), page["has_more"].as_bool()), (vec!["small".to_owned()], Some(false)));
    let (_, page) = ask(&gateway, "/v1/models?limit=1&before_id=small", &version).await;
    assert_eq!((ids(&page["data"], "id"), page["has_more"].as_bool()), (vec!["middle".to_owned()], Some(true)));
    let (_, page) = ask(&gateway, "/v1/models?after_id=small", &version).await;
    assert_eq!(page, json!({"data": [], "has_more": false, "first_id": null, "last_id": null}));
    let key = gateway.key.clone();
    let (_, page) = ask(&gateway, "/v1/models?pageSize=2", &[("x-goog-api-key", &key)]).await;
    assert_eq!((ids(&page["models"], "name").len(), page["nextPageToken"].as_str()), (2, Some("small")));
    let (_, page) = ask(&gateway, "/v1/models?pageSize=2&pageToken=small", &[("x-goog-api-key", &key)]).await;
    assert_eq!(ids(&page["models"], "name"), ["models/small"]);
    for (query, parameter) in [
        ("limit=0", "limit"),
        ("limit=x", "limit"),
        ("limit=1001", "limit"),
        ("pageSize=-1", "pageSize"),
        ("limit=1&limit=2", "limit"),
    ] {
        let (status, body) = ask(&gateway, &format!("/v1/models?{query}"), &version).await;
        assert_eq!((status, body["error"]["code"].as_str()), (400, Some("BAD_PARAMETER")), "{query}: {body}");
        assert!(body["error"]["message"].as_str().expect("text").contains(parameter));
    }
}

#[tokio::test]
async fn one_model_is_found_by_id_and_alias_however_it_is_encoded() {
    let gateway = gateway().await;
    for path in ["org/large:v1", "org%2Flarge%3Av1", "org%2flarge:v1"] {
        let (status, model) = ask(&gateway, &format!("/v1/models/{path}"), &[]).await;
        assert_eq!((status, model["id"].as_str()), (200, Some("org/large:v1")), "{path}");
    }
    assert_eq!(ask(&gateway, "/v1/models/tiny", &[]).await.1["id"], "small");
    assert_eq!(ask(&gateway, "/v1/models/small", &[("a-version", "1")]).await.1["type"], "model");
    let key = gateway.key.clone();
    assert_eq!(ask(&gateway, "/v1/models/small", &[("x-goog-api-key", &key)]).await.1["name"], "models/small");
    let (status, body) = ask(&gateway, "/v1/models/nothing", &[]).await;
    assert_eq!((status, body["error"]["code"].as_str()), (404, Some("model_not_found")));
    let (status, body) = ask(&gateway, "/v1/models/nothing", &[("x-goog-api-key", &key)]).await;
    assert_eq!((status, body["error"]["status"].as_str()), (404, Some("NOT_FOUND")));
}

#[tokio::test]
async fn under_v1beta_the_list_is_always_of_format_g() {
    let gateway = gateway().await;
    let (_, g) = ask(&gateway, "/v1beta/models?pageSize=2", &[("a-version", "1")]).await;
    assert_eq!(ids(&g["models"], "name"), ["models/org/large:v1", "models/middle"]);
    let rest = format!("/v1beta/models?pageToken={}", g["nextPageToken"].as_str().expect("text"));
    assert_eq!(ids(&ask(&gateway, &rest, &[]).await.1["models"], "name"), ["models/small"]);
    assert_eq!(ask(&gateway, "/v1beta/models/tiny", &[]).await.1["name"], "models/small");
    let (status, unknown) = ask(&gateway, "/v1beta/models/nobody", &[]).await;
    assert_eq!((status, &unknown["error"]["status"]), (404, &json!("NOT_FOUND")));
}
