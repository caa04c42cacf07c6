//! Random histories through the whole ledger: whatever is done, the books are right and no balance is overdrawn.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Act {
    Hold { account: usize, want: i64, least: i64 },
    Settle { hold: usize, cost: i64 },
    Release { hold: usize },
    Drop { hold: usize },
    Orphan { hold: usize },
    Grant { account: usize, amount: i64 },
    Pass { ms: i64 },
    Crash,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0..2_usize, 0..500_i64, 0..500_i64).prop_map(|(account, want, least)| Act::Hold { account, want: want.max(least), least }),
        3 => (0..8_usize, 0..900_i64).prop_map(|(hold, cost)| Act::Settle { hold, cost }),
        1 => (0..8_usize).prop_map(|hold| Act::Release { hold }),
        1 => (0..8_usize).prop_map(|hold| Act::Drop { hold }),
        1 => (0..8_usize).prop_map(|hold| Act::Orphan { hold }),
        1 => (0..2_usize, 1..500_i64).prop_map(|(account, amount)| Act::Grant { account, amount }),
        1 => (0..40_000_i64).prop_map(|ms| Act::Pass { ms }),
        1 => Just(Act::Crash),
    ]
}

async fn play(mut house: TestLedger, acts: Vec<Act>) {
    let accounts = [house.account(1, "0.0000007").await, house.account(2, "0").await];
    let mut holds: Vec<Hold> = Vec::new();
    let mut granted = [700_i64, 0];
    let mut charged = [0_i64, 0];
    for (number, act) in acts.into_iter().enumerate() {
        match act {
            Act::Hold { account, want, least } => {
                let (want, least) = (Usd::from_nanos(want), Usd::from_nanos(least));
                let ask = HoldRequest { want, least, ..house.ask(accounts[account], "0") };
                holds.extend(house.credit.hold(ask).await.ok());
            }
            Act::Settle { hold, cost } if hold < holds.len() => {
                let hold = holds.swap_remove(hold);
                let owner = usize::from(hold.account() != accounts[0]);
                let settlement = Settlement { cost: Usd::from_nanos(cost), ..settlement("0") };
                match house.credit.settle(hold, settlement).await {
                    Ok(settled) => {
                        charged[owner] += settled.charged.nanos();
                        assert_eq!(settled.charged.nanos() + settled.shortfall.nanos(), cost);
                    }
                    // No time that passes ends what is in hand.
                    Err(failed) => panic!("{failed}"),
                }
            }
            Act::Release { hold } if hold < holds.len() => {
                drop(
                    house
                        .credit
                        .release(holds.swap_remove(hold), SettlementRule::NotSent, UpstreamDelivery::default())
                        .await,
                );
            }
            Act::Drop { hold } if hold < holds.len() => drop(holds.swap_remove(hold)),
            Act::Orphan { hold } if hold < holds.len() => holds.swap_remove(hold).orphan(),
            Act::Grant { account, amount } => {
                let idem = format!("grant {number}");
                let ask = GrantRequest {
                    account: accounts[account],
                    amount: Usd::from_nanos(amount),
                    idem: &idem,
                    actor: "test".into(),
                    note: "",
                };
                house.credit.grant(ask).await.unwrap();
                granted[account] += amount;
            }
            Act::Pass { ms } => {
                house.hand.advance_ms(ms);
                house.credit.sweep().await.unwrap();
            }
            Act::Crash => {
                holds.drain(..).for_each(std::mem::forget);
                house = house.crash().await;
            }
            Act::Settle { .. } | Act::Release { .. } | Act::Drop { .. } | Act::Orphan { .. } => {}
        }
        for index in 0..2 {
            let (posted, held) = house.money(accounts[index]).await;
            assert_eq!(posted.nanos(), granted[index] - charged[index]);
            assert!(Usd::ZERO <= held && held <= posted);
        }
    }
    house.assert_clean().await;
}

fn run(history: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(history);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]
    #[test]
    fn the_books_are_right_after_any_history(acts in prop::collection::vec(act(), 1..40)) {
        run(async { play(TestLedger::open().await, acts).await });
    }
}

proptest! {
    // Each makes a database of its own.
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 20, ..ProptestConfig::default() })]
    #[test]
    fn the_books_on_a_server_are_right_after_any_history(acts in prop::collection::vec(act(), 1..40)) {
        run(async { play(TestLedger::open_on(On::Server).await, acts).await });
    }
}
