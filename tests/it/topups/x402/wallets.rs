//! Payers that are contracts: the contract alone says whose signature it takes, and the chain is asked.

use serde_json::json;
use tollgate_chains::evm::TransferAuthorization;
use tollgate_tests::chain::{self, CHAIN, PAYER, RELAYER, STRANGER, account, word};

use super::{House, Payment};

impl House {
    /// A payment out of a wallet, signed by a key.
    fn out_of(&self, wallet: &str, key: &str, challenge: &serde_json::Value, nonce: u8) -> Payment {
        let of_payer = self.payment(challenge, nonce);
        let signed = TransferAuthorization { from: wallet.parse().expect("an address"), ..of_payer.signed };
        Payment { signature: chain::sign(key, &signed, &self.anvil.token(), CHAIN), signed, ..of_payer }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_pays_by_the_signature_that_it_takes() {
    let house = House::open("0").await;
    let wallet = house.anvil.deploy("Wallet", &word(&account(PAYER).address)).await;
    house.anvil.mint(&wallet, 10_000_000).await;
    let (order, challenge) = house.order("5").await;
    for payment in [
        house.out_of(&wallet, STRANGER, &challenge, 1),
        Payment { signature: "0x".to_owned() + &"ab".repeat(66), ..house.out_of(&wallet, PAYER, &challenge, 1) },
    ] {
        let refused = house.pay(order, &payment.body()).await;
        assert_eq!(
            (refused["message"].as_str(), refused["data"]["status"].as_str()),
            (Some("X402_PAYMENT_REJECTED"), Some("pending"))
        );
    }
    let sent = house.anvil.ask("eth_getTransactionCount", json!([account(RELAYER).address, "latest"])).await;
    assert_eq!(sent, json!("0x0"), "the chain was asked and nothing sent");
    let paid = house.pay(order, &house.out_of(&wallet, PAYER, &challenge, 1).body()).await;
    assert_eq!(paid["data"]["status"], "settled", "{paid}");
    assert_eq!((house.balance().await.as_str(), house.anvil.coins(&wallet).await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_whose_account_has_code_is_judged_by_that_code() {
    let house = House::open("0").await;
    // As after EIP-7702: the payer's own address has the code of a wallet, which takes another key's signatures.
    let wallet = house.anvil.deploy("Wallet", &word(&account(STRANGER).address)).await;
    let code = house.anvil.ask("eth_getCode", json!([wallet, "latest"])).await;
    let payer = account(PAYER).address;
    house.anvil.ask("anvil_setCode", json!([payer, code])).await;
    let (order, challenge) = house.order("5").await;
    let refused = house.pay(order, &house.out_of(&payer, PAYER, &challenge, 1).body()).await;
    assert_eq!(refused["message"], "X402_PAYMENT_REJECTED", "its own key is none of its code's: {refused}");
    let paid = house.pay(order, &house.out_of(&payer, STRANGER, &challenge, 1).body()).await;
    assert_eq!(paid["data"]["status"], "settled", "{paid}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_that_is_still_to_be_made_is_never_made_by_us() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    // ERC-6492: a factory, a call of it, and a signature. The call would give the stranger coins, from our account.
    let stranger = word(&account(STRANGER).address);
    let mint = format!("40c10f19{stranger}{:064x}", 1_000_000);
    let call = format!("{:064x}{mint:0<192}", mint.len() / 2);
    let words = [word(&house.anvil.coin), format!("{:064x}", 96), format!("{:064x}", 96 + call.len() / 2)];
    let signature = format!("{:064x}{:0<192}", 65, "ab".repeat(65));
    let wrapper = format!("0x{}{call}{signature}{}", words.concat(), "6492".repeat(16));
    let unmade = "0x00000000000000000000000000000000000000aa";
    for payer in [unmade.to_owned(), house.anvil.deploy("Wallet", &word(&account(PAYER).address)).await] {
        let payment = Payment { signature: wrapper.clone(), ..house.out_of(&payer, PAYER, &challenge, 1) };
        let refused = house.pay(order, &payment.body()).await;
        let found = (refused["message"].as_str(), refused["data"]["field"].as_str());
        assert_eq!(found, (Some("PAYLOAD_MISMATCH"), Some("payload.signature")), "{refused}");
    }
    assert_eq!(house.anvil.coins(&account(STRANGER).address).await, 0);
}
