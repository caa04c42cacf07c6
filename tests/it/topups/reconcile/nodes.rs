//! Nodes and a provider that do not answer, answer little at once, or lie: a comparison that was not made is never told as one
//! without differences, and one that lies hides nothing.

use tollgate_tests::flaky_node::{FlakyNode, NodeFault};

use super::*;

fn source<'t>(told: &'t Value, source: &str) -> &'t Value {
    let sources = told["sources"].as_array().expect("a list");
    sources.iter().find(|report| report["source"] == source).unwrap_or_else(|| panic!("{told}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_answer_is_told_as_such() {
    let world = World::open(On::File).await;
    let served = world.serve();
    world.page(&served).await;
    assert!(served.terminate());
    let node = FlakyNode::before(&world.anvil.url).await;
    world.configure(&[node.url()], std::slice::from_ref(&world.svm.url));
    world.svm.set(json!({"down": true})).await;
    world.provider.faults(&json!({"drop": true, "answers": "error"})).await;
    for mood in [NodeFault::Fails, NodeFault::Refuses(-32000, "missing trie node"), NodeFault::Pretends(json!("0x1"))] {
        node.takes("eth_getLogs", mood);
        let (clean, told) = world.compared(&[]);
        assert!(!clean && told["findings"] == json!([]), "{told}");
        for name in [chain::NETWORK, svm::NETWORK, NAME] {
            let report = source(&told, name);
            assert_eq!((&report["compared"], report["why"].is_string()), (&json!(false), true), "{told}");
        }
    }
    node.calm();
    world.svm.set(json!({"down": false})).await;
    world.provider.faults(&json!({"drop": true})).await;
    let (clean, told) = world.compared(&[]);
    assert!(clean, "{told}");
    // One that has had no block for an hour has not got what came since.
    world.svm.set(json!({"ahead": -4_000})).await;
    world.svm.mine(2).await;
    let (clean, told) = world.compared(&[]);
    let why = source(&told, svm::NETWORK)["why"].as_str().expect("a text");
    assert!(!clean && why.contains("newest block is"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_answers_for_few_blocks_is_asked_for_few() {
    let world = World::open(On::File).await;
    let node = FlakyNode::before(&world.anvil.url).await;
    world.configure(&[node.url()], std::slice::from_ref(&world.svm.url));
    world.anvil.mine(1_200).await;
    let came = world.send_on_evm(5_000_000).await;
    world.anvil.mine(900).await;
    node.takes("eth_getLogs", NodeFault::Bounds(50));
    let named = world.named(&[]);
    assert_eq!(named.iter().map(told).collect::<Vec<_>>(), [("not_credited", chain::NETWORK, came.as_str())]);
    assert!(node.asked("eth_getLogs") > 2_000 / 50, "{}", node.asked("eth_getLogs"));
}

/// Of two nodes one says nothing, hides what came, or shows what did not: the other one's word is enough for a finding.
#[tokio::test(flavor = "multi_thread")]
async fn one_node_that_lies_or_is_away_hides_nothing() {
    let world = World::open(On::File).await;
    let served = world.serve();
    world.pay_on_evm(&served, 1).await;
    assert!(served.terminate());
    let liar = FlakyNode::before(&world.anvil.url).await;
    world.configure(&[liar.url(), world.anvil.url.clone()], std::slice::from_ref(&world.svm.url));
    // One that is away: what it alone would tell is not compared, and the rest is right.
    liar.takes("eth_getLogs", NodeFault::Fails);
    let (clean, told_by_one) = world.compared(&[]);
    let silent = &source(&told_by_one, chain::NETWORK)["silent_nodes"];
    assert!(!clean && silent[0].as_str().is_some_and(|node| node.starts_with("node 1 of 2")), "{told_by_one}");
    assert_eq!((&told_by_one["findings"], &source(&told_by_one, chain::NETWORK)["matched"]), (&json!([]), &json!(1)));
    // One that has nothing of what is credited, and in its receipt has it, is asked again and agrees.
    liar.takes("eth_getLogs", NodeFault::Pretends(json!([])));
    let (clean, told_by_both) = world.compared(&[]);
    assert!(clean, "{told_by_both}");
    // One that hides what came past the gateway.
    let came = world.send_on_evm(6_000_000).await;
    let named = world.named(&[]);
    assert_eq!(named.iter().map(told).collect::<Vec<_>>(), [("not_credited", chain::NETWORK, came.as_str())]);
    assert_eq!((&named[0]["shown_by"], &named[0]["asked"]), (&json!(1), &json!(2)), "{named:?}");
    world.run(&["credit", "grant", "--account", "payer", "--usd", "6", "--idempotency-key", &came]);
    // One that shows money for a credit which somebody has written into the database.
    let hash = format!("0x{}", "ab".repeat(32));
    let coin = world.anvil.token().address.to_string();
    let id = world.plant_credit(chain::NETWORK, "x402", (&hash, &coin, "5000000")).await;
    let log = json!({
        "address": coin, "data": format!("0x{:064x}", 5_000_000), "transactionHash": hash, "blockNumber": "0x2", "logIndex": "0x0",
        "topics": [
            "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
            format!("0x{}", word(&account(PAYER).address)), format!("0x{}", word(&account(PAY_TO).address)),
        ],
    });
    liar.takes("eth_getLogs", NodeFault::Pretends(json!([log])));
    let named = world.named(&[]);
    assert_eq!(named.iter().map(told).collect::<Vec<_>>(), [("not_found", chain::NETWORK, hash.as_str())]);
    assert_eq!(named[0]["payment_id"], id);
}
