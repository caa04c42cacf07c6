//! Agents over HTTP: what is published is what is accepted, and what an agent's key may do.

use reqwest::Method;
use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::gateway::Options;
use tollgate_tests::wallet::{LABEL, Wallet};
use tollgate_tests::{TestGateway, client};

const AGENTS: &str = "/api/user/self/agents";
const PUBLIC_URL: &str = "https://gateway.example";
/// When the published proofs were signed.
const SIGNED_AT: i64 = 1_795_230_000;

async fn gateway_at(config: &str, seconds: i64) -> TestGateway {
    let config = format!("public_url = \"{PUBLIC_URL}\"\n{config}");
    TestGateway::with(Options { config, clock: Clock::manual(seconds * 1000).0, ..Options::default() }).await
}

async fn told(gateway: &TestGateway, method: Method, path: &str, key: &str, body: Option<&Value>) -> (u16, Value) {
    let request = client().request(method, gateway.url(path)).bearer_auth(key);
    let request = match body {
        Some(body) => request.header("content-type", "application/json").body(body.to_string()),
        None => request,
    };
    let reply = request.send().await.expect("an answer");
    let status = reply.status().as_u16();
    (status, serde_json::from_str(&reply.text().await.expect("a body")).expect("JSON"))
}

async fn register(gateway: &TestGateway, body: &Value) -> (u16, Value) {
    told(gateway, Method::POST, AGENTS, &gateway.key, Some(body)).await
}

/// The proofs of the reference, as other programs have signed them.
fn published() -> [Value; 2] {
    let nonce = "0123456789abcdef0123456789abcdef";
    let evm = "0x2cdc55eaed853a80a8978d80662047a06cc72fb391bd2cb0d32a7c521bea9fa0\
        536e0e437fd989fa10adad9c4b5eeda8dd5dd0d4eef121f202ea04b1b3204d811c";
    let solana = "NCgiNe4BmmT8H4rArT49xSNJLsisDwNF8qxpuv2GRGiGy4DAio9J1u8MXY6A26Xa6843eRYqfvxg4uKXH7zTcD4";
    [("0x90F79bf6EB2c4f870365E785982E1f101E93b906", evm), ("GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB", solana)].map(
        |(agent_addr, ownership_sig)| {
            json!({
                "label": "bot-1", "agent_addr": agent_addr, "ownership_sig": ownership_sig, "nonce": nonce,
                "issued_at": SIGNED_AT,
            })
        },
    )
}

#[test]
fn the_reference_shows_what_is_accepted() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/dist/reference.md");
    let reference = std::fs::read_to_string(path).expect("the reference");
    for proof in published() {
        for member in ["label", "agent_addr", "nonce", "ownership_sig"] {
            let text = proof[member].as_str().expect("text");
            assert!(reference.contains(text), "{text}");
        }
    }
    let text = "service-agent-ownership: register this wallet as agent \"{label}\".\n\nURI: {audience}\nVersion: 1\n";
    assert!(reference.contains(text) && reference.contains(PUBLIC_URL) && reference.contains(&SIGNED_AT.to_string()));
}

#[tokio::test]
async fn the_published_proofs_register_for_five_minutes() {
    for (proof, chain) in published().iter().zip(["evm", "solana"]) {
        for (off, code) in
            [(-301, Some("ISSUED_AT_OUT_OF_RANGE")), (-300, None), (300, None), (301, Some("ISSUED_AT_OUT_OF_RANGE"))]
        {
            let gateway = gateway_at("", SIGNED_AT + off).await;
            let (status, reply) = register(&gateway, proof).await;
            if let Some(code) = code {
                assert_eq!((status, &reply["code"]), (400, &json!(code)), "{reply}");
                assert_eq!(reply["data"], json!({"off_seconds": 301, "allowed_seconds": 300}));
                continue;
            }
            assert_eq!((status, &reply["success"], &reply["message"]), (200, &json!(true), &json!("")), "{reply}");
            let data = &reply["data"];
            assert!(data["api_key"].as_str().expect("a key").starts_with("sk-"));
            assert_eq!((&data["agent_addr"], &data["label"]), (&proof["agent_addr"], &proof["label"]));
            assert_eq!((&data["chain"], &data["agent"]["chain"]), (&json!(chain), &json!(chain)));
            let lower = proof["agent_addr"].as_str().expect("text").to_lowercase();
            let kept = if chain == "evm" { json!(lower) } else { proof["agent_addr"].clone() };
            assert_eq!(data["agent"]["agent_addr"], kept);
            let (status, again) = register(&gateway, proof).await;
            assert_eq!((status, &again["code"]), (409, &json!("NONCE_USED")), "{again}");
        }
    }
}

#[tokio::test]
async fn a_proof_for_another_service_is_none_here() {
    let other = TestGateway::with(Options { clock: Clock::manual(SIGNED_AT * 1000).0, ..Options::default() }).await;
    for proof in published() {
        let (status, reply) = register(&other, &proof).await;
        assert_eq!((status, &reply["code"]), (403, &json!("BAD_OWNERSHIP_SIG")), "{reply}");
        assert_eq!(reply["data"], json!({"agent_addr": proof["agent_addr"]}));
    }
    // One that is tried out is known by the address that it listens on.
    let here = Wallet::solana(7).registration_with(&other.url(""), "nonce-of-ours", SIGNED_AT);
    assert_eq!(register(&other, &here).await.0, 200);
}

#[tokio::test]
async fn times_and_texts_that_cannot_be_are_refused_where_they_stand() {
    let gateway = gateway_at("", SIGNED_AT).await;
    let with = |member: &str, value: Value| {
        let mut proof = published()[1].clone();
        proof[member] = value;
        proof
    };
    for (issued_at, off) in [(json!(-1), SIGNED_AT + 1), (json!(SIGNED_AT * 1000), SIGNED_AT * 999)] {
        let (status, reply) = register(&gateway, &with("issued_at", issued_at)).await;
        assert_eq!((status, &reply["data"]["off_seconds"]), (400, &json!(off)), "{reply}");
    }
    for (member, value) in [
        ("issued_at", json!(9_223_372_036_854_775_808_u64)),
        ("issued_at", json!("1795230000")),
        ("issued_at", json!(1_795_230_000.5)),
        ("label", json!("bot\nNonce: 1")),
        ("label", json!("")),
        ("nonce", json!("with a space")),
        ("nonce", json!("short")),
        ("agent_addr", json!("0x90f79bF6EB2c4f870365E785982E1f101E93b906")),
        ("ownership_sig", json!("x".repeat(4097))),
    ] {
        let (status, reply) = register(&gateway, &with(member, value)).await;
        assert_eq!(
            (status, &reply["code"], &reply["data"]["field"]),
            (400, &json!("BAD_FIELD"), &json!(member)),
            "{reply}"
        );
    }
    let (status, reply) = register(&gateway, &with("pin", json!(1))).await;
    assert_eq!((status, &reply["code"]), (400, &json!("BAD_FIELD")), "{reply}");
    // None of that has used the nonce.
    assert_eq!(register(&gateway, &published()[1]).await.0, 200);
}

#[tokio::test]
async fn an_agent_uses_its_key_within_its_budget_and_manages_nothing() {
    let budget = "[agents]\nbudget_usd = \"0.0001\"\ncap_order_usd = \"5\"\n";
    let gateway = gateway_at(budget, SIGNED_AT).await;
    let (_, made) = register(&gateway, &published()[0]).await;
    let key = made["data"]["api_key"].as_str().expect("a key").to_owned();
    let agent = &made["data"]["agent"];
    assert_eq!((&agent["budget_usd"], &agent["cap_order_usd"]), (&json!(0.0001), &json!(5)), "{agent}");
    assert!(agent.get("cap_usd").is_none() && agent["label"] == LABEL, "{agent}");
    let one = format!("{AGENTS}/{}", agent["agent_id"]);
    let (_, listed) = told(&gateway, Method::GET, AGENTS, &key, None).await;
    assert_eq!(listed["data"], json!([agent]), "it sees itself");
    assert!(!listed.to_string().contains(&key));
    let keys = "/api/user/self/keys";
    for (method, path, body) in [
        (Method::POST, AGENTS, Some(&published()[1])),
        (Method::PATCH, one.as_str(), Some(&json!({"cap_order_usd": null}))),
        (Method::PATCH, one.as_str(), Some(&json!({"budget_usd": null}))),
        (Method::DELETE, one.as_str(), None),
        (Method::GET, keys, None),
        (Method::POST, keys, Some(&json!({"label": "wide"}))),
    ] {
        let (status, reply) = told(&gateway, method.clone(), path, &key, body).await;
        assert_eq!((status, &reply["code"]), (403, &json!("KEY_LIMITED")), "{method} {path}: {reply}");
    }
    assert_eq!(told(&gateway, Method::GET, "/api/user/self/balance", &key, None).await.0, 200);
    // What a request may hold is more than the budget, until its account has raised that.
    let asked =
        json!({"model": "small", "max_completion_tokens": 1000, "messages": [{"role": "user", "content": "Hello"}]});
    let chat = "/v1/chat/completions";
    let (status, refused) = told(&gateway, Method::POST, chat, &key, Some(&asked)).await;
    assert_eq!((status, &refused["error"]["code"]), (402, &json!("key_spend_cap_exceeded")), "{refused}");
    let (status, changed) =
        told(&gateway, Method::PATCH, &one, &gateway.key, Some(&json!({"budget_usd": 1, "cap_order_usd": null}))).await;
    assert_eq!((status, &changed["data"]["budget_usd"]), (200, &json!(1)), "{changed}");
    assert!(changed["data"].get("cap_order_usd").is_none(), "{changed}");
    assert_eq!(told(&gateway, Method::POST, chat, &key, Some(&asked)).await.0, 200);
    // Its end, with the key, and the beginning of another one.
    let (status, revoked) = told(&gateway, Method::DELETE, &one, &gateway.key, None).await;
    assert_eq!((status, &revoked["data"]["status"]), (200, &json!("revoked")), "{revoked}");
    let (status, refused) = told(&gateway, Method::GET, AGENTS, &key, None).await;
    assert_eq!((status, &refused["code"]), (401, &json!("KEY_DISABLED")), "{refused}");
    let (status, refused) = told(&gateway, Method::PATCH, &one, &gateway.key, Some(&json!({}))).await;
    assert_eq!((status, &refused["code"]), (409, &json!("AGENT_REVOKED")), "{refused}");
    gateway.assert_books().await;
}
