//! Random histories of everything that moves the money of an account, with ends of the process beside the commits: what stands in
//! the books is what a model says that needs ten lines, and the audit finds nothing.
//!
//! An end is a transaction that is rolled back, or one that is committed and told to nobody; whoever asked asks again.

// suite of this file: processor 60s

use std::collections::BTreeMap;

use super::*;
use tollgate_base::{KeyId, PicoUsd, PriceRatio, RequestId, RequestTags};
use tollgate_credit::{
    BilledUsage, GrantRequest, Hold, HoldRequest, Ledger, LedgerWorker, MediaTokens, ServiceCharges, Settlement,
    SettlementRule, TokenPrices, UpstreamDelivery,
};
use tollgate_store::testing::ENDS_AT;
use tollgate_store::{CommitSide, ServeLock};

/// Histories of a run.
const HISTORIES: usize = 1_000;
/// Acts of one history, at most.
const ACTS_MAX: i64 = 10;
/// Histories between two audits, which read all that there is.
const AUDIT_EVERY: usize = 250;

async fn a_thousand_histories_leave_the_books_right(on: On) {
    Histories::open(on).await.run(HISTORIES, 1).await;
}

on_both!(a_thousand_histories_leave_the_books_right);

/// Numbers that look random and are the same in every run. By splitmix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        i64::try_from((mixed ^ (mixed >> 31)) % u64::try_from(bound).unwrap()).unwrap()
    }

    /// A few dollars, to the last nano-USD.
    fn amount(&mut self) -> Usd {
        Usd::from_nanos(1_000_000_000 + self.below(4_000_000_000))
    }

    /// The commit beside which the process ends, if it does.
    fn end(&mut self) -> Option<CommitSide> {
        match self.below(6) {
            0 => Some(CommitSide::Before),
            1 => Some(CommitSide::After),
            _ => None,
        }
    }
}

/// The state of an account, by a model.
#[derive(Default)]
struct Model {
    posted: i64,
    held: i64,
    /// The rest of each debt, the oldest first.
    debts: Vec<i64>,
}

impl Model {
    fn pay_debts(&mut self, mut with: i64) -> i64 {
        let before = with;
        for debt in &mut self.debts {
            let paid = with.min(*debt);
            *debt -= paid;
            with -= paid;
        }
        self.posted -= before - with;
        before - with
    }

    fn credit(&mut self, amount: Usd) -> Usd {
        self.posted += amount.nanos();
        Usd::from_nanos(self.pay_debts(amount.nanos()))
    }

    /// The amounts that are taken and owed.
    fn reverse(&mut self, amount: Usd, debt: bool) -> (Usd, Usd) {
        let taken = amount.nanos().min(self.posted - self.held);
        self.posted -= taken;
        let rest = if debt { amount.nanos() - taken } else { 0 };
        self.debts.push(rest);
        (Usd::from_nanos(taken), Usd::from_nanos(rest))
    }

    fn owes(&self) -> i64 {
        self.debts.iter().sum()
    }
}

/// A payment that was credited, and what of it is left.
struct Paid {
    payment: String,
    rail: PaymentRail,
    left: i64,
}

/// One history: an account of its own.
struct History {
    account: AccountId,
    model: Model,
    paid: Vec<Paid>,
    holds: Vec<Hold>,
    /// The next idempotency key, or the name of a payment.
    next: u32,
}

pub(super) struct Histories {
    house: House,
    accounts: AccountService,
    credit: Ledger,
    _worker: LedgerWorker,
    _lock: ServeLock,
    /// The balances of the ledger's own accounts, by a model.
    stands: BTreeMap<String, i64>,
}

impl Histories {
    pub(super) async fn open(on: On) -> Self {
        let house = house(on).await;
        let lock = ServeLock::take(&house.config).unwrap();
        let (credit, worker) = Ledger::start(house.books.clone(), &lock).await.unwrap();
        let accounts = AccountService::new(house.topups.store.clone(), house.topups.clock.clone());
        Self { house, accounts, credit, _worker: worker, _lock: lock, stands: BTreeMap::new() }
    }

    pub(super) async fn run(mut self, histories: usize, seed: u64) {
        let mut dice = Dice(seed);
        for number in 1..=histories {
            let account = self.accounts.create_account(&format!("history {number}"), "test").await.unwrap().id;
            let mut history =
                History { account, model: Model::default(), paid: Vec::new(), holds: Vec::new(), next: 0 };
            for act in 0..1 + dice.below(ACTS_MAX) {
                let which = dice.below(9);
                self.act(&mut history, which, &mut dice).await;
                self.assert_as_modelled(&history, &format!("history {number}, act {act}, {which}")).await;
            }
            for hold in std::mem::take(&mut history.holds) {
                self.end(&mut history, hold, &mut dice).await;
            }
            self.assert_as_modelled(&history, &format!("the end of history {number}")).await;
            *self.stood("debts") -= history.model.owes();
            if number % AUDIT_EVERY == 0 || number == histories {
                self.audit(number).await;
            }
        }
    }

    fn stood(&mut self, code: &str) -> &mut i64 {
        self.stands.entry(code.to_owned()).or_default()
    }

    async fn assert_as_modelled(&self, history: &History, when: &str) {
        let balance = self.credit.balance(history.account).await.unwrap();
        let debt = self.credit.debt(history.account).await.unwrap();
        let Model { posted, held, .. } = history.model;
        let found = (balance.posted.nanos(), balance.held.nanos(), debt.nanos());
        assert_eq!(found, (posted, held, history.model.owes()), "{when}");
        assert!(posted >= held && held >= 0, "{when}");
    }

    async fn audit(&self, number: usize) {
        let report = self.credit.audit().await.unwrap();
        assert!(report.is_clean(), "after {number}: {report}");
        for (code, stands) in &self.stands {
            assert_eq!(report.house[code], i128::from(*stands), "after {number}: {code}");
        }
    }

    async fn act(&mut self, history: &mut History, which: i64, dice: &mut Dice) {
        history.next += 1;
        let key = format!("{} {}", history.account, history.next);
        match which {
            0 => self.grant(history, &key, dice).await,
            1 => self.take(history, &key, dice).await,
            2 | 3 => drop(self.top_up(history, &key, dice).await),
            4 => self.resolve(history, &key, dice).await,
            5 | 6 => self.reverse(history, &key, dice).await,
            7 => self.hold(history, dice).await,
            _ => match history.holds.pop() {
                Some(hold) => self.end(history, hold, dice).await,
                None => self.hold(history, dice).await,
            },
        }
    }

    async fn grant(&mut self, history: &mut History, key: &str, dice: &mut Dice) {
        let amount = dice.amount();
        let ask = GrantRequest { account: history.account, amount, idem: key, actor: "test".into(), note: "" };
        let granted = told(dice.end(), || self.credit.grant(ask)).await;
        assert_eq!(granted.debt_paid, history.model.credit(amount));
        *self.stood("promo") -= amount.nanos();
    }

    async fn take(&mut self, history: &mut History, key: &str, dice: &mut Dice) {
        let (amount, debt) = (dice.amount(), dice.below(2) == 0);
        let ask =
            TakeBackRequest { account: history.account, amount, debt, idem: key, actor: "test".into(), reason: "x" };
        let reversal = told(dice.end(), || self.credit.take(ask)).await;
        assert_eq!((reversal.taken, reversal.debt), history.model.reverse(amount, debt));
        *self.stood("promo") += reversal.taken.nanos() + reversal.debt.nanos();
    }

    /// An order and the money for it.
    async fn top_up(&mut self, history: &mut History, key: &str, dice: &mut Dice) -> CreditOrder {
        let rail = PaymentRail::ALL[usize::try_from(dice.below(3)).unwrap()];
        let new = NewOrder { account: history.account, agent: None, rail, amount: dice.amount() };
        let order = self.house.topups.open(new).await.unwrap();
        let credited = told(dice.end(), || self.house.credit(&order, key)).await;
        assert!(matches!(credited, CreditOutcome::Now(_) | CreditOutcome::Before(_)), "{credited:?}");
        let paid = history.model.credit(order.amount);
        assert_eq!(self.house.topups.debt_paid(&order).await.unwrap(), paid);
        *self.stood(&format!("clearing:{rail}")) -= order.amount.nanos();
        history.paid.push(Paid { payment: order.trade_no.clone(), rail, left: order.amount.nanos() });
        order
    }

    /// Money for an order that was paid, and what a person decides on it.
    async fn resolve(&mut self, history: &mut History, key: &str, dice: &mut Dice) {
        let order = self.top_up(history, key, dice).await;
        let second = format!("{key} again");
        let aside = told(dice.end(), || self.house.credit(&order, &second)).await;
        assert!(matches!(aside, CreditOutcome::SetAside(_)), "{aside:?}");
        // The first is named by itself from here on: the order may have two.
        history.paid.last_mut().unwrap().payment = self.house.number_of(key).await.to_string();
        let payment = self.house.number_of(&second).await;
        let credit = match dice.below(3) {
            0 => None,
            1 => Some(CreditAmount::OfOrder),
            _ => Some(CreditAmount::Exactly(Usd::from_nanos(1 + dice.below(order.amount.nanos())))),
        };
        let ask = ResolveRequest { payment, credit, actor: "test".into(), reason: "" };
        let resolved = told(dice.end(), || self.house.topups.resolve(ask)).await;
        let Resolution::Credit(amount) = resolved.resolution else { return };
        assert_eq!(resolved.credit.unwrap().debt_paid, history.model.credit(amount));
        *self.stood(&format!("clearing:{}", order.rail)) -= amount.nanos();
        history.paid.push(Paid { payment: payment.to_string(), rail: order.rail, left: amount.nanos() });
    }

    async fn reverse(&mut self, history: &mut History, key: &str, dice: &mut Dice) {
        if history.paid.is_empty() {
            return;
        }
        let which = usize::try_from(dice.below(i64::try_from(history.paid.len()).unwrap())).unwrap();
        let Paid { payment, rail, left } = &mut history.paid[which];
        let by = if dice.below(2) == 0 { ReversalParty::Operator } else { ReversalParty::Provider };
        let amount = (dice.below(2) == 0 && *left > 0).then(|| Usd::from_nanos(1 + dice.below(*left)));
        let ask = PaymentReversalRequest { of: payment, by, amount, idem: key, actor: "test".into(), reason: "x" };
        if *left == 0 {
            let refused = self.house.topups.reverse(ask).await.unwrap_err();
            assert!(matches!(refused, PaymentReversalRefused::AmountOutOfRange { .. }), "{refused}");
            return;
        }
        let amount = amount.unwrap_or(Usd::from_nanos(*left));
        *left -= amount.nanos();
        let code = format!("clearing:{rail}");
        let told = told(dice.end(), || self.house.topups.reverse(ask)).await;
        let (taken, debt) = history.model.reverse(amount, true);
        assert_eq!((told.reversal.taken, told.reversal.debt), (taken, debt));
        *self.stood(&code) += amount.nanos();
    }

    async fn hold(&mut self, history: &mut History, dice: &mut Dice) {
        let available = history.model.posted - history.model.held;
        if available == 0 {
            return;
        }
        let amount = Usd::from_nanos(1 + dice.below(available));
        let now_ms = self.house.topups.clock.now_ms();
        let ask = HoldRequest {
            account: history.account,
            key: KeyId(7),
            request: RequestId::mint(now_ms),
            tokens: 0,
            want: amount,
            least: amount,
            expires_at_ms: now_ms + 3_600_000,
            model: "a-model".to_owned(),
            stream: false,
            price: price(),
            tags: RequestTags::default(),
            claim: None,
        };
        history.holds.push(self.credit.hold(ask).await.unwrap());
        history.model.held += amount.nanos();
    }

    /// Charges a part of a hold. What is free again pays debts, whether or not somebody asks for it.
    async fn end(&mut self, history: &mut History, hold: Hold, dice: &mut Dice) {
        let held = hold.amount();
        let cost = Usd::from_nanos(dice.below(held.nanos() + 1));
        let charged = self.credit.settle(hold, settlement(cost)).await.unwrap().charged;
        assert_eq!(charged, cost);
        history.model.held -= held.nanos();
        history.model.posted -= cost.nanos();
        let available = history.model.posted - history.model.held;
        history.model.pay_debts(available);
        // One that ends before its commit is made up for by the next.
        let _ = ended(dice.end(), self.credit.collect_debts()).await;
        self.credit.collect_debts().await.unwrap();
        *self.stood("revenue") += cost.nanos();
    }
}

/// The outcome of an act that may end beside its commit, and is repeated then.
async fn told<T, E: std::fmt::Debug, Acts: Future<Output = Result<T, E>>>(
    end: Option<CommitSide>,
    act: impl Fn() -> Acts,
) -> T {
    if end.is_some() {
        assert!(ended(end, act()).await.is_err(), "it ended beside its commit");
    }
    act().await.unwrap()
}

async fn ended<T>(end: Option<CommitSide>, act: impl Future<Output = T>) -> T {
    match end {
        Some(side) => ENDS_AT.scope(side, act).await,
        None => act.await,
    }
}

fn price() -> TokenPrices {
    let picos = PicoUsd::new(150_000).unwrap();
    let media =
        MediaTokens { audio_prompt: picos, image_prompt: picos, audio_completion: picos, image_completion: picos };
    TokenPrices {
        prompt: picos,
        cached: picos,
        cache_write: picos,
        cache_write_long: picos,
        completion: picos,
        media,
        reasoning: picos,
        request: PicoUsd::ZERO,
        ratio: PriceRatio::ONE,
        version: "v".to_owned(),
    }
}

/// Of estimated usage that is worth more than any charge here.
fn settlement(cost: Usd) -> Settlement {
    Settlement {
        cost,
        rule: SettlementRule::Reported,
        usage: BilledUsage { prompt: 1 << 40, estimated: true, ..BilledUsage::default() },
        delivery: UpstreamDelivery::default(),
        fallback: None,
        tier: None,
        services: ServiceCharges::default(),
    }
}
