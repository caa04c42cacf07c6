//! Agents whose wallets carry their payments to the chain themselves.

use serde_json::{Value, json};
use tollgate_tests::AlarmLog;
use tollgate_tests::chain::{Anvil, NETWORK, PAYER};
use tollgate_tests::client;
use tollgate_tests::gateway::exact;
use tollgate_tests::wallet::Wallet;

use super::{House, gateway_on};

const PUBLIC_URL: &str = "https://gateway.example";

impl House {
    /// An order that an agent makes for itself.
    async fn agents_order(&self, key: &str) -> (i64, Value) {
        let request = client().post(self.gateway.url("/api/user/topup/x402/orders")).bearer_auth(key);
        let request = request.header("content-type", "application/json").body(r#"{"amount_usd":5}"#);
        let made = exact(&request.send().await.expect("an answer").text().await.expect("a body"));
        assert_eq!(made["success"], true, "{made}");
        (made["data"]["order_id"].as_i64().expect("a number"), made["data"]["challenge"].clone())
    }
}

/// What was paid is credited, whatever cap it passes; it counts, and the operator hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_carries_itself_is_credited_past_its_cap_and_rings() {
    let anvil = Anvil::start().await;
    let config = format!("public_url = \"{PUBLIC_URL}\"\n{}\n[agents]\ncap_day_usd = \"6\"\n", anvil.config("0"));
    let house = House { gateway: gateway_on(config).await, anvil };
    let body = Wallet::of_key(PAYER).registration(PUBLIC_URL);
    let made = house.post("/api/user/self/agents", body.to_string()).await;
    let key = made["data"]["api_key"].as_str().expect("a key");
    let bells = AlarmLog::of_this_test();

    let (order, challenge) = house.agents_order(key).await;
    assert_eq!(house.pay(order, &house.payment(&challenge, 1).body()).await["data"]["status"], "settled");
    let (order, challenge) = house.agents_order(key).await;
    let payment = house.payment(&challenge, 2);
    assert_eq!(house.pay(order, &payment.body()).await["message"], "SPEND_CAP_EXCEEDED");
    assert!(bells.rung().is_empty(), "{:?}", bells.rung());
    house.carried_by_a_stranger(&payment).await;
    let paid = house.pay(order, &payment.body()).await;
    assert_eq!(paid["data"]["status"], "settled", "{paid}");
    let rung = bells.ring("cap_passed", 1).await;
    assert_eq!((&rung[0]["order"], &rung[0]["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung:?}");
    assert_eq!(
        (&rung[0]["agent"], &rung[0]["cap_usd"], &rung[0]["of"]),
        (&json!(made["data"]["agent"]["agent_id"].to_string()), &json!("6"), &json!("day")),
        "{rung:?}"
    );
    let (order, challenge) = house.agents_order(key).await;
    assert_eq!(house.pay(order, &house.payment(&challenge, 3).body()).await["message"], "SPEND_CAP_EXCEEDED");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("10", 10_000_000));
    house.gateway.assert_books().await;
}
