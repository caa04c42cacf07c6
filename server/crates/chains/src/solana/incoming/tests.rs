//! Nodes that tell pages without an end, and accounts whose balances a transaction changes.

use serde_json::{Value, json};

use super::*;
use crate::fake_node::FakeNode;
use crate::solana::{FeePayer, SolanaConfig, TokenProgram};
use tollgate_base::Secret;

const NOW: u64 = 1_800_000_000;
const US: SolanaAddress = SolanaAddress([2; 32]);
const MINT: SolanaAddress = SolanaAddress([3; 32]);

fn network(node: &FakeNode) -> SolanaNetwork {
    let pair = ed25519_dalek::SigningKey::from_bytes(&[7; 32]).to_keypair_bytes();
    let fee_payer = FeePayer::new(&Secret::new(bs58::encode(pair).into_string())).unwrap();
    let program = TokenProgram::Token;
    let tokens = vec![SolanaToken { symbol: "USDC".to_owned(), mint: MINT, decimals: 6, program }];
    let (nodes, depth, pay_to) = (node.nodes(), SolanaDepth::Finalized, US);
    let network = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".to_owned();
    SolanaNetwork::new(SolanaConfig { network, nodes, depth, pay_to, tokens, fee_payer, fee_most: 1 }).unwrap()
}

fn signature(number: u64) -> String {
    let mut bytes = [9; 64];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    bs58::encode(bytes).into_string()
}

/// The page behind a signature: `pages` of `size`, of now.
fn page(params: &Value, (pages, size): (u64, u64)) -> Value {
    let of_name = |name: &str| u64::from_be_bytes(*bs58::decode(name).into_vec().unwrap().first_chunk().unwrap());
    let first = params[1]["before"].as_str().map_or(0, |before| of_name(before) + 1);
    let rest = first..(first + size).min(pages * size);
    rest.map(|number| json!({"signature": signature(number), "blockTime": NOW})).collect()
}

fn transaction(owner: &str) -> Value {
    let balance = |owner: &str, amount: &str| json!({"accountIndex": 1, "mint": MINT.to_string(), "owner": owner, "uiTokenAmount": {"amount": amount}});
    let (before, after) = ([balance(owner, "5")], [balance(owner, "0"), balance(&US.to_string(), "5")]);
    json!({"transaction": ["", "base64"], "meta": {"err": null, "preTokenBalances": before, "postTokenBalances": after}})
}

async fn node(pages: (u64, u64), owner: &'static str) -> FakeNode {
    FakeNode::start(move |method, params| match method {
        "getSlot" => Ok(json!(7)),
        "getBlockTime" => Ok(json!(NOW)),
        "getSignaturesForAddress" => Ok(page(params, pages)),
        _ => Ok(transaction(owner)),
    })
    .await
}

#[tokio::test]
async fn a_short_page_is_not_the_last() {
    let node = node((3, 4), "\u{1b}[2J").await;
    let told = network(&node).incoming(0, NOW - 60, NOW).await.unwrap();
    assert_eq!(told.transfers.len(), 12);
    let first = &told.transfers[0];
    assert_eq!((first.amount, &first.payer), (5, &None), "an owner that is no address is not told on");
}

#[tokio::test]
async fn signatures_that_are_made_up_end_after_so_many() {
    let node = node((u64::MAX / 1_000, 1_000), "x").await;
    let refused = network(&node).incoming(0, NOW - 60, NOW).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("too many questions")));
    assert!(node.asked() < 100, "{}", node.asked());
}

#[tokio::test]
async fn what_is_no_signature_is_not_told_on() {
    let node = FakeNode::start(|method, _| match method {
        "getSlot" => Ok(json!(7)),
        "getBlockTime" => Ok(json!(NOW)),
        _ => Ok(json!([{"signature": "\u{1b}]0;title", "blockTime": NOW}])),
    })
    .await;
    let refused = network(&node).incoming(0, NOW - 60, NOW).await.unwrap_err().to_string();
    assert!(refused.contains("a signature that is none") && !refused.contains('\u{1b}'), "{refused}");
}
