//! Nodes that tell too much, too little or nonsense of what came, and windows of blocks.

use serde_json::{Value, json};

use super::*;
use crate::evm::{EvmConfig, EvmMethod, EvmToken, Relayer};
use crate::fake_node::FakeNode;
use crate::incoming::TRANSFERS_MAX;
use tollgate_base::Secret;

const NOW: u64 = 1_800_000_000;
const DAY: u64 = 86_400;
const COIN: [u8; 20] = [1; 20];
const PAY_TO: [u8; 20] = [2; 20];

fn network(node: &FakeNode, depth: ConfirmationDepth) -> EvmNetwork {
    let method = EvmMethod::Permit2;
    let token = EvmToken { symbol: "USDC".to_owned(), address: EvmAddress(COIN), decimals: 6, method };
    let relayer = Relayer::new(&Secret::new(format!("0x{}", "11".repeat(32)))).unwrap();
    let (nodes, pay_to, tokens) = (node.nodes(), EvmAddress(PAY_TO), vec![token]);
    EvmNetwork::new(EvmConfig { chain: 1, nodes, depth, pay_to, tokens, relayer, fee_most: 1 }).unwrap()
}

fn number(value: &Value) -> u64 {
    u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

fn block(number: u64, timestamp: u64) -> Value {
    json!({"number": format!("{number:#x}"), "hash": format!("0x{}", "00".repeat(32)), "timestamp": format!("{timestamp:#x}")})
}

fn log(block: u64, place: u64, amount: u64) -> Value {
    let word = |byte: &str| format!("0x{}{}", "00".repeat(12), byte.repeat(20));
    json!({
        "address": format!("0x{}", "01".repeat(20)), "data": format!("0x{amount:064x}"),
        "transactionHash": format!("0x{}", "ab".repeat(32)), "blockNumber": format!("{block:#x}"),
        "logIndex": format!("{place:#x}"),
        "topics": [
            "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", word("03"), word("02"),
        ],
    })
}

/// A chain of a block a second up to one of now; a named block has so old a time.
fn block_of(params: &Value, head: u64, settled_age: u64) -> Value {
    match params[0].as_str().unwrap() {
        "latest" => block(head, NOW),
        "finalized" => block(head - settled_age, NOW - settled_age),
        _ => block(number(&params[0]), NOW.saturating_sub(head - number(&params[0]))),
    }
}

#[tokio::test]
async fn a_head_that_is_made_up_ends_after_so_many_questions() {
    let node = FakeNode::start(|method, params| match method {
        "eth_getLogs" => Ok(json!([])),
        _ if params[0] == "latest" => Ok(block(1 << 60, NOW)),
        _ => Ok(block(number(&params[0]), NOW)),
    })
    .await;
    let refused = network(&node, ConfirmationDepth::Blocks(0)).incoming(0, NOW - 2 * DAY, NOW).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("too many questions")));
    assert!(node.asked() < QUESTIONS_MAX + 200, "{}", node.asked());
}

#[tokio::test]
async fn transfers_that_are_made_up_end_after_so_many() {
    let node = FakeNode::start(|method, params| match method {
        "eth_getLogs" => {
            let from = number(&params[0]["fromBlock"]);
            Ok((0..1_500).map(|place| log(from, place, 1)).collect())
        }
        _ => Ok(block_of(params, 10_000_000, 0)),
    })
    .await;
    let refused = network(&node, ConfirmationDepth::Blocks(0)).incoming(0, NOW - 2 * DAY, NOW).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("transfers")));
    assert!(node.asked() < TRANSFERS_MAX / 1_500 + 200, "{}", node.asked());
}

#[tokio::test]
async fn a_block_that_is_refused_is_left_out_and_a_full_one_is_read() {
    const HEAD: u64 = 3_000;
    let node = FakeNode::start(|method, params| match method {
        "eth_getLogs" => {
            let (from, to) = (number(&params[0]["fromBlock"]), number(&params[0]["toBlock"]));
            match (from..=to).contains(&1_500) {
                true => Err("query returned more than 10000 results"),
                // More than a mebibyte of transfers of nothing, and one of something.
                false if (from..=to).contains(&2_000) => {
                    Ok((0..4_000).map(|place| log(2_000, place, u64::from(place == 7))).collect())
                }
                false => Ok(json!([])),
            }
        }
        _ => Ok(block_of(params, HEAD, 0)),
    })
    .await;
    let told = network(&node, ConfirmationDepth::Blocks(0)).incoming(0, NOW - HEAD, NOW).await.unwrap();
    assert_eq!(told.left_out.unwrap().blocks, [1_500]);
    assert_eq!(told.transfers.iter().map(|of| (of.block, of.place)).collect::<Vec<_>>(), [(2_000, Some(7))]);
    let silent = FakeNode::start(|method, params| match method {
        "eth_getLogs" => Err("missing trie node"),
        _ => Ok(block_of(params, 3, 0)),
    })
    .await;
    let refused = network(&silent, ConfirmationDepth::Blocks(0)).incoming(0, NOW - 2, NOW).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("missing trie node")));
}

#[tokio::test]
async fn a_settled_block_of_days_ago_is_not_an_empty_span() {
    let node = FakeNode::start(|method, params| match method {
        "eth_getLogs" => Ok(json!([])),
        _ => Ok(block_of(params, 10_000_000, 2 * DAY + 1)),
    })
    .await;
    let refused = network(&node, ConfirmationDepth::Finalized).incoming(0, NOW - 2 * DAY, NOW).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("newest settled block")));
}

#[tokio::test]
async fn a_node_without_old_blocks_is_asked_for_new_ones() {
    const HEAD: u64 = 10_000_000;
    let node = FakeNode::start(|method, params| match method {
        "eth_getLogs" => Ok(json!([])),
        _ if params[0].as_str().unwrap().starts_with("0x") && number(&params[0]) < HEAD - 3 * DAY => Ok(Value::Null),
        _ => Ok(block_of(params, HEAD, 0)),
    })
    .await;
    let network = network(&node, ConfirmationDepth::Blocks(0));
    assert!(network.incoming(0, NOW - 2 * DAY, NOW).await.is_ok());
    let settled = EvmBlock { number: HEAD, hash: [0; 32], timestamp: NOW, base_fee: 0 };
    assert_eq!(network.first_since(0, settled, NOW - 2 * DAY).await.unwrap(), Some(HEAD - 2 * DAY));
    assert!(network.incoming(0, NOW - 4 * DAY, NOW).await.is_err());
}
