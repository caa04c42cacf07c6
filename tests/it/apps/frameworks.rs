//! Frameworks as their registries give them, over a provider of each format: each asks two questions that need two tools in
//! turn, with thinking where it has it, and for answers in a form. One process a framework runs all its cells.

// suite of this file: processor 20s

use std::process::Output;

use serde_json::{Value, json};
use tollgate_base::Usd;
use tollgate_tests::gateway::{COMPLETION_PICOUSD, Options, PROMPT_PICOUSD, amount};
use tollgate_tests::scripted_model::{OUTPUT_TOKENS, PROMPT_TOKENS};
use tollgate_tests::tool_model::{calling_model, tool_model};
use tollgate_tests::{TestGateway, node, python, script};

const FORMATS: [&str; 4] = ["chat", "responses", "messages", "generate"];

#[tokio::test(flavor = "multi_thread")]
async fn the_ai_sdk_works() {
    works_over_all_formats(5, |env| node::framework("with_ai_sdk.js", env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn langchain_works() {
    works_over_all_formats(7, |env| python::framework("with_langchain.py", env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn langgraph_works() {
    works_over_all_formats(4, |env| python::framework("with_langgraph.py", env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn llamaindex_works() {
    works_over_all_formats(3, |env| python::framework("with_llamaindex.py", env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pydantic_ai_works() {
    works_over_all_formats(5, |env| python::framework("with_pydantic_ai.py", env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn instructor_works() {
    works_over_all_formats(4, |env| python::framework("with_instructor.py", env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_openai_agents_sdk_works() {
    works_over_all_formats(3, |env| python::framework("with_openai_agents.py", env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn litellm_works_as_a_client() {
    works_over_all_formats(5, |env| python::framework("with_litellm.py", env)).await;
}

/// Runs the script of a framework, which has so many cells over each gateway.
async fn works_over_all_formats(cells: usize, run: fn(&[(&str, &str)]) -> Output) {
    let mut gateways = Vec::new();
    for format in FORMATS {
        let gateway = gateway(format).await;
        gateway.upstream.on(tool_model());
        gateways.push(gateway);
    }
    let told = told(&gateways);
    let output = tokio::task::spawn_blocking(move || run(&[("GATEWAYS", &told)])).await.expect("the script ran");
    match script::held(&output) {
        Ok(held) => assert_eq!(held, cells * FORMATS.len(), "cells that held"),
        Err(failed) => panic!("{failed}"),
    }
    for gateway in &gateways {
        let asked = gateway.upstream.take_received().len();
        assert!(asked >= cells, "{asked} requests");
        charged_as_told(gateway, asked).await;
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

/// A gateway whose only model, by names that frameworks know the abilities of, is at a provider of this format.
async fn gateway(format: &str) -> TestGateway {
    let config = format!(
        r#"[upstreams.scripted]
base_url = "{{upstream}}"
format = "{format}"
api_key_env = "FAKE_UPSTREAM_KEY"
[models.house-model]
aliases = ["gpt-4o", "gpt-5", "claude-sonnet-4-5", "gemini-2.5-flash"]
context_tokens = 200000
max_output_tokens = 64000
price = {{ prompt = "0.15", completion = "0.6", version = "test-1" }}
candidates = [{{ upstream = "scripted" }}]
"#
    );
    TestGateway::with(Options { config, ..Options::default() }).await
}

/// The requests of the compliance test of OpenResponses, whole and streamed: answers and events are of its published types.
#[tokio::test(flavor = "multi_thread")]
async fn answers_of_format_r_are_those_of_openresponses() {
    let mut gateways = Vec::new();
    for format in FORMATS {
        let gateway = gateway(format).await;
        gateway.upstream.on(calling_model());
        gateways.push(gateway);
    }
    let told = told(&gateways);
    let run = move || python::framework("openresponses.py", &[("GATEWAYS", &told)]);
    let output = tokio::task::spawn_blocking(run).await.expect("the script ran");
    // Seven requests, whole and streamed.
    assert_eq!(script::held(&output), Ok(2 * 7 * FORMATS.len()));
    for gateway in &gateways {
        let asked = gateway.upstream.take_received().len();
        assert_eq!(asked, 2 * 7);
        charged_as_told(gateway, asked).await;
        gateway.assert_books().await;
    }
}

/// What scripts are told of the gateways.
fn told(gateways: &[TestGateway]) -> String {
    let told = FORMATS
        .iter()
        .zip(gateways)
        .map(|(format, gateway)| json!({"format": format, "url": gateway.url(""), "key": gateway.key}));
    Value::from_iter(told).to_string()
}
