//! Payments on which a person has decided, and credits that name a transfer which backs another one.

use super::*;

impl World {
    /// A payment of five dollars that was signed and given up; its number.
    async fn plant_given_up(&self, place: u8) -> i64 {
        let (id, account) = (draw_id(1), self.account);
        let at = Clock::system().now_ms() - HOUR_MS;
        let (coin, payer) = (self.anvil.token().address.to_string(), chain::account(PAYER).address);
        self.plant(format!(
            "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at, place) VALUES \
                 ({id}, 'planted{id}', {account}, 'x402', 5000000000, 'pending', {at}, {at} + 600000, {place}); \
             INSERT INTO payments (id, source, reference, order_id, state, asset, amount, payer, claimed_at) VALUES \
                 ({id}, '{}', '0x0{place}', {id}, 'claimed', '{coin}', '5000000', '{payer}', {at}); \
             UPDATE payments SET state = 'void', rev = rev + 1, decided_at = {at} WHERE id = {id};",
            chain::NETWORK
        ))
        .await;
        id
    }
}

async fn what_a_person_has_decided_is_not_named(on: On) {
    let world = World::open(on).await;
    let (credited, returned) = (world.plant_given_up(1).await, world.plant_given_up(2).await);
    for _ in [credited, returned] {
        world.send_on_evm(5_000_000).await;
    }
    let named = world.named(&[]);
    let mut payments: Vec<_> = named.iter().map(|finding| finding["payment_id"].as_i64()).collect();
    payments.sort_unstable();
    let mut expected = [Some(credited), Some(returned)];
    expected.sort_unstable();
    assert_eq!(payments, expected, "{named:?}");
    assert!(named.iter().all(|finding| told(finding).0 == "not_credited"), "{named:?}");
    // What is to be done about them is done, and nothing is told of them any more.
    let why = ["--reason", "its transfer came by another contract"];
    world.run(&[&["payment", "resolve", &credited.to_string(), "--credit"][..], &why].concat());
    world.run(&[&["payment", "resolve", &returned.to_string(), "--returned"][..], &why].concat());
    let (clean, told) = world.compared(&[]);
    assert!(clean && told["sources"][0]["matched"] == 2, "{told}");
}

async fn a_transfer_backs_one_credit(on: On) {
    let world = World::open(on).await;
    let served = world.serve();
    world.pay_on_evm(&served, 1).await;
    assert!(served.terminate());
    let came = world.send_on_evm(5_000_000).await;
    let (hash, coin) = (came.split_once('/').expect("a place").0, world.anvil.token().address.to_string());
    let first = world.plant_credit(chain::NETWORK, "x402", (hash, &coin, "5000000")).await;
    let (clean, told_of_one) = world.compared(&[]);
    assert!(clean, "{told_of_one}");
    // Another credit names the same transaction.
    let again = format!("{hash}/0");
    let id = world.plant_credit(chain::NETWORK, "x402", (&again, &coin, "5000000")).await;
    assert_ne!(id, first);
    let named = world.named(&[]);
    assert_eq!(
        named.iter().map(told).collect::<Vec<_>>(),
        [("not_found", chain::NETWORK, again.as_str())],
        "{named:?}"
    );
    assert_eq!(named[0]["payment_id"], id, "{named:?}");
}

/// A chain takes a credited payment back, an operator books a chargeback, and what we have signed is in a block again.
async fn a_payment_that_comes_again_after_its_chargeback_is_named(on: On) {
    let world = World::open(on).await;
    let served = world.serve();
    let order = world.pay_on_evm(&served, 1).await;
    assert!(served.terminate());
    world.anvil.mine_at_once(false).await;
    world.anvil.ask("anvil_reorg", json!([1, []])).await;
    world.anvil.forget_pending().await;
    world.run(&["payment", "chargeback", &order.to_string(), "--reason", "the chain has taken it back"]);
    let (clean, told_of_it) = world.compared(&[]);
    assert!(clean, "it is not there: {told_of_it}");
    let served = world.serve();
    let is_sent = async || world.anvil.ask("txpool_status", json!([])).await["pending"] != "0x0";
    until_later("it to be sent again", async || is_sent().await.then_some(())).await;
    world.anvil.mine(1).await;
    world.anvil.mine_at_once(true).await;
    assert!(served.terminate());
    let named = world.named(&[]);
    assert_eq!((named.len(), told(&named[0]).0, told(&named[0]).1), (1, "charged_back", chain::NETWORK), "{named:?}");
    let finding = &named[0];
    assert_eq!((&finding["order_id"], amount(&finding["usd"]).as_str()), (&json!(order), "5"), "{finding}");
    assert_eq!(finding["account"], world.account, "{finding}");
    let args = world.args();
    let shown = run(&[&args[0], &args[1], "audit", "--chains"]);
    let text = String::from_utf8(shown.stdout).expect("text");
    assert!(text.contains("Next: a payment that a chain had taken back may come again"), "{text}");
    // The account gets it back, and nothing is told of it any more.
    let key = ["--idempotency-key", told(finding).2, "--note", "it came again"];
    world.run(&[&["credit", "grant", "--account", "payer", "--usd", "5"][..], &key].concat());
    let (clean, told_of_it) = world.compared(&[]);
    assert!(clean, "{told_of_it}");
}

on_both!(
    what_a_person_has_decided_is_not_named,
    a_transfer_backs_one_credit,
    a_payment_that_comes_again_after_its_chargeback_is_named,
);
