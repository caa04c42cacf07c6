//! What an operator decides on payments, and books of money that went back, by the commands of the binary: on either database,
//! and also where a command ends beside its commit.

use std::os::unix::process::ExitStatusExt;

use serde_json::{Value, json};
use tollgate_store::CommitSide;
use tollgate_tests::binary::{run, run_in, run_json};
use tollgate_tests::gateway::amount;
use tollgate_topup::Step;

use crate::ledger::commit_steps::{Way, ends, named};
use crate::ledger::restartable::{Mortal, On};

const ARMED_BY: &str = "TOLLGATE_CRASH_AT";
const ABORTED: i32 = 6;
/// A chain that nothing is asked of.
const CHAIN: &str = "eip155:1";

/// An order of 5 USD that one payment has paid, and another payment that came for it.
async fn paid_twice(mortal: &Mortal, number: usize) -> [String; 3] {
    let (order, first, second) = (number * 10 + 1, number * 10 + 2, number * 10 + 3);
    let rows = format!(
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at) \
            SELECT {order}, 'tg{order}', account_id, 'ewallet', 5000000000, 'pending', 1, 2 FROM balances; \
        INSERT INTO payments (id, source, reference, order_id, state, asset, amount, claimed_at) VALUES \
            ({first}, 'antom', 'r{first}', {order}, 'claimed', 'USD', '500', 1), \
            ({second}, 'antom', 'r{second}', {order}, 'claimed', 'USD', '500', 1); \
        UPDATE payments SET state = 'paid', rev = 1, decided_at = 1 WHERE id = {first}; \
        UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = {order}; \
        UPDATE topup_order SET settled_at = 1 WHERE id = {order}; \
        UPDATE topup_order SET status = 'success', rev = 2 WHERE id = {order}; \
        UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1 WHERE id = {second}"
    );
    mortal.plant(rows).await;
    [format!("tg{order}"), first.to_string(), second.to_string()]
}

/// What a command tells.
fn told(mortal: &Mortal, command: &[&str]) -> (bool, Value) {
    run_json(&[&mortal.args[..], command].concat())
}

async fn a_person_decides_and_books(on: On) {
    let mortal = Mortal::open(on).await;
    let [order, first, second] = &paid_twice(&mortal, 1).await;
    let (_, waits) = told(&mortal, &["payment", "list"]);
    assert_eq!(waits["payments"][0]["id"].to_string(), *second, "{waits}");
    let (ok, neither) = told(&mortal, &["payment", "resolve", "7", "--returned"]);
    assert!(!ok && neither["error"].as_str().is_some_and(|text| text.contains("payment list")), "{neither}");
    assert!(!run(&[&mortal.args[..], &["payment", "resolve", second]].concat()).status.success(), "one of the two");
    let credit = ["payment", "resolve", second, "--credit", "--usd", "4.5", "--reason", "paid twice"];
    let (ok, resolved) = told(&mortal, &credit);
    assert!(ok && resolved["repeated"] == false && amount(&resolved["credited_usd"]) == "4.5", "{resolved}");
    assert_eq!(told(&mortal, &credit).1["repeated"], true);
    let (ok, other) = told(&mortal, &["payment", "resolve", second, "--returned"]);
    assert!(!ok && other["error"].as_str().is_some_and(|text| text.contains("4.5 USD of it were credited")), "{other}");
    assert_eq!(told(&mortal, &["payment", "list"]).1["payments"], json!([]));

    let (ok, which) = told(&mortal, &["payment", "refund", order, "--reason", "asked for"]);
    assert!(!ok && which["error"].as_str().is_some_and(|text| text.contains(first.as_str())), "{which}");
    let refund = ["payment", "refund", first, "--usd", "2", "--reason", "asked for", "--idempotency-key", "a"];
    let (ok, back) = told(&mortal, &refund);
    assert!(ok && amount(&back["taken_usd"]) == "2" && amount(&back["payment_reversed_usd"]) == "2", "{back}");
    assert_eq!(told(&mortal, &refund).1["reversal"], back["reversal"]);
    let (ok, more) = told(&mortal, &["payment", "chargeback", first, "--usd", "3.5", "--reason", "a dispute"]);
    assert!(!ok && more["error"].as_str().is_some_and(|text| text.contains("2 have gone back")), "{more}");
    let (ok, rest) = told(&mortal, &["payment", "chargeback", first, "--reason", "a dispute"]);
    assert!(ok && amount(&rest["reversed_usd"]) == "3" && amount(&rest["debt_usd"]) == "0", "{rest}");
    let report = mortal.audited("at the end");
    assert_eq!(amount(&report["house_usd"]["clearing:ewallet"]), "-4.5", "{report}");
}

/// The chain has taken all that was signed.
const FINISHED: &str = "UPDATE chain_sends SET done = 1 WHERE done = 0";

/// An account that has signed a transaction on a chain for a payment which is closed.
async fn has_signed(mortal: &Mortal, on: On, number: usize) -> String {
    let (order, payment, relayer) = (number * 10 + 1, number * 10 + 2, format!("0x{number:040}"));
    let bytes = match on {
        On::File => "x'63'",
        On::Server => "'c'",
    };
    let rows = format!(
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at) \
            SELECT {order}, 'tg{order}', account_id, 'crypto', 5000000000, 'pending', 1, 2 FROM balances; \
        INSERT INTO payments (id, source, reference, order_id, state, asset, amount, claimed_at) VALUES \
            ({payment}, '{CHAIN}', 'r{payment}', {order}, 'claimed', '0xa0', '500', 1); \
        INSERT INTO chain_payments (payment_id, network, since_block, terms, call, closed) \
            VALUES ({payment}, '{CHAIN}', 1, '{{}}', {bytes}, 1); \
        INSERT INTO chain_relayers (network, relayer, next_nonce) VALUES ('{CHAIN}', '{relayer}', 501); \
        INSERT INTO chain_sends (hash, network, relayer, nonce, turn, payment_id, raw, gas, fee_most, fee_tip, signed_at) \
            VALUES ('0x{payment}', '{CHAIN}', '{relayer}', 500, 1, {payment}, {bytes}, 1, 1, 1, 1); \
        UPDATE payments SET state = 'void', rev = 1, decided_at = 1 WHERE id = {payment}"
    );
    mortal.plant(rows).await;
    relayer
}

async fn a_number_is_asked_of_the_chain_again(on: On) {
    let mortal = Mortal::open(on).await;
    let relayer = has_signed(&mortal, on, 1).await;
    let listed = || told(&mortal, &["relayer", "list"]).1["relayers"].clone();
    let kept = json!([{"network": CHAIN, "relayer": relayer, "next_number": 501, "on_their_way": 0}]);
    assert_eq!(listed(), kept);
    let nobody = format!("0x{:040}", 7);
    let (ok, unknown) = told(&mortal, &["relayer", "reset", CHAIN, &nobody]);
    assert!(!ok && unknown["error"].as_str().is_some_and(|text| text.contains("relayer list")), "{unknown}");
    let reset = ["relayer", "reset", CHAIN, &relayer, "--reason", "a node had told 500"];
    // While one is not finished, the chain has to tell what it takes next, and this configuration has no chain.
    let (ok, unasked) = told(&mortal, &reset);
    assert!(!ok && unasked["error"].as_str().is_some_and(|text| text.contains("has no EVM chain")), "{unasked}");
    mortal.plant(FINISHED.to_owned()).await;
    let (ok, before) = told(&mortal, &reset);
    assert!(ok && before["number_before"] == 501 && before["repeated"] == false, "{before}");
    assert_eq!(told(&mortal, &reset).1["repeated"], true);
    assert_eq!(listed(), json!([]));
    mortal.audited("at the end");
}

async fn each_command_is_carried_out_once(on: On) {
    let mortal = Mortal::open(on).await;
    for (number, (step, side)) in (1..).zip(ends(|way| way == Way::Command)) {
        let when = named(step, side);
        let (relayer, [_, first, second]) = match step {
            Step::ResetNumber => (has_signed(&mortal, on, number).await, Default::default()),
            _ => (String::new(), paid_twice(&mortal, number).await),
        };
        mortal.plant(FINISHED.to_owned()).await;
        let command = match step {
            Step::ResetNumber => vec!["relayer", "reset", CHAIN, &relayer],
            Step::Resolve => vec!["payment", "resolve", &second, "--credit"],
            _ => vec!["payment", "chargeback", &first, "--reason", "x", "--idempotency-key", &when],
        };
        let args = [&mortal.args[..], &command].concat();
        let armed = format!("{}.{}:1", step.name(), side.name());
        assert_eq!(run_in((ARMED_BY, &armed), &args).status.signal(), Some(ABORTED), "{when}: it was to end there");
        mortal.audited(&when);
        let (ok, again) = run_json(&args);
        assert!(ok && again["repeated"] == json!(side == CommitSide::After), "{when}: {again}");
        assert_eq!(run_json(&args).1["repeated"], true, "{when}");
    }
    // Of each order both payments were credited, or none.
    let report = mortal.audited("at the end");
    assert_eq!(amount(&report["house_usd"]["clearing:ewallet"]), "-20", "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_decides_and_books_on_a_file() {
    a_person_decides_and_books(On::File).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_decides_and_books_on_a_server() {
    a_person_decides_and_books(On::Server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_asked_of_the_chain_again_on_a_file() {
    a_number_is_asked_of_the_chain_again(On::File).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_asked_of_the_chain_again_on_a_server() {
    a_number_is_asked_of_the_chain_again(On::Server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_may_end_beside_its_commit_on_a_file() {
    each_command_is_carried_out_once(On::File).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_may_end_beside_its_commit_on_a_server() {
    each_command_is_carried_out_once(On::Server).await;
}
