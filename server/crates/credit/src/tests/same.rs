//! The same histories on memory, on a file and on a server: what is answered, and what accounts have after each step, is the
//! same on all three to the last nano-USD.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::memory::{Memory, MemoryLedger};
use super::*;
use crate::batch::BatchRunner;
use crate::queue::queues;
use crate::writer::LedgerWriter;

const HISTORIES: u64 = 24;
const STEPS: usize = 80;
const ACCOUNTS: usize = 3;
/// At once, so that they share a batch.
const CROWD_MAX: i64 = 12;

/// A request to a ledger. Holds are named by their place among those that are open.
#[derive(Debug, Clone)]
enum Act {
    Grant {
        account: usize,
        nanos: i64,
    },
    /// So many at once, each with the request of an earlier one where `again`.
    Hold(Vec<Ask>),
    Settle {
        hold: usize,
        nanos: i64,
    },
    Release {
        hold: usize,
    },
}

#[derive(Debug, Clone)]
struct Ask {
    /// One more than there are: nobody's.
    account: usize,
    want: i64,
    least: i64,
    again: bool,
}

fn rolled(dice: &mut Dice) -> Act {
    let size = |dice: &mut Dice, bound| usize::try_from(dice.below(bound)).unwrap();
    let accounts = i64::try_from(ACCOUNTS).unwrap();
    match dice.below(10) {
        0 => Act::Grant { account: size(dice, accounts), nanos: 1 + dice.below(400) },
        1..5 => {
            let crowd = 1 + dice.below(CROWD_MAX);
            let ask = |_| {
                let (want, least) = (dice.below(300), dice.below(300));
                let (account, again) = (size(dice, accounts + 1), dice.below(4) == 0);
                Ask { account, want: want.max(least), least, again }
            };
            Act::Hold((0..crowd).map(ask).collect())
        }
        5..8 => Act::Settle { hold: size(dice, 16), nanos: dice.below(500) },
        _ => Act::Release { hold: size(dice, 16) },
    }
}

/// A ledger under test.
struct Ledgered {
    house: TestLedger,
    credit: Ledger,
    /// The ledger in memory with the writer over it, where it is there.
    memory: Option<(Memory, JoinSet<WriterEnd>)>,
    accounts: Vec<AccountId>,
}

impl Ledgered {
    async fn of(house: TestLedger) -> Self {
        let mut accounts = vec![AccountId(9)];
        for number in 1..=ACCOUNTS {
            accounts.push(house.account(i64::try_from(number).unwrap(), "0.0000008").await);
        }
        accounts.rotate_left(1);
        Self { credit: house.credit.clone(), house, memory: None, accounts }
    }

    /// The clock and the accounts' numbers are those of a house that nobody else uses.
    async fn in_memory() -> Self {
        let mut made = Self::of(TestLedger::open().await).await;
        let memory = Memory::default();
        for account in &made.accounts[..ACCOUNTS] {
            memory.grant(*account, usd("0.0000008"));
        }
        let (queue, intake) = queues(CancellationToken::new());
        let books = made.house.credit.books.clone();
        made.credit = Ledger::new(books, queue.clone(), 1);
        let (clock, stats) = (made.house.clock.clone(), made.credit.stats.clone());
        let ledger = MemoryLedger(memory.clone());
        let mut writer = JoinSet::new();
        writer.spawn(
            LedgerWriter {
                batcher: BatchRunner {
                    ledger,
                    clock,
                    epoch: 1,
                    stats,
                    queue,
                    disk_troubles: 0,
                    locked: BTreeSet::new(),
                },
                intake,
            }
            .run(),
        );
        made.memory = Some((memory, writer));
        made
    }

    async fn grant(&self, account: AccountId, amount: Usd, step: usize) {
        if let Some((memory, _)) = &self.memory {
            return memory.grant(account, amount);
        }
        let idem = format!("step {step}");
        self.credit.grant(GrantRequest { account, amount, idem: &idem, actor: "test".into(), note: "" }).await.unwrap();
    }

    async fn balance(&self, account: AccountId) -> AccountBalance {
        match &self.memory {
            Some((memory, _)) => memory.balance(account),
            None => self.credit.balance(account).await.unwrap(),
        }
    }

    /// The answers to each act, and the balances of the accounts after it.
    async fn play(self, acts: &[Act]) -> Vec<String> {
        let mut told = Vec::new();
        let (mut open, mut requests): (Vec<Hold>, Vec<RequestId>) = (Vec::new(), Vec::new());
        for (step, act) in acts.iter().enumerate() {
            match act {
                Act::Grant { account, nanos } => {
                    self.grant(self.accounts[*account], Usd::from_nanos(*nanos), step).await;
                }
                Act::Hold(asks) => {
                    let asks: Vec<HoldRequest> = asks.iter().map(|ask| self.ask(ask, &mut requests)).collect();
                    for answer in join_all(asks.into_iter().map(|ask| self.credit.hold(ask))).await {
                        told.push(format!("{step}: {:?}", answer.as_ref().map(Hold::amount)));
                        open.extend(answer);
                    }
                }
                Act::Settle { hold, nanos } if *hold < open.len() => {
                    let settlement = Settlement { cost: Usd::from_nanos(*nanos), ..settlement("0") };
                    let settled = self.credit.settle(open.remove(*hold), settlement).await;
                    told.push(format!("{step}: {:?}", settled.unwrap()));
                }
                Act::Release { hold } if *hold < open.len() => {
                    let released = open.remove(*hold);
                    self.credit.release(released, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
                }
                Act::Settle { .. } | Act::Release { .. } => {}
            }
            for account in &self.accounts[..ACCOUNTS] {
                told.push(format!("{step}: {:?}", self.balance(*account).await));
            }
        }
        if self.memory.is_none() {
            self.house.assert_clean().await;
        }
        open.into_iter().for_each(Hold::orphan);
        told
    }

    fn ask(&self, ask: &Ask, requests: &mut Vec<RequestId>) -> HoldRequest {
        let mut made = self.house.ask(self.accounts[ask.account], "0");
        (made.want, made.least) = (Usd::from_nanos(ask.want), Usd::from_nanos(ask.least));
        match requests.last() {
            Some(earlier) if ask.again => made.request = *earlier,
            _ => requests.push(made.request),
        }
        made
    }
}

#[tokio::test]
async fn the_same_history_has_the_same_outcome_on_each_store() {
    let mut seen = String::new();
    for seed in 0..HISTORIES {
        let mut dice = Dice::new(seed);
        let acts: Vec<Act> = (0..STEPS).map(|_| rolled(&mut dice)).collect();
        let in_memory = Ledgered::in_memory().await.play(&acts).await;
        for on in [On::File, On::Server] {
            let told = Ledgered::of(TestLedger::open_on(on).await).await.play(&acts).await;
            let difference = in_memory.iter().zip(&told).find(|(memory, told)| memory != told);
            assert_eq!((difference, told.len()), (None, in_memory.len()), "history {seed}, {on:?}");
        }
        seen.extend(in_memory);
    }
    for outcome in ["Ok(", "Duplicate", "TiedUp", "Insufficient", "NoSuchAccount", "Settled"] {
        assert!(seen.contains(outcome), "none was told {outcome}");
    }
}
