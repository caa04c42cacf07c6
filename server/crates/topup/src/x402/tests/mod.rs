//! What is kept of payments on chains, on a file and on a server.

use super::sql::{self, AssetFilter, RelayerTransaction};
use super::terms::SignedTerms;
use crate::{Config, ConfirmedPayment, NewOrder, NewPayment, OrderFailure, PaymentRail, RailConfig, Topups};
use tollgate_accounts::AccountService;
use tollgate_base::{Clock, OrderId, Usd};
use tollgate_chains::EvmAddress;
use tollgate_chains::evm::{EvmMethod, EvmToken, GasFees, SignedTransaction, TransferAuthorization};
use tollgate_store::StoreTransaction;
use tollgate_store::testing::{On, on_both, temporary_on};

const NETWORK: &str = "eip155:8453";
const RELAYER: &str = "0xc0";

fn terms() -> SignedTerms {
    let signed = TransferAuthorization {
        from: EvmAddress([1; 20]),
        to: EvmAddress([2; 20]),
        value: "5000000".parse().unwrap(),
        valid_after: "0".parse().unwrap(),
        valid_before: "99".parse().unwrap(),
        nonce: [7; 32],
    };
    SignedTerms::of(
        &EvmToken { symbol: "USDT".to_owned(), address: EvmAddress([3; 20]), decimals: 18, method: EvmMethod::Permit2 },
        &signed,
    )
}

async fn order(topups: &Topups, accounts: &AccountService) -> OrderId {
    let account = accounts.create_account("payer", "test").await.unwrap().id;
    let amount = "5".parse().unwrap();
    topups.open(NewOrder { account, agent: None, rail: PaymentRail::X402, amount }).await.unwrap().id
}

async fn numbers_are_given_once(transaction: &mut StoreTransaction) {
    let given = [
        sql::next_nonce(transaction, NETWORK, RELAYER, 3).await.unwrap(),
        sql::next_nonce(transaction, NETWORK, RELAYER, 0).await.unwrap(),
        sql::next_nonce(transaction, NETWORK, RELAYER, 9).await.unwrap(),
        sql::next_nonce(transaction, "eip155:1", RELAYER, 0).await.unwrap(),
    ];
    assert_eq!(given, [(3, 1), (4, 1), (9, 1), (0, 1)], "each once, and none that the chain has already");
}

/// Of one payment that is on its way, for five nano-USD.
async fn fees_are_counted(transaction: &mut StoreTransaction, payment: i64) {
    let fees = async |transaction: &mut StoreTransaction, network, since_ms| {
        sql::fees_in_vain(transaction, network, RELAYER, since_ms).await.unwrap().nanos()
    };
    assert_eq!(fees(transaction, NETWORK, i64::MAX).await, 5, "whenever it was claimed");
    assert_eq!(fees(transaction, "eip155:1", 0).await, 0, "another chain");
    sql::set_fee(transaction, payment, Usd::from_nanos(8)).await.unwrap();
    assert_eq!(fees(transaction, NETWORK, 0).await, 8);
}

/// Of that payment, which is given up: its fee counts while our account may carry it, not by what another account has signed, and
/// goes back once no block has it.
async fn fees_of_what_is_given_up(topups: &Topups, new: &NewPayment, payment: i64) {
    let fee_after_giving_back = async |seen| {
        let mut transaction = topups.store.begin().await.unwrap();
        sql::seen(&mut transaction, payment, seen).await.unwrap();
        sql::give_fee_back(&mut transaction, payment).await.unwrap();
        sql::fees_in_vain(&mut transaction, NETWORK, RELAYER, 0).await.unwrap().nanos()
    };
    assert_eq!(fee_after_giving_back(None).await, 5, "it is on its way");
    let why = OrderFailure { code: "X402_PAYMENT_REJECTED".to_owned(), detail: "no block has taken it".to_owned() };
    topups.give_up(&new.source, &new.reference, &why).await.unwrap();
    for (relayer, fee) in [(RELAYER, 5), ("0xc1", 0)] {
        let mut transaction = topups.store.begin().await.unwrap();
        let counted = sql::fees_in_vain(&mut transaction, NETWORK, relayer, i64::MAX).await.unwrap();
        assert_eq!(counted.nanos(), fee, "{relayer}");
    }
    assert_eq!((fee_after_giving_back(Some(8)).await, fee_after_giving_back(None).await), (5, 0));
}

fn send(payment: i64, turn: i64) -> RelayerTransaction {
    RelayerTransaction {
        signed: SignedTransaction { raw: vec![1, 2], hash: [u8::try_from(turn).unwrap(); 32] },
        relayer: RELAYER.to_owned(),
        nonce: 3,
        turn,
        payment,
        gas: 90_000,
        fees: GasFees { most: 100, tip: 10 },
        signed_at_ms: 5,
    }
}

async fn what_is_kept_is_found_again(on: On) {
    let (clock, _) = Clock::manual(1_800_000_000_000);
    let (_folder, _, store) = temporary_on(on, &clock).await;
    let rail = RailConfig { enabled: true, ..RailConfig::default() };
    let topups = Topups::new(store.clone(), clock.clone(), Config { x402: rail, ..Config::default() });
    let order = order(&topups, &AccountService::new(store.clone(), clock.clone())).await;

    let mut transaction = store.begin().await.unwrap();
    let wish = AssetFilter { network: Some(NETWORK.to_owned()), symbol: None };
    sql::wish(&mut transaction, order, &wish, &[(NETWORK.to_owned(), 7)]).await.unwrap();
    numbers_are_given_once(&mut transaction).await;
    transaction.commit().await.unwrap();
    assert_eq!(sql::wished(store.readers(), order).await.unwrap(), wish);
    assert_eq!(sql::blocks(store.readers(), order).await.unwrap(), [(NETWORK.to_owned(), 7)]);

    let new = NewPayment {
        source: NETWORK.to_owned(),
        reference: "a/b/c".to_owned(),
        asset: "0xa0".to_owned(),
        amount: "5000000".to_owned(),
        payer: None,
        receipt: None,
    };
    let claimed = topups.claim(order, &new, async |transaction, payment| {
        sql::keep(transaction, payment.id, NETWORK, 7, &terms(), &[9], Some(Usd::from_nanos(5))).await?;
        Ok(sql::signed(transaction, NETWORK, &send(payment.id, 1)).await?)
    });
    let payment = claimed.await.unwrap().payment.id;
    fees_are_counted(&mut store.begin().await.unwrap(), payment).await;
    let kept = sql::kept(store.readers(), payment).await.unwrap().unwrap();
    assert_eq!((kept.order, kept.terms, kept.call, kept.since_block), (order, terms(), vec![9], 7));
    assert_eq!(sql::open_after(store.readers(), NETWORK, 0).await.unwrap().len(), 1);
    assert!(!sql::seen_of(store.readers(), order).await.unwrap());
    let given = async |relayer| sql::given(store.readers(), NETWORK, relayer).await.unwrap();
    assert_eq!((given(RELAYER).await, given("0xc1").await), (Some(10), None), "what comes after 9");
    let taken = async |reference| sql::taken(store.readers(), NETWORK, reference).await.unwrap();
    assert_eq!(taken("a/b/c").await.map(|taken| taken.order), Some(order));
    assert!(taken("a/b/d").await.is_none());

    let mut transaction = store.begin().await.unwrap();
    sql::signed(&mut transaction, NETWORK, &send(payment, 2)).await.unwrap();
    sql::seen(&mut transaction, payment, Some(8)).await.unwrap();
    assert_eq!(sql::done(&mut transaction, NETWORK, RELAYER, 4).await.unwrap(), 0, "its payment is open");
    transaction.commit().await.unwrap();
    let sends = sql::sends_of(store.readers(), payment).await.unwrap();
    assert_eq!(sends.iter().map(|send| (send.turn, send.fees.most)).collect::<Vec<_>>(), [(1, 100), (2, 100)]);
    assert!(sql::seen_of(store.readers(), order).await.unwrap());

    fees_of_what_is_given_up(&topups, &new, payment).await;

    let mut transaction = store.begin().await.unwrap();
    for is_first in [true, false] {
        assert_eq!(sql::unseen(&mut transaction, payment).await.unwrap(), is_first);
        assert_eq!(sql::close(&mut transaction, payment).await.unwrap(), is_first);
    }
    assert_eq!(sql::done(&mut transaction, NETWORK, RELAYER, 3).await.unwrap(), 0, "their number is not used up");
    assert_eq!(sql::done(&mut transaction, NETWORK, RELAYER, 4).await.unwrap(), 2);
    transaction.commit().await.unwrap();
    assert!(sql::sends_open(store.readers(), NETWORK, RELAYER, 0).await.unwrap().is_empty());
    assert!(sql::open_after(store.readers(), NETWORK, 0).await.unwrap().is_empty());
}

/// Of a payment that was credited by the first of two numbers, both are found for as long as they count.
async fn numbers_of_credited_payments_are_found(on: On) {
    let now_ms = 1_800_000_000_000;
    let (clock, _) = Clock::manual(now_ms);
    let (_folder, _, store) = temporary_on(on, &clock).await;
    let rail = RailConfig { enabled: true, ..RailConfig::default() };
    let topups = Topups::new(store.clone(), clock.clone(), Config { x402: rail, ..Config::default() });
    let accounts = AccountService::new(store.clone(), clock.clone());
    let account = accounts.create_account("payer", "test").await.unwrap().id;
    // The second payment has one number.
    for (reference, numbers) in [("a", &[3, 4][..]), ("b", &[5])] {
        let amount = "5".parse().unwrap();
        let order = topups.open(NewOrder { account, agent: None, rail: PaymentRail::X402, amount }).await.unwrap().id;
        let text = || reference.to_owned();
        let receipt = super::terms::hex(&[u8::try_from(numbers[0]).unwrap(); 32]);
        let new = NewPayment {
            source: NETWORK.to_owned(),
            reference: text(),
            asset: text(),
            amount: text(),
            payer: None,
            receipt: None,
        };
        let claimed = topups.claim(order, &new, async |transaction, payment| {
            sql::keep(transaction, payment.id, NETWORK, 7, &terms(), &[9], None).await?;
            for nonce in numbers {
                let (nonce, turn) = sql::next_nonce(transaction, NETWORK, RELAYER, *nonce).await?;
                let signed = SignedTransaction { raw: vec![1], hash: [u8::try_from(nonce).unwrap(); 32] };
                let (relayer, fees) = (RELAYER.to_owned(), GasFees { most: 100, tip: 10 });
                let (payment, gas, signed_at_ms) = (payment.id, 90_000, 5);
                let send = RelayerTransaction { signed, relayer, nonce, turn, payment, gas, fees, signed_at_ms };
                sql::signed(transaction, NETWORK, &send).await?;
            }
            Ok(())
        });
        claimed.await.unwrap();
        let payment = NewPayment { receipt: Some(receipt), ..new };
        topups.credit(&ConfirmedPayment { order, payment }).await.unwrap();
    }
    let mut transaction = store.begin().await.unwrap();
    let mut found = async |relayer, since_ms| {
        let found = sql::sends_beside(&mut transaction, NETWORK, relayer, since_ms).await.unwrap();
        found.into_iter().map(|(send, receipt)| (send.nonce, receipt.unwrap())).collect::<Vec<_>>()
    };
    let receipt = super::terms::hex(&[3; 32]);
    assert_eq!(found(RELAYER, now_ms - 1).await, [(3, receipt.clone()), (4, receipt)]);
    assert!(found(RELAYER, now_ms).await.is_empty(), "too long ago");
    assert!(found("0xc1", 0).await.is_empty(), "another account's");
}

on_both!(what_is_kept_is_found_again, numbers_of_credited_payments_are_found);
