//! The official SDKs against the gateway, unchanged: each client over a strict provider of each format.

// suite of this file: 20s

use std::process::Output;

use tollgate_accounts::NewKey;
use tollgate_tests::fake_video_provider::FakeVideoProvider;
use tollgate_tests::gateway::Options;
use tollgate_tests::python::Generation::{Current, Previous};
use tollgate_tests::reply::{Reply, chat_stream, completion};
use tollgate_tests::{TestGateway, Upstream, fake_image_provider, node, python, script, strict_provider};

use crate::formats::images::{PAINTER, messages};
use crate::formats::videos::STUDIOS;

/// Cases of format O beside turns, in each language.
const OPENAI_BESIDE: usize = 19;
/// Cases of format R in each language, without those that need a client of today.
const OPENAI_RESPONSES: usize = 29;

/// How many cases a script has, and how it is run.
type Script = (usize, fn(&[(&str, &str)]) -> Output);

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_of_format_o_works_unchanged() {
    let gateway = TestGateway::start().await;
    gateway.upstream.on(|request| {
        if String::from_utf8_lossy(&request.body).contains("\"stream\":true") {
            Reply::stream(chat_stream(&["hello", " there", " friend"], 9, 3))
        } else {
            Reply::json(200, &completion("hello there friend", 9, 3))
        }
    });
    check(&gateway, [(10, |env| python::run(Current, "openai_basics.py", env))]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_clients_of_each_format_work_over_providers_of_all() {
    let (gateway, _provider) = strict_gateway().await;
    let scripts: [Script; 3] = [
        (94, |env| python::run(Current, "openai_chat.py", env)),
        (97, |env| python::run(Current, "anthropic_messages.py", env)),
        (95, |env| python::run(Current, "google_generate.py", env)),
    ];
    check(&gateway, scripts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_clients_of_the_generation_before_work_as_well() {
    let (gateway, _provider) = strict_gateway().await;
    let scripts: [Script; 3] = [
        (94, |env| python::run(Previous, "openai_chat.py", env)),
        (97, |env| python::run(Previous, "anthropic_messages.py", env)),
        (95, |env| python::run(Previous, "google_generate.py", env)),
    ];
    check(&gateway, scripts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn node_clients_of_each_format_work_over_providers_of_all() {
    let (gateway, _provider) = strict_gateway().await;
    let scripts: [Script; 3] = [
        (48, |env| node::run(Current, "openai_chat.js", env)),
        (48, |env| node::run(Current, "anthropic_messages.js", env)),
        (48, |env| node::run(Current, "google_generate.js", env)),
    ];
    check(&gateway, scripts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn node_clients_of_the_generation_before_work_as_well() {
    let (gateway, _provider) = strict_gateway().await;
    let scripts: [Script; 5] = [
        (48, |env| node::run(Previous, "openai_chat.js", env)),
        (48, |env| node::run(Previous, "anthropic_messages.js", env)),
        (48, |env| node::run(Previous, "google_generate.js", env)),
        (OPENAI_BESIDE, |env| node::run(Previous, "openai_beside.js", env)),
        (OPENAI_RESPONSES + 8, |env| node::run(Previous, "openai_responses.js", env)),
    ];
    check(&gateway, scripts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_each_format_do_more_than_turns() {
    let (gateway, _provider) = strict_gateway().await;
    let scripts: [Script; 9] = [
        (OPENAI_BESIDE, |env| python::run(Current, "openai_beside.py", env)),
        (OPENAI_BESIDE, |env| python::run(Previous, "openai_beside.py", env)),
        (OPENAI_BESIDE, |env| node::run(Current, "openai_beside.js", env)),
        (4, |env| python::run(Current, "anthropic_beside.py", env)),
        (4, |env| python::run(Previous, "anthropic_beside.py", env)),
        (16, |env| python::run(Current, "anthropic_threads.py", env)),
        (8, |env| python::run(Current, "google_beside.py", env)),
        (8, |env| python::run(Previous, "google_beside.py", env)),
        (12, |env| node::run(Current, "others_beside.js", env)),
    ];
    check(&gateway, scripts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_format_r_converse_over_providers_of_all() {
    let (gateway, _provider) = strict_gateway().await;
    let scripts: [Script; 3] = [
        (OPENAI_RESPONSES + 8, |env| python::run(Current, "openai_responses.py", env)),
        (OPENAI_RESPONSES, |env| python::run(Previous, "openai_responses.py", env)),
        (OPENAI_RESPONSES + 8, |env| node::run(Current, "openai_responses.js", env)),
    ];
    check(&gateway, scripts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_format_o_draw_and_change_pictures_unchanged() {
    let config = [&PAINTER.replace("models.painter", "models.prompted"), messages::CONFIG].concat();
    let gateway = TestGateway::with(Options { config, credit: "10", ..Options::default() }).await;
    gateway.upstream.on(|request| {
        let of_prompts = request.line.starts_with("POST /v1/images/");
        if of_prompts { fake_image_provider::answer(request) } else { strict_provider::pictures::answer(request) }
    });
    let scripts: [Script; 3] = [
        (16, |env| python::run(Current, "openai_images.py", env)),
        (16, |env| python::run(Previous, "openai_images.py", env)),
        (13, |env| node::run(Current, "openai_images.js", env)),
    ];
    check(&gateway, scripts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_format_o_film_at_providers_of_both_kinds() {
    let config = STUDIOS.to_owned();
    let gateway = TestGateway::with(Options { config, credit: "1000", ..Options::default() }).await;
    let studio = FakeVideoProvider::at(&gateway.upstream.base_url());
    gateway.upstream.on(move |request| studio.answer(request));
    // The generation before has no word for videos.
    let scripts: [Script; 2] = [
        (29, |env| python::run(Current, "openai_videos.py", env)),
        (27, |env| node::run(Current, "openai_videos.js", env)),
    ];
    check(&gateway, scripts).await;
}

/// Runs scripts at the same time, counts the cases that held and shows all that did not.
async fn check<const COUNT: usize>(gateway: &TestGateway, scripts: [Script; COUNT]) {
    let env = env(gateway).await;
    let running = scripts.map(|(cases, run)| {
        let env = env.clone();
        let run = move || run(&env.each_ref().map(|(name, value)| (*name, value.as_str())));
        (cases, tokio::task::spawn_blocking(run))
    });
    let mut told = String::new();
    for (cases, running) in running {
        match script::held(&running.await.expect("the script ran")) {
            Ok(held) if held == cases => {}
            Ok(held) => told.push_str(&format!("{held} cases held where {cases} are counted\n")),
            Err(failed) => told.push_str(&failed),
        }
    }
    assert!(told.is_empty(), "{told}");
    gateway.assert_books().await;
}

/// What every script is told, an account without credit among it.
async fn env(gateway: &TestGateway) -> [(&'static str, String); 3] {
    let accounts = &gateway.service().accounts;
    let account = accounts.create_account("poor", "test").await.expect("an account").id;
    let poor = NewKey { account, label: String::new(), expires_at_ms: None };
    let poor = accounts.create_key(poor, "test").await.expect("a key").secret;
    [
        ("GATEWAY_URL", gateway.url("")),
        ("GATEWAY_KEY", gateway.key.clone()),
        ("GATEWAY_POOR_KEY", poor.reveal().to_owned()),
    ]
}

/// A gateway with a model `via-FORMAT` for each format, and at the same provider a model `limited-CLIENT-FORMAT` for each
/// client: a provider that was run into its limit is left alone for a while, and no other client may feel it.
async fn strict_gateway() -> (TestGateway, Upstream) {
    let provider = Upstream::start().await;
    provider.on(strict_provider::answer);
    let url = provider.base_url();
    let tables = ["chat", "generate", "messages", "responses"].map(|format| {
        let upstream = format!(
            "[upstreams.{format}]\nbase_url = \"{url}\"\nformat = \"{format}\"\napi_key_env = \"FAKE_UPSTREAM_KEY\"\n"
        );
        let models = ["via", "limited-openai", "limited-anthropic", "limited-google"];
        [upstream, models.map(|name| model(format, name)).concat()].concat()
    });
    let options = Options { config: tables.concat(), credit: "1000", ..Options::default() };
    (TestGateway::with(options).await, provider)
}

fn model(format: &str, name: &str) -> String {
    format!(
        r#"[models.{name}-{format}]
context_tokens = 100000
max_output_tokens = 8000
price = {{ prompt = "0.15", cached = "0.075", completion = "0.6", version = "test-1" }}
candidates = [{{ upstream = "{format}", model = "{name}-{format}" }}]
"#
    )
}
