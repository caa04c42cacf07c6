//! What an agent makes it can poll: by the number that it pays and by the name that the answers tell.

use serde_json::{Value, json};
use tollgate_base::OrderId;
use tollgate_tests::chain::{Anvil, NETWORK};
use tollgate_tests::gateway::{amount, exact};
use tollgate_topup::{CreditAmount, NewPayment, OrderFailure, ResolveRequest};

use super::{House, gateway_on};

impl House {
    /// What is told of an order: whether it was found, its status in both words, and its number.
    async fn polled(&self, named: &str) -> (Value, Value, Value) {
        let order = self.data(&format!("/api/user/topup/order/{named}")).await;
        (order["status"].clone(), order["x402_status"].clone(), order["order_id"].clone())
    }

    /// By its name and by its number the same is told.
    async fn polls(&self, [name, number]: [&str; 2], status: &str, x402_status: &str) {
        for named in [name, number] {
            let told = self.polled(named).await;
            let wanted = (json!(status), json!(x402_status), exact(number));
            assert_eq!(told, wanted, "{named}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_polled_by_its_name_and_by_its_number_until_it_is_credited() {
    let house = House::open("3").await;
    let made = house.post("/api/user/topup/x402/orders", r#"{"amount_usd":5}"#.to_owned()).await;
    let order = &made["data"];
    let number = order["order_id"].to_string();
    let name = order["trade_no"].as_str().expect("the creation tells the name");
    let listed = house.data("/api/user/topup/x402/orders").await;
    assert_eq!(listed[0]["trade_no"], order["trade_no"], "and so does the list");
    house.polls([name, &number], "pending", "pending").await;
    let payment = house.payment(&order["challenge"], 1).body();
    let paid = house.pay(number.parse().expect("a number"), &payment).await;
    assert_eq!((&paid["data"]["trade_no"], &paid["data"]["status"]), (&order["trade_no"], &json!("credit_pending")));
    house.polls([name, &number], "settling", "credit_pending").await;
    house.anvil.mine(3).await;
    house.balance_is("5").await;
    house.polls([name, &number], "success", "settled").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_in_the_header_names_its_order_too() {
    let house = House::open("0").await;
    let made = house.post("/api/user/topup/x402/orders", r#"{"amount_usd":5}"#.to_owned()).await;
    let number = made["data"]["order_id"].to_string();
    let payment = house.payment(&made["data"]["challenge"], 1).body();
    let told = house.shake_with(number.parse().expect("a number"), &payment).await;
    assert_eq!(told.body["data"]["trade_no"], made["data"]["trade_no"], "{}", told.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_a_persons_order_finds_it_as_well() {
    let anvil = Anvil::start().await;
    let gateway = gateway_on(format!("{}[topup.crypto]\nenabled = true\n", anvil.config("0"))).await;
    let house = House { anvil, gateway };
    let made = house.post("/api/user/topup/crypto/orders", r#"{"amount_usd":5}"#.to_owned()).await;
    let (name, number) = (made["data"]["trade_no"].clone(), made["data"]["order_id"].to_string());
    let found = house.data(&format!("/api/user/topup/crypto/orders/{number}")).await;
    assert_eq!((&found["trade_no"], found["order_id"].to_string()), (&name, number.clone()));
    let code = house.gateway.get(&format!("/api/user/topup/crypto/orders/{number}/code")).send().await;
    assert_eq!(code.expect("an answer").status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_accounts_number_finds_nothing() {
    let house = House::open("0").await;
    let (order, _) = house.order("5").await;
    let other = house.gateway.key_of_another().await;
    for named in [order, order + 1, -1] {
        let path = house.gateway.url(&format!("/api/user/topup/order/{named}"));
        let reply = tollgate_tests::client().get(path).bearer_auth(&other).send().await.expect("an answer");
        let told = exact(&reply.text().await.expect("a body"));
        assert_eq!(told["message"], "ORDER_NOT_FOUND", "{told}");
    }
}

/// An order that waits for another payment when a person credits one: it is in no list of what can be paid.
#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_order_whose_payment_a_person_credits_is_open_no_more() {
    let house = House::open("0").await;
    let topups = &house.gateway.service().topups;
    let (order, _) = house.order("5").await;
    let new = NewPayment {
        source: NETWORK.to_owned(),
        reference: "n1".to_owned(),
        asset: "0xa0".to_owned(),
        amount: "5000000".to_owned(),
        payer: None,
        receipt: None,
    };
    let claimed = topups.claim_carried(OrderId(order), &new, async |_, _| Ok(())).await.expect("it is taken");
    let why = OrderFailure { code: "X402_PAYMENT_REJECTED".to_owned(), detail: "no block has it".to_owned() };
    topups.give_up(NETWORK, "n1", &why).await.expect("it is given up");
    let open = async || house.data("/api/user/self/status").await["orders"].clone();
    assert_eq!(open().await[0]["status"], "pending");
    let credit = Some(CreditAmount::Exactly("4.5".parse().expect("an amount")));
    let ask = ResolveRequest { payment: claimed.payment.id, credit, actor: "test".into(), reason: "found" };
    topups.resolve(ask).await.expect("it is decided");
    assert_eq!(house.polled(&order.to_string()).await.0, "success");
    assert_eq!((open().await, house.waiting().await), (json!([]), 0));
    house.gateway.assert_books().await;
}

/// Its payments came to nothing as far as the chain shows, and a person finds the money of one: whoever polls is told that it is
/// paid, and nobody is asked to pay again.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_payment_a_person_credits_is_told_as_paid() {
    let house = House::open("0").await;
    let topups = &house.gateway.service().topups;
    let (order, challenge) = house.order("5").await;
    let mut last = 0;
    for number in 1..=3 {
        let reference = format!("n{number}");
        let new = NewPayment {
            source: NETWORK.to_owned(),
            reference: reference.clone(),
            asset: "0xa0".to_owned(),
            amount: "5000000".to_owned(),
            payer: None,
            receipt: None,
        };
        let claimed = topups.claim_carried(OrderId(order), &new, async |_, _| Ok(())).await.expect("it is taken");
        last = claimed.payment.id;
        let why = OrderFailure { code: "X402_PAYMENT_REJECTED".to_owned(), detail: "no block has it".to_owned() };
        topups.give_up(NETWORK, &reference, &why).await.expect("it is given up");
    }
    let number = order.to_string();
    let path = format!("/api/user/topup/order/{number}");
    let failed = house.data(&path).await;
    assert_eq!((&failed["status"], &failed["failure"]["code"]), (&json!("failed"), &json!("X402_PAYMENT_REJECTED")));
    let ask = ResolveRequest {
        payment: last,
        credit: Some(CreditAmount::Exactly("4.5".parse().expect("an amount"))),
        actor: "test".into(),
        reason: "found",
    };
    topups.resolve(ask).await.expect("it is decided");
    let told = house.data(&path).await;
    assert_eq!((&told["status"], &told["x402_status"]), (&json!("success"), &json!("settled")), "{told}");
    assert_eq!((amount(&told["balance_added"]), &told["failure"]), ("4.5".to_owned(), &Value::Null), "{told}");
    assert!(told["settled_at"].is_number() && amount(&told["amount_usd"]) == "5", "{told}");
    let refused = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(
        (&refused["message"], &refused["data"]["status"]),
        (&json!("ORDER_ALREADY_SETTLED"), &json!("settled")),
        "{refused}"
    );
    let again = house.post(&format!("/api/user/topup/x402/orders/{number}/resume"), String::new()).await;
    assert_eq!((&again["message"], &again["data"]["status"]), (&json!("ORDER_NOT_PENDING"), &json!("success")));
    assert_eq!((house.balance().await.as_str(), house.waiting().await), ("4.5", 0));
    house.gateway.assert_books().await;
}
