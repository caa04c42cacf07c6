//! Many at once for too little.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::*;

async fn of_64_racers_as_many_win_as_there_is_money_for(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    for (round, winners) in [0_u32, 1, 10, 63, 64].into_iter().enumerate() {
        let account = house.account(i64::try_from(round).unwrap(), &(winners * 100).to_string()).await;
        let mut racers = JoinSet::new();
        for _ in 0..64 {
            let house = house.clone();
            racers.spawn(async move { house.credit.hold(house.ask(account, "100")).await });
        }
        let (won, lost): (Vec<_>, Vec<_>) = racers.join_all().await.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), usize::try_from(winners).unwrap());
        for refused in lost {
            match refused.unwrap_err() {
                HoldRefused::TiedUp { .. } => assert!(winners > 0),
                HoldRefused::Insufficient { .. } => assert_eq!(winners, 0),
                other => panic!("{other}"),
            }
        }
        let mut payers = JoinSet::new();
        for hold in won {
            let house = house.clone();
            payers.spawn(async move { house.credit.settle(hold.unwrap(), settlement("100")).await.unwrap().charged });
        }
        assert!(payers.join_all().await.into_iter().all(|charged| charged == usd("100")));
        assert_eq!(house.money(account).await, (Usd::ZERO, Usd::ZERO));
    }
    house.assert_clean().await;
}

async fn a_thousand_at_once_on_one_account_and_the_sum_is_exact(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    let account = house.account(1, "37").await;
    let mut racers = JoinSet::new();
    for index in 0..1_000_u32 {
        let house = house.clone();
        racers.spawn(async move {
            let hold = house.credit.hold(house.ask(account, "1")).await.ok()?;
            // Holds that end free money for racers behind them; some cost more than they held.
            let cost = if index % 3 == 0 { "1.5" } else { "0.25" };
            Some(house.credit.settle(hold, settlement(cost)).await.unwrap().charged.nanos())
        });
    }
    let charged: i64 = racers.join_all().await.into_iter().flatten().sum();
    let (posted, held) = house.money(account).await;
    assert_eq!((posted.nanos(), held), (37_000_000_000 - charged, Usd::ZERO));
    assert!(posted >= Usd::ZERO);
    house.assert_clean().await;
}

async fn a_settlement_never_loses_to_the_sweeper(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    let account = house.account(1, "100").await;
    let mut holds = Vec::new();
    for _ in 0..50 {
        holds.push(house.hold(account, "1").await);
    }
    house.hand.advance_ms(60_000);
    let mut racers = JoinSet::new();
    for (index, hold) in holds.into_iter().enumerate() {
        let house = house.clone();
        racers.spawn(async move {
            if index % 7 == 0 {
                house.credit.sweep().await.unwrap();
            }
            house.credit.settle(hold, settlement("1")).await.unwrap().charged
        });
    }
    assert!(racers.join_all().await.into_iter().all(|charged| charged == usd("1")));
    assert_eq!(house.money(account).await, (usd("50"), Usd::ZERO));
    house.assert_clean().await;
}

async fn grants_go_on_beside_a_busy_writer(on: On) {
    let house = Arc::new(TestLedger::open_on(on).await);
    let account = house.account(1, "1000").await;
    let mut callers = JoinSet::new();
    for _ in 0..32 {
        let house = house.clone();
        callers.spawn(async move {
            for _ in 0..30 {
                let hold = house.hold(account, "0.01").await;
                house.credit.settle(hold, settlement("0.01")).await.unwrap();
            }
        });
    }
    // As the command line does: another process' worth of connections on the same file.
    let beside = LedgerStore::new(Store::open(&house.config, &house.clock).await.unwrap(), house.clock.clone());
    for number in 0..10 {
        let idem = format!("gift {number}");
        beside
            .grant(GrantRequest { account, amount: usd("1"), idem: &idem, actor: "test".into(), note: "" })
            .await
            .unwrap();
    }
    callers.join_all().await;
    assert_eq!(house.money(account).await, (usd("1000.4"), Usd::ZERO));
    house.assert_clean().await;
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    of_64_racers_as_many_win_as_there_is_money_for,
    a_thousand_at_once_on_one_account_and_the_sum_is_exact,
    a_settlement_never_loses_to_the_sweeper,
    grants_go_on_beside_a_busy_writer,
);
