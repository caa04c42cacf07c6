//! Credit given by hand.

use super::*;

fn grant(account: AccountId, amount: &str, idem: &'static str) -> GrantRequest<'static> {
    GrantRequest { account, amount: usd(amount), idem, actor: "test".into(), note: "welcome" }
}

async fn the_same_grant_twice_is_one_grant(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "0").await;
    let first = house.credit.grant(grant(account, "5", "one")).await.unwrap();
    house.hand.advance_ms(1_000);
    let again = house.credit.grant(grant(account, "5", "one")).await.unwrap();
    assert_eq!(again, PostedGrant { repeated: true, ..first });
    assert_eq!(house.money(account).await.0, usd("5"));
    house.credit.grant(grant(account, "5", "two")).await.unwrap();
    assert_eq!(house.money(account).await.0, usd("10"));
    let report = house.credit.audit().await.unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!((report.posted, report.house["promo"]), (10_000_000_000, -10_000_000_000));
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM audit_log WHERE action = 'credit.grant'").await, 2);
}

async fn a_key_that_was_used_for_something_else_is_a_conflict(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "0").await, house.account(2, "0").await);
    let first = house.credit.grant(grant(account, "5", "one")).await.unwrap();
    let others = [
        grant(account, "6", "one"),
        grant(other, "5", "one"),
        GrantRequest { note: "another", ..grant(account, "5", "one") },
    ];
    for ask in others {
        match house.credit.grant(ask).await {
            Err(GrantRefused::Conflict(earlier)) => assert_eq!(earlier.transfer, first.transfer),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((house.money(account).await.0, house.money(other).await.0), (usd("5"), Usd::ZERO));
}

async fn what_cannot_be_granted_is_refused(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    for amount in ["0", "-1", "1000000000.000000001"] {
        assert!(matches!(house.credit.grant(grant(account, amount, "x")).await, Err(GrantRefused::AmountOutOfRange)));
    }
    assert!(
        matches!(house.credit.grant(grant(account, "1000000000", "x")).await, Err(GrantRefused::AmountOutOfRange)),
        "with the 1 that is there"
    );
    assert!(
        matches!(house.credit.grant(grant(AccountId(2), "1", "x")).await, Err(GrantRefused::NoSuchAccount)),
        "the house's own accounts have no balance"
    );
    assert!(matches!(house.credit.grant(grant(account, "1", "")).await, Err(GrantRefused::TextOutOfRange)));
    assert!(matches!(house.credit.balance(AccountId(77)).await, Err(LedgerStoreError::NoSuchAccount)));
}

async fn of_20_equal_grants_at_once_one_is_made(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "0").await;
    let answers =
        futures_util::future::join_all((0..20).map(|_| house.credit.grant(grant(account, "5", "race")))).await;
    assert_eq!(answers.iter().filter(|answer| !answer.as_ref().unwrap().repeated).count(), 1);
    assert_eq!(house.money(account).await.0, usd("5"));
}

on_both!(
    the_same_grant_twice_is_one_grant,
    a_key_that_was_used_for_something_else_is_a_conflict,
    what_cannot_be_granted_is_refused,
    of_20_equal_grants_at_once_one_is_made,
);
