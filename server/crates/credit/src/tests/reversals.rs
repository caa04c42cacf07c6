//! Credit that is taken back, and debts.

use super::*;

fn take(account: AccountId, amount: &str, idem: &'static str) -> TakeBackRequest<'static> {
    TakeBackRequest { account, amount: usd(amount), debt: false, idem, actor: "test".into(), reason: "a mistake" }
}

fn owe(account: AccountId, amount: &str, idem: &'static str) -> TakeBackRequest<'static> {
    TakeBackRequest { debt: true, ..take(account, amount, idem) }
}

fn grant(account: AccountId, amount: &str, idem: &'static str) -> GrantRequest<'static> {
    GrantRequest { account, amount: usd(amount), idem, actor: "test".into(), note: "" }
}

/// The paid part of each debt, the oldest first.
async fn collected(house: &TestLedger) -> Vec<String> {
    raw::texts(&house.store, "SELECT CAST(collected AS TEXT) FROM reversals WHERE debt > 0 ORDER BY id").await
}

async fn what_is_there_is_taken_once_per_key(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "5").await;
    let first = house.credit.take(take(account, "2", "one")).await.unwrap();
    assert_eq!((first.taken, first.debt, first.left()), (usd("2"), Usd::ZERO, Usd::ZERO));
    house.hand.advance_ms(1_000);
    let again = house.credit.take(take(account, "2", "one")).await.unwrap();
    assert_eq!(again, Reversal { repeated: true, ..first });
    assert_eq!(house.money(account).await.0, usd("3"));
    // What is not there is told, and left.
    let rest = house.credit.take(take(account, "10", "two")).await.unwrap();
    assert_eq!((rest.taken, rest.debt, rest.left()), (usd("3"), Usd::ZERO, usd("7")));
    let nothing = house.credit.take(take(account, "1", "three")).await.unwrap();
    assert_eq!((nothing.taken, nothing.left()), (Usd::ZERO, usd("1")));
    assert_eq!(house.credit.take(take(account, "1", "three")).await.unwrap(), Reversal { repeated: true, ..nothing });
    assert_eq!((house.money(account).await.0, house.credit.debt(account).await.unwrap()), (Usd::ZERO, Usd::ZERO));
    let report = house.credit.audit().await.unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!((report.house["promo"], report.house["debts"]), (0, 0));
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM audit_log WHERE action = 'credit.take'").await, 3);
}

async fn a_key_of_something_else_and_what_is_out_of_range_are_refused(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "1").await, house.account(2, "1").await);
    let first = house.credit.take(take(account, "2", "one")).await.unwrap();
    let others = [
        take(account, "3", "one"),
        take(other, "2", "one"),
        owe(account, "2", "one"),
        TakeBackRequest { reason: "another", ..take(account, "2", "one") },
    ];
    for ask in others {
        match house.credit.take(ask).await {
            Err(ReversalRefused::Conflict(earlier)) => assert_eq!(earlier.id, first.id),
            other => panic!("{other:?}"),
        }
    }
    for amount in ["0", "-1", "1000000000.000000001"] {
        let refused = house.credit.take(take(other, amount, "x")).await;
        assert!(matches!(refused, Err(ReversalRefused::AmountOutOfRange)), "{amount}");
    }
    let long = "x".repeat(501);
    for reason in ["", long.as_str()] {
        let ask = TakeBackRequest { reason, ..take(other, "1", "x") };
        assert!(matches!(house.credit.take(ask).await, Err(ReversalRefused::TextOutOfRange)));
    }
    assert!(matches!(house.credit.take(take(other, "1", "")).await, Err(ReversalRefused::TextOutOfRange)));
    assert!(matches!(house.credit.take(take(AccountId(2), "1", "x")).await, Err(ReversalRefused::NoSuchAccount)));
    house.credit.take(owe(account, "1000000000", "much")).await.unwrap();
    match house.credit.take(owe(account, "0.000000001", "more")).await {
        Err(ReversalRefused::DebtOutOfRange { owed }) => assert_eq!(owed, usd("1000000000")),
        other => panic!("{other:?}"),
    }
    assert_eq!(house.money(other).await.0, usd("1"));
    house.assert_clean().await;
}

async fn debts_are_paid_by_the_next_credits_the_oldest_first(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "1").await, house.account(2, "0").await);
    let first = house.credit.take(owe(account, "4", "one")).await.unwrap();
    assert_eq!((first.taken, first.debt, first.left()), (usd("1"), usd("3"), Usd::ZERO));
    house.credit.take(owe(account, "2", "two")).await.unwrap();
    assert_eq!(house.credit.debt(account).await.unwrap(), usd("5"));
    let report = house.credit.audit().await.unwrap();
    assert_eq!((report.is_clean(), report.house["debts"]), (true, -5_000_000_000), "{report}");

    // Another's credit pays nothing of it.
    assert_eq!(house.credit.grant(grant(other, "1", "other")).await.unwrap().debt_paid, Usd::ZERO);
    let paid = house.credit.grant(grant(account, "2", "a")).await.unwrap();
    assert_eq!((paid.debt_paid, collected(&house).await), (usd("2"), vec!["2000000000".to_owned(), "0".to_owned()]));
    let paid = house.credit.grant(grant(account, "2", "b")).await.unwrap();
    assert_eq!(paid.debt_paid, usd("2"));
    assert_eq!(collected(&house).await, ["3000000000", "1000000000"]);
    assert_eq!(house.money(account).await.0, Usd::ZERO);
    let paid = house.credit.grant(grant(account, "7", "c")).await.unwrap();
    assert_eq!((paid.debt_paid, house.money(account).await.0), (usd("1"), usd("6")));
    // It is told again to whoever asks again.
    assert_eq!(house.credit.grant(grant(account, "7", "c")).await.unwrap(), PostedGrant { repeated: true, ..paid });
    assert_eq!(house.credit.grant(grant(account, "1", "d")).await.unwrap().debt_paid, Usd::ZERO);
    assert_eq!(house.credit.debt(account).await.unwrap(), Usd::ZERO);
    let told =
        "SELECT count(*) FROM audit_log WHERE action = 'credit.grant' AND detail LIKE '7 USD, 1 of it for debts,%'";
    assert_eq!(raw::number(&house.store, told).await, 1);
    let report = house.credit.audit().await.unwrap();
    assert_eq!((report.is_clean(), report.house["debts"], report.posted), (true, 0, 8_000_000_000), "{report}");
}

/// Held money is not touched; given back, it pays what was owed meanwhile, though no credit comes.
async fn what_is_held_is_not_taken_and_pays_the_debt_when_it_is_back(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let hold = house.hold(account, "0.75").await;
    let taken = house.credit.take(owe(account, "1", "one")).await.unwrap();
    assert_eq!((taken.taken, taken.debt), (usd("0.25"), usd("0.75")));
    assert_eq!(house.money(account).await, (usd("0.75"), usd("0.75")));
    assert_eq!(house.credit.collect_debts().await.unwrap(), Usd::ZERO);
    house.credit.settle(hold, settlement("0.5")).await.unwrap();
    // The server looks for it too, so that one of the two does it.
    house.credit.collect_debts().await.unwrap();
    assert_eq!((house.money(account).await.0, house.credit.debt(account).await.unwrap()), (Usd::ZERO, usd("0.5")));
    assert_eq!(house.credit.grant(grant(account, "1", "a")).await.unwrap().debt_paid, usd("0.5"));
    house.assert_clean().await;
}

async fn of_20_equal_takings_at_once_one_is_made(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "3").await;
    let answers = futures_util::future::join_all((0..20).map(|_| house.credit.take(owe(account, "5", "race")))).await;
    assert_eq!(answers.iter().filter(|answer| !answer.as_ref().unwrap().repeated).count(), 1);
    assert_eq!((house.money(account).await.0, house.credit.debt(account).await.unwrap()), (Usd::ZERO, usd("2")));
    house.assert_clean().await;
}

/// Takings beside requests: each takes what no request holds at its moment, and none fails for the others.
async fn takings_and_requests_do_not_take_the_same_money(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "20").await;
    let requests = async {
        let mut charged = 0;
        for _ in 0..60 {
            let Ok(hold) = house.credit.hold(house.ask(account, "0.5")).await else { continue };
            charged += i64::from(house.credit.settle(hold, settlement("0.1")).await.is_ok());
        }
        charged
    };
    let takings = async {
        let mut taken = Usd::ZERO;
        for number in 0..30 {
            let idem = format!("{number}");
            let ask = TakeBackRequest { amount: usd("1"), idem: &idem, ..take(account, "1", "") };
            let reversal = house.credit.take(ask).await.unwrap();
            taken = taken.checked_add(reversal.taken).unwrap();
        }
        taken
    };
    let (charged, taken) = tokio::join!(requests, takings);
    house.holds_nothing(account).await;
    let left = usd("20").nanos() - taken.nanos() - charged * usd("0.1").nanos();
    assert_eq!(house.money(account).await.0, Usd::from_nanos(left));
    house.assert_clean().await;
}

on_both!(
    what_is_there_is_taken_once_per_key,
    a_key_of_something_else_and_what_is_out_of_range_are_refused,
    debts_are_paid_by_the_next_credits_the_oldest_first,
    what_is_held_is_not_taken_and_pays_the_debt_when_it_is_back,
    of_20_equal_takings_at_once_one_is_made,
    takings_and_requests_do_not_take_the_same_money,
);
