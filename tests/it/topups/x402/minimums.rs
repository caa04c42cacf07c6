//! The least order on a chain of its own: where fees make a smaller one not worth it.

use serde_json::{Value, json};
use tollgate_tests::chain::{Anvil, NETWORK};
use tollgate_tests::gateway::amount;
use tollgate_tests::svm::{self, Svm};

use super::{House, gateway_on};

const ORDERS: &str = "/api/user/topup/x402/orders";

/// A house on a chain whose least order is 20, and on one that says nothing; what is returned keeps it.
async fn two_chains() -> (House, Svm) {
    let (anvil, svm) = (Anvil::start().await, Svm::start());
    let dear = anvil.config("0").replace("depth = 0", "min_usd = \"20\"\ndepth = 0");
    let rails = svm.config("0");
    let (_, other) = rails.split_once("[chains.svm]").expect("a chain");
    let gateway = gateway_on(format!("{dear}[topup.crypto]\nenabled = true\n[chains.svm]{other}")).await;
    (House { gateway, anvil }, svm)
}

fn networks(order: &Value) -> Vec<&str> {
    let accepts = order["challenge"]["accepts"].as_array().expect("options");
    let mut networks: Vec<&str> = accepts.iter().map(|option| option["network"].as_str().expect("a text")).collect();
    networks.dedup();
    networks
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_is_left_out_below_its_least_order() {
    let (house, _svm) = two_chains().await;
    for orders in [ORDERS, "/api/user/topup/crypto/orders"] {
        let made = house.post(orders, r#"{"amount_usd":19.99}"#.to_owned()).await;
        let order = &made["data"];
        assert_eq!(networks(order), [svm::NETWORK], "{made}");
        let left_out = &order["left_out"][0];
        assert_eq!((&left_out["network"], &left_out["reason"]), (&json!(NETWORK), &json!("below_minimum")), "{made}");
        assert_eq!(amount(&left_out["min_usd"]), "20", "{made}");
        let whole = house.post(orders, r#"{"amount_usd":20}"#.to_owned()).await;
        assert_eq!(networks(&whole["data"]), [NETWORK, svm::NETWORK], "the least itself is enough: {whole}");
        assert!(whole["data"].get("left_out").is_none(), "{whole}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_below_the_least_of_its_chain_is_refused_by_name() {
    let (house, _svm) = two_chains().await;
    let body = json!({"amount_usd": 5, "network": NETWORK});
    let refused = house.post(ORDERS, body.to_string()).await;
    assert_eq!((refused["success"].as_bool(), refused["message"].as_str()), (Some(false), Some("X402_INVALID_AMOUNT")));
    assert_eq!(
        (refused["data"]["networks"].as_str(), amount(&refused["data"]["min_usd"]).as_str()),
        (Some(NETWORK), "20")
    );
    assert_eq!(amount(&refused["data"]["nearest_usd"]), "20", "{refused}");
    let detail = refused["detail"].as_str().expect("words");
    assert!(detail.contains(&format!("on {NETWORK} must be from 20 to 1000 USD")), "{detail}");
    // Below what any chain takes, the chains are all named, with the least of them.
    let refused = house.post(ORDERS, r#"{"amount_usd":0.5}"#.to_owned()).await;
    assert_eq!(amount(&refused["data"]["min_usd"]), "1", "{refused}");
    assert_eq!(refused["data"]["networks"], json!(format!("{NETWORK}, {}", svm::NETWORK)), "{refused}");
    let made = house.post(ORDERS, json!({"amount_usd": 5, "network": svm::NETWORK}).to_string()).await;
    assert_eq!(made["success"], true, "the other chain takes it: {made}");
    assert!(made["data"].get("left_out").is_none(), "a chain that was not asked for is not missed: {made}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bounds_of_each_chain_are_told_where_they_are_looked_for() {
    let (house, _svm) = two_chains().await;
    let told = |networks: &Value| {
        let networks = networks.as_array().expect("networks").iter();
        networks
            .map(|one| (one["network"].as_str().expect("a text").to_owned(), amount(&one["min_usd"])))
            .collect::<Vec<_>>()
    };
    let each = [(NETWORK.to_owned(), "20".to_owned()), (svm::NETWORK.to_owned(), "1".to_owned())];
    let config = house.data("/api/user/topup/x402/config").await;
    assert_eq!((told(&config["networks"]), amount(&config["min_topup_usd"]).as_str()), (each.to_vec(), "1"));
    let info = house.data("/api/user/topup/info").await;
    let rails = info["rails"].as_array().expect("rails").iter().filter(|rail| rail["rail"] != "ewallet");
    for rail in rails {
        assert_eq!(told(&rail["networks"]), each, "{rail}");
    }
}

/// Where each chain has its own, the rail takes what the chain takes that takes the least.
#[tokio::test(flavor = "multi_thread")]
async fn the_least_of_a_single_chain_is_that_of_the_rail() {
    let anvil = Anvil::start().await;
    let config = anvil.config("0").replace("depth = 0", "min_usd = \"2.50\"\ndepth = 0");
    let house = House { gateway: gateway_on(config).await, anvil };
    let config = house.data("/api/user/topup/x402/config").await;
    assert_eq!(amount(&config["min_topup_usd"]), "2.5", "{config}");
    let refused = house.post(ORDERS, r#"{"amount_usd":2.49}"#.to_owned()).await;
    assert_eq!(
        (refused["message"].as_str(), amount(&refused["data"]["nearest_usd"]).as_str()),
        (Some("X402_INVALID_AMOUNT"), "2.5")
    );
    house.order("2.5").await;
}
