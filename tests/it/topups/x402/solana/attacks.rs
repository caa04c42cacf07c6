//! Transactions that are not what is asked for, made by the libraries that honest clients use. None of them is signed by us,
//! none reaches the network, our account loses nothing, and the order can still be paid.

use serde_json::{Value, json};

use super::{House, told};

/// Submits transactions that have to be refused, each at its place, and then a good one.
async fn refused(cases: &[(&str, &str)]) {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let had = (house.svm.lamports("feePayer").await, house.svm.lamports("payer").await);
    for (variant, part) in cases {
        let payment = house.svm.payment(&challenge, variant).await;
        mismatch(&house, order, &payment, part, variant).await;
    }
    assert_eq!(house.svm.given().await, 0, "nothing was sent");
    assert_eq!((house.svm.lamports("feePayer").await, house.svm.lamports("payer").await), had);
    pays(&house, order, &challenge).await;
}

async fn mismatch(house: &House, order: i64, payment: &Value, part: &str, variant: &str) {
    let reply = house.pay(order, payment).await;
    let field = if part.is_empty() { "payload.transaction".to_owned() } else { format!("payload.transaction.{part}") };
    assert_eq!(told(&reply), (false, "PAYLOAD_MISMATCH"), "{variant}: {reply}");
    assert_eq!((&reply["data"]["field"], &reply["data"]["status"]), (&json!(field), &json!("pending")), "{variant}");
}

/// Whatever was tried before, the order is paid, once, by a good payment.
async fn pays(house: &House, order: i64, challenge: &Value) {
    let paid = house.pay(order, &house.svm.payment(challenge, "official").await).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fee_payer_cannot_be_drained() {
    refused(&[
        ("fee payer pays money", "feePayer"),
        ("fee payer pays money first", "feePayer"),
        ("fee payer pays coins", "signatures"),
        ("fee payer approves", "feePayer"),
        ("fee payer's account is closed", "feePayer"),
        ("fee payer signs a memo", "feePayer"),
        ("fee payer's coins by another", "source"),
        ("an account is made by the fee payer", "feePayer"),
        ("dear work", "fee"),
        ("much work", "fee"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_instruction_is_signed() {
    refused(&[
        ("an account is made", "instructions"),
        ("two transfers", "instructions"),
        ("payer pays money too", "instructions"),
        ("no bound on work", "instructions"),
        ("price before limit", "instructions"),
        ("eight instructions", "instructions"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_mint_destination_amount_or_number_of_decimals_is_no_payment() {
    refused(&[
        ("another mint", "mint"),
        ("to a stranger", "destination"),
        ("to the payer", "destination"),
        ("one unit less", "amount"),
        ("one unit more", "amount"),
        ("other decimals", "decimals"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_is_no_token() {
    refused(&[
        ("by another program", "transfer"),
        ("by the newer program", "transfer"),
        ("unchecked transfer", "transfer"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn address_lookup_tables_are_not_followed() {
    refused(&[("address lookup tables", "")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memo_is_that_of_the_order() {
    refused(&[
        ("no memo", "memo"),
        ("two memos", "memo"),
        ("memo of another order", "memo"),
        ("memo with more", "memo"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signature_is_the_payers_over_these_bytes() {
    refused(&[
        ("forged signature", "signatures"),
        ("no signature", "signatures"),
        ("signature of another message", "signatures"),
        ("three signers", "signatures"),
        ("by an authority that does not sign", "authority"),
        ("another fee payer", "feePayer"),
        ("payer is fee payer", "feePayer"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_transaction_are_none() {
    refused(&[("too large", ""), ("trailing bytes", ""), ("cut off", ""), ("another version", "")]).await;
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let good = house.svm.payment(&challenge, "official").await;
    let text = good["payload"]["transaction"].as_str().expect("a text");
    let huge = "A".repeat(1 << 19);
    let wrongs = [json!(""), json!("%"), json!(huge), json!(format!("{text}\n")), json!(format!("={text}")), json!(7)];
    for wrong in wrongs {
        let mut payment = good.clone();
        payment["payload"]["transaction"] = wrong;
        mismatch(&house, order, &payment, "", "no transaction").await;
    }
    let mut none = good.clone();
    none["payload"] = json!({"authorization": {}, "signature": "0x"});
    mismatch(&house, order, &none, "", "another form").await;
    pays(&house, order, &challenge).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_claimed_is_compared_too() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let good = house.svm.payment(&challenge, "official").await;
    let stranger = house.svm.address("stranger");
    for (pointer, wrong) in [
        ("/accepted/network", json!("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")),
        ("/accepted/asset", json!(stranger)),
        ("/accepted/payTo", json!(stranger)),
        ("/accepted/amount", json!("05000000")),
        ("/accepted/amount", json!("4999999")),
        ("/accepted/scheme", json!("upto")),
        ("/x402Version", json!(1)),
    ] {
        let mut payment = good.clone();
        *payment.pointer_mut(pointer).expect(pointer) = wrong;
        let reply = house.pay(order, &payment).await;
        assert_eq!(told(&reply), (false, "PAYLOAD_MISMATCH"), "{pointer}: {reply}");
        assert_eq!(reply["data"]["field"], json!(pointer[1..].replace('/', ".")), "{reply}");
    }
    // The other coin's option, with a transaction in the first coin.
    let mut other = good.clone();
    other["accepted"] = challenge["accepts"][1].clone();
    mismatch(&house, order, &other, "transfer", "another option").await;
    assert_eq!(house.svm.given().await, 0, "nothing was sent");
    pays(&house, order, &challenge).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_is_told_that_it_is_one() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "settled"));
    for _ in 0..3 {
        assert_eq!(told(&house.pay(order, &payment).await), (false, "ORDER_ALREADY_SETTLED"));
    }
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    assert_eq!(house.svm.given().await, 1);
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_payment_does_not_pay_two_orders() {
    let house = House::open("0").await;
    let ((first, challenge), (second, other)) = (house.order("5").await, house.order("5").await);
    let payment = house.svm.payment(&challenge, "official").await;
    let (one, two) = tokio::join!(house.pay(first, &payment), house.pay(second, &payment));
    assert_eq!((told(&one), told(&two)), ((true, "settled"), (false, "PAYLOAD_MISMATCH")), "{one} {two}");
    assert_eq!(two["data"]["field"], "payload.transaction.memo");
    // Nor under the words of the other one.
    let mut renamed = payment.clone();
    renamed["accepted"] = other["accepts"][0].clone();
    mismatch(&house, second, &renamed, "memo", "the other order's option").await;
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_blockhash_is_refused_before_anything_is_sent() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    house.svm.mine(151).await;
    let unknown = house.svm.payment(&challenge, "unknown blockhash").await;
    for old in [payment, unknown] {
        let reply = house.pay(order, &old).await;
        assert_eq!(told(&reply), (false, "X402_PAYMENT_REJECTED"), "{reply}");
        assert_eq!(reply["data"]["status"], "pending");
    }
    assert_eq!(house.svm.given().await, 0);
    pays(&house, order, &challenge).await;
}

/// A blockhash that is near its end would be tried with success, and carried too late.
#[tokio::test(flavor = "multi_thread")]
async fn a_blockhash_that_few_blocks_more_take_is_refused_before_anything_is_claimed() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    house.svm.mine(148).await;
    let reply = house.pay(order, &payment).await;
    assert_eq!(told(&reply), (false, "X402_PAYMENT_REJECTED"), "{reply}");
    assert_eq!(reply["data"]["status"], "pending");
    assert!(reply["detail"].as_str().is_some_and(|told| told.contains("fewer than 60 blocks")), "{reply}");
    let late = house.svm.payment(&challenge, "official").await;
    house.svm.mine(91).await;
    assert_eq!(told(&house.pay(order, &late).await), (false, "X402_PAYMENT_REJECTED"));
    assert_eq!((house.svm.given().await, house.waiting().await), (0, 1), "nothing was sent or claimed");
    let just = house.svm.payment(&challenge, "official").await;
    house.svm.mine(90).await;
    assert_eq!(told(&house.pay(order, &just).await), (true, "settled"));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_without_coins_costs_us_nothing() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let had = house.svm.lamports("feePayer").await;
    let reply = house.pay(order, &house.svm.payment(&challenge, "too poor").await).await;
    assert_eq!(told(&reply), (false, "X402_PAYMENT_REJECTED"), "{reply}");
    assert_eq!((house.svm.given().await, house.svm.lamports("feePayer").await), (0, had));
    pays(&house, order, &challenge).await;
}
