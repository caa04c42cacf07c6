//! Coding agents as their registries give them, with their default settings, over a provider of each format: each reads a
//! file, edits it and runs a command, in the words of the tools that it offers.

// suite of this file: processor 40s

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use tollgate_base::Usd;
use tollgate_tests::binary::Served;
use tollgate_tests::gateway::{COMPLETION_PICOUSD, Options, PROMPT_PICOUSD, amount};
use tollgate_tests::scripted_model::{AFTER, BEFORE, COPY, FILE, OUTPUT_TOKENS, PROMPT_TOKENS, scripted_model};
use tollgate_tests::upstream::Received;
use tollgate_tests::{TestGateway, node};

const PROMPT: &str = "Put the word after in the place of before in note.txt, then copy the file to copy.txt.";
/// The least number of turns in which the work can be done.
const TURNS: usize = 4;

/// An agent at work.
struct Cell<'a> {
    gateway: &'a TestGateway,
    /// A home of its own, so that nothing is there but what it makes.
    home: &'a Path,
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_works_by_the_name_of_a_model_it_does_not_know() {
    works_over_all_formats("house-model", codex).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_works_with_a_search_for_tools_and_free_text() {
    works_over_all_formats("gpt-5.5", codex).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_works_with_tools_in_its_input() {
    works_over_all_formats("gpt-6.1-sol", codex).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code_works() {
    works_over_all_formats("claude-sonnet-4-6", |cell, model| {
        let mut agent = node::agent("claude");
        agent.args(["--print", PROMPT, "--dangerously-skip-permissions", "--model", model]);
        agent.env("ANTHROPIC_BASE_URL", cell.gateway.url("")).env("ANTHROPIC_AUTH_TOKEN", &cell.gateway.key);
        // Else it refuses to run unattended as root.
        agent.env("IS_SANDBOX", "1");
        agent
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_cli_works() {
    works_over_all_formats("gemini-3-pro-preview", |cell, model| {
        set_up_gemini(cell.home);
        let mut agent = node::agent("gemini");
        agent.args(["--yolo", "--skip-trust", "--model", model, "--prompt", PROMPT]);
        agent.env("GEMINI_API_KEY", &cell.gateway.key).env("GOOGLE_GEMINI_BASE_URL", cell.gateway.url(""));
        agent
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_works() {
    works_over_all_formats("house-model", |cell, model| {
        set_up_opencode(cell.home, &cell.gateway.url("/v1"), &cell.gateway.key, model);
        let mut agent = node::agent("opencode");
        agent.args(["run", PROMPT, "--model", &format!("tollgate/{model}")]);
        agent
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn qwen_code_works() {
    works_over_all_formats("house-model", |cell, model| {
        let mut agent = node::agent("qwen");
        agent.args(["--yolo", "--auth-type", "openai", "--prompt", PROMPT]);
        agent.env("OPENAI_BASE_URL", cell.gateway.url("/v1")).env("OPENAI_API_KEY", &cell.gateway.key);
        agent.env("OPENAI_MODEL", model);
        agent
    })
    .await;
}

/// As the guide has it: the binary without any configuration, and a prompt that says which tool to use.
#[tokio::test(flavor = "multi_thread")]
async fn agents_use_a_tool_with_the_sandbox_model() {
    let data = TempDir::new().expect("a folder");
    let served = Served::start(&["--data", &data.path().display().to_string()]);
    let (url, key) = (served.url().to_owned(), served.greeting["demo_key"].as_str().expect("a key").to_owned());
    for name in ["claude", "codex", "gemini", "opencode", "qwen"] {
        let (folder, home) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
        let file = folder.path().join(FILE);
        fs::write(&file, BEFORE).expect("a file");
        let mut agent = with_sandbox(name, &url, &key, home.path(), &file.display().to_string());
        agent.current_dir(folder.path()).env("PWD", folder.path()).env("HOME", home.path());
        agent.stdin(std::process::Stdio::null());
        let output = tokio::task::spawn_blocking(move || agent.output()).await.expect("it ran").expect("it starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = said.rsplit_once("The tool gave:").is_some_and(|(_, told)| told.contains(BEFORE.trim()));
        assert!(output.status.success() && told, "{}", shown(name, &output, &[]));
    }
}

/// An agent that is told to read a file, with the tool that it offers for that.
fn with_sandbox(name: &str, url: &str, key: &str, home: &Path, file: &str) -> Command {
    const MODEL: &str = "sandbox";
    let mut agent = node::agent(name);
    match name {
        "claude" => {
            agent.args(["--print", &format!("use Read \"{file}\""), "--model", MODEL]);
            agent.env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_AUTH_TOKEN", key);
            agent.env("ANTHROPIC_DEFAULT_HAIKU_MODEL", MODEL);
        }
        "codex" => {
            agent.args([
                "exec",
                "--skip-git-repo-check",
                "--dangerously-bypass-approvals-and-sandbox",
                "--model",
                MODEL,
            ]);
            agent.args(codex_settings(&format!("{url}/v1"))).arg(format!("use exec_command \"cat {file}\""));
            agent.env("TOLLGATE_KEY", key).env("CODEX_HOME", home);
        }
        "gemini" => {
            set_up_gemini(home);
            let prompt = format!("use read_file `{file}`");
            agent.args(["--yolo", "--skip-trust", "--model", MODEL, "--prompt", &prompt]);
            agent.env("GEMINI_API_KEY", key).env("GOOGLE_GEMINI_BASE_URL", url);
        }
        "opencode" => {
            set_up_opencode(home, &format!("{url}/v1"), key, MODEL);
            agent.args(["run", &format!("use read `{file}`"), "--model", &format!("tollgate/{MODEL}")]);
        }
        _ => {
            agent.args(["--yolo", "--auth-type", "openai", "--prompt", &format!("use read_file `{file}`")]);
            agent.env("OPENAI_BASE_URL", format!("{url}/v1")).env("OPENAI_API_KEY", key).env("OPENAI_MODEL", MODEL);
        }
    }
    agent
}

fn set_up_gemini(home: &Path) {
    let settings = serde_json::json!({"security": {"auth": {"selectedType": "gemini-api-key"}}});
    let folder = home.join(".gemini");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("settings.json"), settings.to_string()).expect("a file");
}

fn set_up_opencode(home: &Path, url: &str, key: &str, model: &str) {
    let config = serde_json::json!({
        "provider": {"tollgate": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": url, "apiKey": key},
            "models": {model: {}},
        }},
        "permission": {"edit": "allow", "bash": "allow"},
    });
    let folder = home.join(".config/opencode");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("opencode.json"), config.to_string()).expect("a file");
}

fn codex(cell: &Cell<'_>, model: &str) -> Command {
    let mut agent = node::agent("codex");
    agent.args(["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--model", model]);
    agent.args(codex_settings(&cell.gateway.url("/v1")));
    agent.arg(PROMPT).env("TOLLGATE_KEY", &cell.gateway.key).env("CODEX_HOME", cell.home);
    agent
}

fn codex_settings(url: &str) -> Vec<String> {
    let settings = [
        "model_provider=tollgate".to_owned(),
        "model_providers.tollgate.name=tollgate".to_owned(),
        format!("model_providers.tollgate.base_url={url}"),
        "model_providers.tollgate.wire_api=responses".to_owned(),
        "model_providers.tollgate.env_key=TOLLGATE_KEY".to_owned(),
    ];
    settings.into_iter().flat_map(|setting| ["-c".to_owned(), setting]).collect()
}

/// Runs an agent over a provider of each format: the file is changed as scripted, and charged as the provider told.
async fn works_over_all_formats(model: &str, agent: impl Fn(&Cell<'_>, &str) -> Command) {
    for format in ["chat", "responses", "messages", "generate"] {
        let gateway = gateway(format).await;
        let (folder, home) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
        fs::write(folder.path().join(FILE), BEFORE).expect("a file");
        gateway.upstream.on(scripted_model(folder.path().to_owned()));
        let mut command = agent(&Cell { gateway: &gateway, home: home.path() }, model);
        command
            .current_dir(folder.path())
            .env("PWD", folder.path())
            .env("HOME", home.path())
            .stdin(std::process::Stdio::null());
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("it ran").expect("it starts");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        let received = gateway.upstream.take_received();
        let at = || shown(format, &output, &received);
        assert!(output.status.success(), "{}", at());
        assert_eq!((read(FILE).as_str(), read(COPY).as_str()), (AFTER, AFTER), "{}", at());
        let asked = received.len();
        assert!(asked >= TURNS, "{asked} turns: {}", at());
        charged_as_told(&gateway, asked).await;
        gateway.assert_books().await;
    }
}

/// Each answer is charged by the tokens that the provider reported.
async fn charged_as_told(gateway: &TestGateway, asked: usize) {
    let each = PROMPT_TOKENS * PROMPT_PICOUSD + OUTPUT_TOKENS * COMPLETION_PICOUSD;
    let nanos = i64::try_from(asked).expect("a few") * i64::try_from(each.div_ceil(1_000)).expect("a little");
    let left = Usd::from_nanos(10_000_000_000 - nanos);
    assert_eq!(amount(&gateway.balance().await["quota_usd"]), left.to_string());
}

fn shown(format: &str, output: &Output, received: &[Received]) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let last = received.last().map(|received| text(&received.body)).unwrap_or_default();
    let last: String = last.chars().take(4_000).collect();
    format!(
        "{format}: {}\n--- it said:\n{}\n{}\n--- the last request: {last}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    )
}

/// A gateway with a model, and one for all names of each vendor, by whichever an agent asks, at a provider of this format.
async fn gateway(format: &str) -> TestGateway {
    let mut config = format!(
        "[upstreams.scripted]\nbase_url = \"{{upstream}}\"\nformat = \"{format}\"\napi_key_env = \"FAKE_UPSTREAM_KEY\"\n"
    );
    for name in ["house-model", "gpt-*", "claude-*", "gemini-*"] {
        config += &format!(
            r#"[models."{name}"]
context_tokens = 200000
max_output_tokens = 64000
price = {{ prompt = "0.15", completion = "0.6", version = "test-1" }}
candidates = [{{ upstream = "scripted" }}]
"#
        );
    }
    TestGateway::with(Options { config, ..Options::default() }).await
}
