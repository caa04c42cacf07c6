//! How holds end: settled, released, dropped, expired, or found by the next start.

use std::time::Duration;

use super::*;
use crate::hold::{ResolveHold, WriterOperation};
use crate::hold_ending::HoldEnding;

async fn the_charge_is_exact_and_the_receipt_says_why(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "2").await;
    let hold = house.hold(account, "0.5").await;
    let request = hold.request();
    house.hand.advance_ms(1_500);
    let settled = house.credit.settle(hold, settlement("0.123456789")).await.unwrap();
    assert_eq!(settled, SettledAmounts { charged: usd("0.123456789"), shortfall: Usd::ZERO });
    assert_eq!(house.money(account).await, (usd("1.876543211"), Usd::ZERO));
    let receipt = house.credit.receipt(account, request).await.unwrap().unwrap();
    let Settlement { rule, usage, delivery, .. } = settlement("0");
    let expected = HoldOutcome {
        resolved: ResolutionKind::Settled,
        charged: usd("0.123456789"),
        shortfall: Usd::ZERO,
        rule,
        usage: Some(usage),
        delivery,
        fallback: None,
        tier: None,
        services: ServiceCharges::default(),
        resolved_at_ms: START_MS + 1_500,
    };
    assert_eq!(receipt.outcome, Some(expected));
    assert_eq!(receipt.held, usd("0.5"));
    house.assert_clean().await;
}

async fn a_receipt_is_its_owners_alone(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "2").await, house.account(2, "2").await);
    let hold = house.hold(account, "0.5").await;
    assert!(house.credit.receipt(account, hold.request()).await.unwrap().is_some());
    assert_eq!(house.credit.receipt(other, hold.request()).await.unwrap(), None);
    assert_eq!(house.credit.receipt(account, RequestId::mint(1)).await.unwrap(), None);
}

async fn an_overrun_takes_what_is_free_and_books_the_rest_as_shortfall(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let (small, other) = (house.hold(account, "0.1").await, house.hold(account, "0.3").await);
    let request = small.request();
    // 1 posted, 0.4 held: the hold's own 0.1 and the free 0.6 can be taken, the other's 0.3 cannot.
    let settled = house.credit.settle(small, settlement("5")).await.unwrap();
    assert_eq!(settled, SettledAmounts { charged: usd("0.7"), shortfall: usd("4.3") });
    assert_eq!(house.money(account).await, (usd("0.3"), usd("0.3")));
    let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
    assert_eq!((outcome.charged, outcome.shortfall), (usd("0.7"), usd("4.3")));
    assert_eq!(house.credit.settle(other, settlement("9")).await.unwrap().charged, usd("0.3"));
    assert_eq!(house.money(account).await, (Usd::ZERO, Usd::ZERO));
    let report = house.credit.audit().await.unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.totals.shortfall, 13_000_000_000);
}

async fn a_release_gives_everything_back_and_leaves_a_receipt(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "1").await;
    let request = hold.request();
    let delivery = UpstreamDelivery { upstream: Some("second".to_owned()), ..UpstreamDelivery::default() };
    house.credit.release(hold, SettlementRule::NothingDelivered, delivery.clone()).await.unwrap();
    assert_eq!(house.money(account).await, (usd("1"), Usd::ZERO));
    let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
    assert_eq!(
        (outcome.resolved, outcome.rule, outcome.usage),
        (ResolutionKind::Released, SettlementRule::NothingDelivered, None)
    );
    assert_eq!(outcome.delivery, delivery);
    house.assert_clean().await;
}

async fn a_nul_in_a_text_fails_no_batch(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let price = TokenPrices { version: "v\0".to_owned(), ..price() };
    let ask = HoldRequest { model: "a\0b".to_owned(), price, ..house.ask(account, "1") };
    let hold = house.credit.hold(ask).await.unwrap();
    let text = || Some("second\0".to_owned());
    let delivery = UpstreamDelivery { upstream: text(), upstream_model: text(), ..UpstreamDelivery::default() };
    house.credit.release(hold, SettlementRule::NothingDelivered, delivery).await.unwrap();
    assert_eq!(house.money(account).await, (usd("1"), Usd::ZERO));
    house.assert_clean().await;
}

async fn absurd_settlements_give_the_hold_back_untouched(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let mut hold = house.hold(account, "0.5").await;
    let absurd = [
        Settlement { cost: usd("-0.1"), ..settlement("0") },
        Settlement { usage: BilledUsage { cached: 3, prompt: 2, ..MUCH }, ..settlement("0.1") },
        Settlement { usage: BilledUsage { completion: u64::MAX, ..MUCH }, ..settlement("0.1") },
    ];
    for settlement in absurd {
        hold = match house.credit.settle(hold, settlement).await {
            Err(SettleFailed::Absurd(hold)) => *hold,
            other => panic!("{other:?}"),
        };
    }
    assert_eq!(house.money(account).await, (usd("1"), usd("0.5")));
    assert_eq!(house.credit.settle(hold, settlement("0.2")).await.unwrap().charged, usd("0.2"));
}

async fn a_dropped_hold_comes_back(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "1").await;
    let request = hold.request();
    drop(hold);
    house.settled_down().await;
    assert_eq!(house.money(account).await, (usd("1"), Usd::ZERO));
    let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
    assert_eq!((outcome.resolved, outcome.rule), (ResolutionKind::Released, SettlementRule::NotRecorded));
}

async fn a_caller_that_stops_waiting_holds_nothing(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1000").await;
    for patience in 0..60 {
        let ask = house.ask(account, "1");
        drop(tokio::time::timeout(Duration::from_micros(patience * 20), house.credit.hold(ask)).await);
    }
    let last = house.hold(account, "1").await;
    house.credit.release(last, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    house.settled_down().await;
    assert_eq!(house.money(account).await, (usd("1000"), Usd::ZERO));
    house.assert_clean().await;
}

async fn a_caller_that_stops_waiting_does_not_stop_a_charge(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "0.5").await;
    let mut charge = Box::pin(house.credit.settle(hold, settlement("0.5")));
    assert!(futures_util::poll!(charge.as_mut()).is_pending());
    drop(charge);
    house.settled_down().await;
    assert_eq!(house.money(account).await, (usd("0.5"), Usd::ZERO));
}

async fn an_orphaned_hold_expires_at_its_time_and_never_before(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "0.5").await;
    let request = hold.request();
    hold.orphan();
    house.hand.advance_ms(59_999);
    assert_eq!(house.credit.sweep().await.unwrap(), 0);
    assert_eq!(house.money(account).await.1, usd("0.5"));
    house.hand.advance_ms(1);
    assert_eq!(house.credit.sweep().await.unwrap(), 1);
    assert_eq!(house.money(account).await, (usd("1"), Usd::ZERO));
    assert_eq!(house.credit.sweep().await.unwrap(), 0, "once");
    let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
    assert_eq!((outcome.rule, outcome.resolved_at_ms), (SettlementRule::NotRecorded, START_MS + 60_000));
    house.assert_clean().await;
}

async fn a_clock_that_is_set_back_after_the_sweep_looked_expires_nothing(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    house.hold(account, "0.5").await.orphan();
    house.hand.advance_ms(60_000);
    let mut sweep = Box::pin(house.credit.sweep());
    assert!(futures_util::poll!(sweep.as_mut()).is_pending(), "it has looked at the clock");
    house.hand.advance_ms(-30_000);
    assert_eq!(sweep.await.unwrap(), 0);
    assert_eq!(house.money(account).await, (usd("1"), usd("0.5")));
}

/// The clock is set forward by a day while requests are under way: theirs is not the time that is over.
async fn a_clock_that_jumps_ahead_ends_no_hold_that_is_in_hand(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1000").await;
    let mut holds = Vec::new();
    for _ in 0..300 {
        holds.push(house.hold(account, "1").await);
    }
    house.hand.advance_ms(1);
    // Younger than more holds in hand than one sweep takes: they must not hide it.
    house.hold(account, "1").await.orphan();
    house.hand.advance_ms(86_400_000);
    assert_eq!(house.credit.sweep().await.unwrap(), 1, "only the orphan");
    assert_eq!(house.credit.sweep().await.unwrap(), 0);
    for hold in holds {
        assert_eq!(house.credit.settle(hold, settlement("0.5")).await.unwrap().charged, usd("0.5"));
    }
    assert_eq!(house.money(account).await, (usd("850"), Usd::ZERO));
    house.assert_clean().await;
}

/// The sweeper may have looked before the hold was in hand; the writer looks again.
async fn a_sweep_that_names_a_hold_in_hand_is_refused_by_the_writer(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "0.5").await;
    house.hand.advance_ms(86_400_000);
    let ending = HoldEnding { if_expired: true, ..HoldEnding::release(SettlementRule::NotRecorded) };
    let (answer, answered) = tokio::sync::oneshot::channel();
    let sweep = WriterOperation::Resolve(ResolveHold::new(hold.id(), account, ending, Some(answer)));
    house.credit.queue.ends.send(sweep).unwrap();
    assert!(matches!(answered.await.unwrap(), Err(SettleFailed::AlreadyResolved)));
    assert_eq!(house.credit.settle(hold, settlement("0.5")).await.unwrap().charged, usd("0.5"));
}

async fn the_sweeper_sweeps_by_itself(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    house.hold(account, "0.5").await.orphan();
    house.hand.advance_ms(60_000);
    house.settled_down().await;
    assert_eq!(house.money(account).await, (usd("1"), Usd::ZERO));
}

async fn the_next_start_gives_back_what_a_crash_left_and_keeps_what_was_settled(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "3").await;
    let paid = house.hold(account, "1").await;
    house.credit.settle(paid, settlement("0.75")).await.unwrap();
    let lost = house.hold(account, "1").await;
    let request = lost.request();
    std::mem::forget(lost);
    let house = house.crash().await;
    assert_eq!(house.money(account).await, (usd("2.25"), Usd::ZERO));
    let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
    assert_eq!(
        (outcome.resolved, outcome.rule, outcome.charged),
        (ResolutionKind::Released, SettlementRule::Crashed, Usd::ZERO)
    );
    for (of, starts) in [("", 2), (" WHERE state = 'up'", 1)] {
        assert_eq!(raw::number(&house.store, &format!("SELECT count(*) FROM nodes{of}")).await, starts);
    }
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM nodes WHERE state = 'gone'").await, 1);
    house.assert_clean().await;
}

async fn a_shutdown_answers_what_is_queued_and_refuses_what_comes_after(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "10").await;
    let hold = house.hold(account, "1").await;
    let asks: Vec<_> = (0..5).map(|_| house.ask(account, "1")).collect();
    let mut waiting = Box::pin(futures_util::future::join_all(asks.into_iter().map(|ask| house.credit.hold(ask))));
    assert!(futures_util::poll!(waiting.as_mut()).is_pending());
    let mut charge = Box::pin(house.credit.settle(hold, settlement("1")));
    assert!(futures_util::poll!(charge.as_mut()).is_pending());
    let ask = house.ask(account, "1");
    assert_eq!(house.worker.shutdown().await, WriterEnd::Drained);
    assert_eq!(charge.await.unwrap().charged, usd("1"));
    for held in waiting.await {
        let late = house.credit.settle(held.unwrap(), settlement("1")).await;
        assert!(matches!(late, Err(SettleFailed::Unavailable)), "left to the next start");
    }
    assert_eq!(house.credit.hold(ask).await.unwrap_err(), HoldRefused::Unavailable);
    assert_eq!(house.credit.balance(account).await.unwrap().posted, usd("9"), "the books can still be read");
}

on_both!(
    the_charge_is_exact_and_the_receipt_says_why,
    a_receipt_is_its_owners_alone,
    an_overrun_takes_what_is_free_and_books_the_rest_as_shortfall,
    a_release_gives_everything_back_and_leaves_a_receipt,
    a_nul_in_a_text_fails_no_batch,
    absurd_settlements_give_the_hold_back_untouched,
    a_dropped_hold_comes_back,
    a_caller_that_stops_waiting_holds_nothing,
    a_caller_that_stops_waiting_does_not_stop_a_charge,
    an_orphaned_hold_expires_at_its_time_and_never_before,
    a_clock_that_is_set_back_after_the_sweep_looked_expires_nothing,
    a_clock_that_jumps_ahead_ends_no_hold_that_is_in_hand,
    a_sweep_that_names_a_hold_in_hand_is_refused_by_the_writer,
    the_sweeper_sweeps_by_itself,
    the_next_start_gives_back_what_a_crash_left_and_keeps_what_was_settled,
    a_shutdown_answers_what_is_queued_and_refuses_what_comes_after,
);
