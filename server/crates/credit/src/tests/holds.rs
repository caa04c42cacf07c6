//! Taking holds: what is granted and each way to be refused.

use super::*;

async fn a_hold_is_on_the_books_when_it_is_answered(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "2").await;
    let ask = house.ask(account, "0.5");
    let hold = house.credit.hold(ask.clone()).await.unwrap();
    assert_eq!((hold.account(), hold.amount(), hold.request()), (account, usd("0.5"), ask.request));
    assert_eq!(house.money(account).await, (usd("2"), usd("0.5")));
    let receipt = house.credit.receipt(account, ask.request).await.unwrap().unwrap();
    let HoldRequest { request, key, model, stream, tags, price, expires_at_ms, .. } = ask;
    let held = usd("0.5");
    assert_eq!(
        receipt,
        Receipt {
            request,
            account,
            key,
            model,
            stream,
            tags,
            price,
            held,
            created_at_ms: START_MS,
            expires_at_ms,
            outcome: None
        }
    );
}

async fn less_than_wanted_is_granted_but_not_less_than_is_of_use(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let partly = HoldRequest { least: usd("0.25"), ..house.ask(account, "5") };
    let hold = house.credit.hold(partly).await.unwrap();
    assert_eq!(hold.amount(), usd("1"));
}

async fn each_refusal_says_what_there_is(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let refused = async |ask| house.credit.hold(ask).await.unwrap_err();
    let (needed, available, held) = (usd("1.000000001"), usd("1"), Usd::ZERO);
    assert_eq!(refused(house.ask(account, "1.000000001")).await, HoldRefused::Insufficient { needed, available, held });

    let other = house.hold(account, "0.75").await;
    let (available, held) = (usd("0.25"), usd("0.75"));
    assert_eq!(refused(house.ask(account, "1")).await, HoldRefused::TiedUp { needed: usd("1"), available, held });
    assert_eq!(
        refused(house.ask(account, "1.5")).await,
        HoldRefused::Insufficient { needed: usd("1.5"), available, held }
    );

    assert_eq!(refused(house.ask(AccountId(9), "0")).await, HoldRefused::NoSuchAccount);
    assert_eq!(
        refused(HoldRequest { request: other.request(), ..house.ask(account, "0.1") }).await,
        HoldRefused::Duplicate
    );
    let contradictory = [
        HoldRequest { least: usd("0.2"), ..house.ask(account, "0.1") },
        HoldRequest { least: usd("-0.1"), ..house.ask(account, "0.1") },
        HoldRequest { expires_at_ms: START_MS, ..house.ask(account, "0.1") },
        HoldRequest { model: "m".repeat(257), ..house.ask(account, "0.1") },
    ];
    for ask in contradictory {
        assert!(matches!(refused(ask).await, HoldRefused::Invalid(_)));
    }
    assert_eq!(house.money(account).await, (usd("1"), usd("0.75")), "refusals change nothing");
    drop(other);
    house.settled_down().await;
    house.assert_clean().await;
}

async fn a_request_holds_once_also_after_it_has_ended(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "1").await, house.account(2, "1").await);
    let ask = house.ask(account, "0.5");
    let hold = house.credit.hold(ask.clone()).await.unwrap();
    house.credit.settle(hold, settlement("0.5")).await.unwrap();
    assert_eq!(house.credit.hold(ask.clone()).await.unwrap_err(), HoldRefused::Duplicate);
    let stolen = HoldRequest { account: other, ..ask };
    assert_eq!(house.credit.hold(stolen).await.unwrap_err(), HoldRefused::Duplicate);
}

async fn a_free_model_is_held_and_receipted_like_any_other(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "0").await;
    let hold = house.hold(account, "0").await;
    let request = hold.request();
    assert_eq!(
        house.credit.settle(hold, settlement("0")).await.unwrap(),
        SettledAmounts { charged: Usd::ZERO, shortfall: Usd::ZERO }
    );
    let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
    assert_eq!((outcome.resolved, outcome.charged), (ResolutionKind::Settled, Usd::ZERO));
    house.assert_clean().await;
}

async fn one_bad_operation_does_not_fail_its_neighbours(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "100").await;
    let used = house.hold(account, "0.1").await;
    // Queued together, so that they share a batch: among many good ones, some that the database refuses.
    let asks = (0..200).map(|index| match index % 20 {
        7 => HoldRequest { request: used.request(), ..house.ask(account, "0.1") },
        _ => house.ask(account, "0.1"),
    });
    let answers = futures_util::future::join_all(asks.map(|ask| house.credit.hold(ask))).await;
    for (index, answer) in answers.iter().enumerate() {
        match answer {
            Ok(hold) => assert!(index % 20 != 7 && hold.amount() == usd("0.1")),
            Err(refused) => assert!(index % 20 == 7 && *refused == HoldRefused::Duplicate, "{index}: {refused}"),
        }
    }
    assert_eq!(house.money(account).await.1, usd("19.1"));
    house.assert_clean().await;
}

on_both!(
    a_hold_is_on_the_books_when_it_is_answered,
    less_than_wanted_is_granted_but_not_less_than_is_of_use,
    each_refusal_says_what_there_is,
    a_request_holds_once_also_after_it_has_ended,
    a_free_model_is_held_and_receipted_like_any_other,
    one_bad_operation_does_not_fail_its_neighbours,
);
