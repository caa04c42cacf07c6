//! Keys with budgets, of their own and of pools, and with rates, against a model so naive that it must be right: lists of what was asked for and what became
//! of it, added up anew for each question. It has no windows, no caps, and a calendar of its own.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::*;
use crate::limits::{BudgetPeriod, BudgetWindowId, LoadedLimits, RateKind, RateUsage};
use crate::loaded_key::LoadedKey;
use crate::pools::LoadedPool;
use crate::rules::{
    HoldEndRefused, KeyReserveRefused, LoadedHold, LoadedRows, ReserveRefused, ReserveRequest, ReservedMoney,
};
use crate::{BudgetHolder, BudgetOwner};
use tollgate_base::{HoldId, PoolId};

const ACCOUNTS: i64 = 2;
const KEYS: i64 = 4;
/// Of each account its organisation, a team and a member.
const POOLS: i64 = 3 * ACCOUNTS;
const DAY_MS: i64 = 86_400_000;
/// 2027-01-01, counted in days, and the lengths of the months from there on: the second year is a leap year.
const FIRST_DAY: i64 = 20_819;
const MONTHS: [i64; 25] =
    [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31];
/// Parts of a request or token, of which a limit of n a minute gives n back each millisecond.
const PARTS: i128 = 60_000;

/// A hold that was taken, and what became of it.
struct Held {
    account: i64,
    key: i64,
    amount: i128,
    at_ms: i64,
    expires_at_ms: i64,
    tokens: i128,
    in_flight: bool,
    /// The budgets that the key had, if it had any limit at all.
    counted: Option<[bool; 4]>,
    /// The budgets that its pools had.
    pooled: Vec<(i64, [bool; 4])>,
    open: bool,
    charged: i128,
}

/// An event that counts against the rates of a key.
enum Counts {
    /// A request was taken under these limits.
    Took { key: i64, at_ms: i64, requests: i128, tokens: i128, limits: [i128; 2] },
    /// One ended that had used more tokens, or fewer.
    Ended { key: i64, more: i128 },
}

#[derive(Clone, Copy)]
struct Key {
    account: i64,
    active: bool,
    expires_at_ms: Option<i64>,
    budgets: [Option<i128>; 4],
    /// Each budget as it was when there last was one.
    last: [i128; 4],
    /// Requests and tokens a minute: a key has both or neither.
    rates: Option<[i128; 2]>,
    in_flight: Option<i128>,
}

#[derive(Default)]
struct Naive {
    granted: Vec<i128>,
    frozen: Vec<bool>,
    keys: Vec<Key>,
    holds: Vec<Held>,
    counts: Vec<Counts>,
    /// The budgets of each pool, for a day, a week, a month and all time.
    pools: Vec<[Option<i128>; 4]>,
    /// The budget of a pool for the number of a period, as it was when something was held of it the last time.
    found: BTreeMap<(i64, usize, i64), i128>,
}

fn at<T>(list: &[T], number: i64) -> &T {
    &list[usize::try_from(number).unwrap()]
}

/// The time at which the day, week, month or life ends that a time is in.
fn end_of(period: usize, ms: i64) -> i64 {
    match period {
        0 => (number_of(0, ms) + 1) * DAY_MS,
        1 => (7 * (number_of(1, ms) + 1) - 3) * DAY_MS,
        2 => {
            let months = usize::try_from(number_of(2, ms) + 1).unwrap();
            (FIRST_DAY + MONTHS[..months].iter().sum::<i64>()) * DAY_MS
        }
        _ => i64::MAX,
    }
}

/// The pools that a key spends from, and who has them, the narrowest first: the even keys are of teams, and the odd ones of members.
fn pools_of(key: i64) -> [(i64, BudgetHolder); 2] {
    let account = key % ACCOUNTS;
    let own = if key < KEYS / 2 {
        (account + ACCOUNTS, BudgetHolder::Team)
    } else {
        (account + 2 * ACCOUNTS, BudgetHolder::Member)
    };
    [own, (account, BudgetHolder::Organisation)]
}

/// The number of the day, week, month or life that a time is in.
fn number_of(period: usize, ms: i64) -> i64 {
    let day = ms.div_euclid(DAY_MS);
    match period {
        0 => day,
        // The first of January 1970 was a Thursday.
        1 => (day + 3).div_euclid(7),
        2 => {
            let (mut month, mut first) = (0, FIRST_DAY);
            while day >= first + at(&MONTHS, month) {
                first += at(&MONTHS, month);
                month += 1;
            }
            month
        }
        _ => 0,
    }
}

impl Naive {
    fn posted(&self, account: i64) -> i128 {
        let charged: i128 = self.holds.iter().filter(|hold| hold.account == account).map(|hold| hold.charged).sum();
        at(&self.granted, account) - charged
    }

    fn held(&self, account: i64) -> i128 {
        self.holds.iter().filter(|hold| hold.account == account && hold.open).map(|hold| hold.amount).sum()
    }

    /// The sums that were spent and are held of a key's budget for a day, month or life.
    fn used(&self, key: i64, period: usize, number: i64) -> (i128, i128) {
        let (mut spent, mut held) = (0, 0);
        for hold in &self.holds {
            let counts = hold.key == key && hold.counted.is_some_and(|budgets| budgets[period]);
            if counts && number_of(period, hold.at_ms) == number {
                spent += hold.charged;
                held += if hold.open { hold.amount } else { 0 };
            }
        }
        (spent, held)
    }

    /// The sums that were spent and are held of a pool's budget.
    fn used_of_pool(&self, pool: i64, period: usize, number: i64) -> (i128, i128) {
        let (mut spent, mut held) = (0, 0);
        for hold in &self.holds {
            let counts = hold.pooled.iter().any(|(of, budgets)| *of == pool && budgets[period]);
            if counts && number_of(period, hold.at_ms) == number {
                spent += hold.charged;
                held += if hold.open { hold.amount } else { 0 };
            }
        }
        (spent, held)
    }

    /// The budgets that a key spends from: who has it, its period as one of four, the budget, and what is spent and held of it.
    fn budgets_of(&self, number: i64, now_ms: i64) -> Vec<(BudgetHolder, usize, i128, i128, i128)> {
        let mut budgets = Vec::new();
        for (period, budget) in at(&self.keys, number).budgets.into_iter().enumerate() {
            let Some(budget) = budget else { continue };
            let (spent, held) = self.used(number, period, number_of(period, now_ms));
            budgets.push((BudgetHolder::Key, period, budget, spent, held));
        }
        for (pool, holder) in pools_of(number) {
            for (period, budget) in (*at(&self.pools, pool)).into_iter().enumerate() {
                let Some(budget) = budget else { continue };
                let (spent, held) = self.used_of_pool(pool, period, number_of(period, now_ms));
                budgets.push((holder, period, budget, spent, held));
            }
        }
        budgets
    }

    fn under_way(&self, key: i64) -> i128 {
        let counts = |hold: &&Held| hold.key == key && hold.open && hold.in_flight && hold.counted.is_some();
        self.holds.iter().filter(counts).count().try_into().unwrap()
    }

    /// The used parts of a minute's requests and tokens. What ends counts as if it had been known when the last one was taken;
    /// a limit that is changed is as if it had been so since then. Nobody waits for more than an hour's tokens.
    fn parts(&self, key: i64, now_ms: i64, limits: [i128; 2]) -> [i128; 2] {
        let (mut used, mut last_ms) = ([0; 2], 0);
        let run_off = |used: [i128; 2], from_ms: i64, to_ms: i64, limits: [i128; 2]| {
            let passed = i128::from((to_ms - from_ms).max(0));
            let left = |index: usize, minutes| {
                (used[index].min(limits[index] * PARTS * minutes) - passed * limits[index]).max(0)
            };
            [left(0, 1), left(1, 60)]
        };
        for counts in &self.counts {
            match *counts {
                Counts::Took { key: of, at_ms, requests, tokens, limits } if of == key => {
                    used = run_off(used, last_ms, at_ms, limits);
                    used = [used[0] + requests * PARTS, used[1] + tokens * PARTS];
                    last_ms = last_ms.max(at_ms);
                }
                Counts::Ended { key: of, more } if of == key => used[1] = (used[1] + more * PARTS).max(0),
                Counts::Took { .. } | Counts::Ended { .. } => {}
            }
        }
        run_off(used, last_ms, now_ms, limits)
    }

    /// The first millisecond from which so much more fits, where it does not now.
    fn wait(&self, taking: &ReserveRequest, rate: usize, limits: [i128; 2], more: i128) -> Option<i64> {
        let fits = |wait_ms: i64| {
            let used = self.parts(taking.key.0, taking.now_ms + wait_ms, limits)[rate];
            used + more.min(limits[rate]) * PARTS <= limits[rate] * PARTS
        };
        if fits(0) {
            return None;
        }
        // No wait is longer than a little more than an hour.
        let (mut too_soon, mut late) = (0, 1 << 23);
        while late - too_soon > 1 {
            let between = i64::midpoint(too_soon, late);
            if fits(between) { late = between } else { too_soon = between }
        }
        Some(self.late_clock(taking) + late)
    }

    /// By how much the clock has gone back since the last request was taken: so much longer nothing runs off. Waits are told
    /// from then on.
    fn late_clock(&self, taking: &ReserveRequest) -> i64 {
        let last = self.counts.iter().filter_map(|counts| match counts {
            Counts::Took { key, at_ms, .. } if *key == taking.key.0 => Some(*at_ms),
            Counts::Took { .. } | Counts::Ended { .. } => None,
        });
        -(last.max().unwrap_or(0) - taking.now_ms).max(0)
    }

    /// Takes a hold, or says why not.
    fn take(&mut self, taking: &ReserveRequest) -> Result<i128, String> {
        let (account, now_ms) = (taking.account.0, taking.now_ms);
        let [want, least] = [taking.want, taking.least].map(|usd| i128::from(usd.nanos()));
        let key = *at(&self.keys, taking.key.0);
        if !key.active || key.account != account {
            return Err("revoked".to_owned());
        }
        if key.expires_at_ms.is_some_and(|at| now_ms >= at) {
            return Err("expired".to_owned());
        }
        if *at(&self.frozen, account) {
            return Err("frozen".to_owned());
        }
        if taking.in_flight && key.in_flight.is_some_and(|most| self.under_way(taking.key.0) >= most) {
            return Err("too many under way".to_owned());
        }
        let tokens = i128::from(taking.tokens);
        if let Some(rates) = key.rates {
            for (rate, more) in [1, tokens].into_iter().enumerate() {
                if let Some(wait_ms) = self.wait(taking, rate, rates, more) {
                    return Err(format!("rate {rate}: {wait_ms} ms"));
                }
            }
        }
        let mut most = want;
        let (mut over, mut tied_up) = (None, false);
        for (holder, period, budget, spent, held) in self.budgets_of(taking.key.0, now_ms) {
            if budget - spent - held < least && least > 0 {
                tied_up = true;
                // The one that ends last is told, and of several the widest.
                let found = Some((end_of(period, now_ms), holder, period));
                over = if budget - spent < least { over.max(found) } else { over };
            }
            most = most.min((budget - spent - held).max(0));
        }
        if let Some((_, holder, period)) = over {
            return Err(format!("over budget {period} of the {}", holder.as_str()));
        }
        if tied_up {
            return Err("budget tied up".to_owned());
        }
        let amount = most.min(self.posted(account) - self.held(account));
        if amount < least {
            return Err(if self.posted(account) >= least { "tied up" } else { "insufficient" }.to_owned());
        }
        let limited = key.rates.is_some() || key.in_flight.is_some() || key.budgets.iter().any(Option::is_some);
        if limited {
            let limits = key.rates.unwrap_or_default();
            self.counts.push(Counts::Took { key: taking.key.0, at_ms: now_ms, requests: 1, tokens, limits });
        }
        let pooled = self.count_pools(taking.key.0, now_ms);
        self.holds.push(Held {
            account,
            pooled,
            key: taking.key.0,
            amount,
            at_ms: now_ms,
            expires_at_ms: now_ms + LASTS_MS,
            tokens,
            in_flight: taking.in_flight,
            counted: limited.then(|| key.budgets.map(|budget| budget.is_some())),
            open: true,
            charged: 0,
        });
        Ok(amount)
    }

    /// The budgets of its pools that a hold of a key counts against, as they are found by it.
    fn count_pools(&mut self, key: i64, now_ms: i64) -> Vec<(i64, [bool; 4])> {
        let mut pooled = Vec::new();
        for (pool, _) in pools_of(key) {
            let budgets = *at(&self.pools, pool);
            for (period, budget) in budgets.into_iter().enumerate() {
                let Some(budget) = budget else { continue };
                self.found.insert((pool, period, number_of(period, now_ms)), budget);
            }
            pooled.push((pool, budgets.map(|budget| budget.is_some())));
        }
        pooled
    }

    /// Ends a hold: what is charged, and what of the cost nobody pays.
    fn end(&mut self, hold: i64, cost: i128, tokens: i128) -> Option<(i128, i128)> {
        let held = self.holds.get(usize::try_from(hold).unwrap()).filter(|held| held.open)?;
        let mut most = self.posted(held.account) - self.held(held.account) + held.amount;
        for period in 0..4 {
            if held.counted.is_some_and(|budgets| budgets[period]) {
                let (spent, all_held) = self.used(held.key, period, number_of(period, held.at_ms));
                let left = at(&self.keys, held.key).last[period] - spent - all_held;
                most = most.min(held.amount + left.max(0));
            }
        }
        for (pool, budgets) in &held.pooled {
            for period in (0..4).filter(|period| budgets[*period]) {
                let number = number_of(period, held.at_ms);
                let (spent, all_held) = self.used_of_pool(*pool, period, number);
                // As it was when something was held of it the last time: whoever loads it anew sees what it is now.
                most = most.min(held.amount + (self.found[&(*pool, period, number)] - spent - all_held).max(0));
            }
        }
        let charged = cost.min(most);
        if held.counted.is_some() {
            self.counts.push(Counts::Ended { key: held.key, more: tokens - held.tokens });
        }
        let held = &mut self.holds[usize::try_from(hold).unwrap()];
        (held.open, held.charged) = (false, charged);
        Some((charged, cost - charged))
    }
}

/// The milliseconds that a hold lasts.
const LASTS_MS: i64 = 90_000;

fn told(refused: KeyReserveRefused) -> String {
    match refused {
        KeyReserveRefused::Revoked => "revoked".to_owned(),
        KeyReserveRefused::Expired => "expired".to_owned(),
        KeyReserveRefused::AccountFrozen => "frozen".to_owned(),
        KeyReserveRefused::TooSoon(why) => match why.rate {
            RateKind::InFlight => "too many under way".to_owned(),
            RateKind::Requests => format!("rate 0: {} ms", why.wait_ms),
            RateKind::Tokens => format!("rate 1: {} ms", why.wait_ms),
        },
        KeyReserveRefused::OverBudget { holder, period, .. } => {
            let period = BudgetPeriod::ALL.iter().position(|other| *other == period).unwrap();
            format!("over budget {period} of the {}", holder.as_str())
        }
        KeyReserveRefused::BudgetTiedUp { .. } => "budget tied up".to_owned(),
        KeyReserveRefused::Money(ReserveRefused::TiedUp(_)) => "tied up".to_owned(),
        KeyReserveRefused::Money(ReserveRefused::Insufficient(_)) => "insufficient".to_owned(),
        KeyReserveRefused::Money(ReserveRefused::NoSuchAccount) => "no account".to_owned(),
    }
}

/// Both, and the clock.
struct Played {
    rules: LoadedRows,
    naive: Naive,
    now_ms: i64,
}

impl Played {
    fn begin(dice: &mut Dice) -> Self {
        // Half an hour before the end of a month, among them of a leap year's February and of a year.
        let months = 1 + dice.below(14);
        let day = FIRST_DAY + MONTHS[..usize::try_from(months).unwrap()].iter().sum::<i64>();
        let now_ms = day * DAY_MS - dice.below(1_800_000) - 1;
        let mut played = Self { rules: LoadedRows::default(), naive: Naive::default(), now_ms };
        for account in 0..ACCOUNTS {
            let posted = dice.below(1_500);
            let balance = AccountBalance { posted: Usd::from_nanos(posted), held: Usd::ZERO };
            played.rules.balances.insert(AccountId(account), balance);
            played.naive.granted.push(posted.into());
            played.naive.frozen.push(false);
        }
        for number in 0..KEYS {
            let expires_at_ms = (dice.below(6) == 0).then(|| now_ms + dice.below(4_000_000));
            let key = Key {
                account: number % ACCOUNTS,
                active: true,
                expires_at_ms,
                budgets: [None; 4],
                last: [0; 4],
                // One key has no rates, and one no limits at all until its budgets are changed.
                rates: (number < KEYS - 2).then_some([1, 1]),
                in_flight: None,
            };
            played.naive.keys.push(key);
            let loaded = LoadedKey {
                account: AccountId(key.account),
                active: true,
                account_active: true,
                expires_at_ms,
                limits: LoadedLimits::default(),
                used: RateUsage::default(),
                pools: Vec::new(),
            };
            played.rules.keys.insert(KeyId(number), loaded);
            played.change(number, dice);
        }
        played.naive.pools = vec![[None; 4]; usize::try_from(POOLS).unwrap()];
        for pool in 0..POOLS {
            played.change_pool(pool, dice);
        }
        played
    }

    /// Other limits, as the database takes them: what is spent of a budget stays spent.
    fn change(&mut self, number: i64, dice: &mut Dice) {
        let key = &mut self.naive.keys[usize::try_from(number).unwrap()];
        for (period, (budget, last)) in key.budgets.iter_mut().zip(&mut key.last).enumerate() {
            *budget = (dice.below(3) > 0).then(|| i128::from(dice.below(200 << (3 * period / 2))));
            *last = budget.unwrap_or(*last);
        }
        key.rates = key.rates.map(|_| [i128::from(1 + dice.below(8)), i128::from(1 + dice.below(400))]);
        key.in_flight = (dice.below(3) == 0).then(|| i128::from(1 + dice.below(4)));
        let whole = |number: i128| i64::try_from(number).unwrap();
        let limits = LoadedLimits {
            budgets: key.budgets.map(|budget| budget.map(|budget| Usd::from_nanos(whole(budget)))),
            requests_per_minute: key.rates.map(|rates| whole(rates[0])),
            tokens_per_minute: key.rates.map(|rates| whole(rates[1])),
            in_flight: key.in_flight.map(whole),
        };
        self.rules.keys.get_mut(&KeyId(number)).unwrap().limits = limits;
        for (period, budget) in BudgetPeriod::ALL.into_iter().zip(limits.budgets) {
            let Some(budget) = budget else { continue };
            let of = |id: &BudgetWindowId| id.owner == BudgetOwner::Key(KeyId(number)) && id.period == period;
            for (_, window) in self.rules.windows.iter_mut().filter(|(id, _)| of(id)) {
                (window.budget, window.cap) = (budget, budget.max(window.used()));
            }
        }
    }

    /// Other budgets of a pool, and of no keys but those that spend from it.
    fn change_pool(&mut self, pool: i64, dice: &mut Dice) {
        let budgets = std::array::from_fn(|period| (dice.below(4) == 0).then(|| i128::from(dice.below(300 << period))));
        self.naive.pools[usize::try_from(pool).unwrap()] = budgets;
        for (id, key) in &mut self.rules.keys {
            let load = |(pool, holder): (i64, BudgetHolder)| {
                let usd = |budget: i128| Usd::from_nanos(i64::try_from(budget).unwrap());
                let budgets = at(&self.naive.pools, pool).map(|budget| budget.map(usd));
                LoadedPool { id: PoolId(pool), holder, budgets }
            };
            key.pools = pools_of(id.0).map(load).into();
        }
    }

    fn pass(&mut self, dice: &mut Dice) {
        let midnight = (self.now_ms.div_euclid(DAY_MS) + 1) * DAY_MS;
        self.now_ms = match dice.below(16) {
            0 => midnight - 1,
            1 => midnight,
            2 => self.now_ms + dice.below(3) * DAY_MS,
            3 => self.now_ms + dice.below(31 * DAY_MS),
            // As clocks do that are set right.
            4 => self.now_ms - dice.below(500),
            5..9 => self.now_ms + dice.below(60_000),
            _ => self.now_ms + dice.below(2_000),
        };
        // The calendar has an end.
        self.now_ms = self.now_ms.min((FIRST_DAY + 700) * DAY_MS);
    }

    fn take(&mut self, dice: &mut Dice) {
        let key = dice.below(KEYS);
        let (want, least) = (dice.below(150), dice.below(100));
        let taking = ReserveRequest {
            // Now and then, with another's key.
            account: AccountId(if dice.below(50) == 0 { dice.below(ACCOUNTS) } else { key % ACCOUNTS }),
            key: KeyId(key),
            want: Usd::from_nanos(want.max(least)),
            least: Usd::from_nanos(least),
            tokens: dice.below(120),
            in_flight: dice.below(8) > 0,
            now_ms: self.now_ms,
        };
        let ours = self.rules.take(&taking);
        let theirs = self.naive.take(&taking);
        let told = ours.clone().map(|taken| i128::from(taken.amount.nanos())).map_err(told);
        assert_eq!(told, theirs, "{taking:?}");
        if let Ok(ReservedMoney { amount, counted, pooled, .. }) = ours {
            let expires_at_ms = self.now_ms + LASTS_MS;
            let account = taking.account;
            let hold = LoadedHold { account, request: None, amount, open: true, expires_at_ms, counted, pooled };
            self.rules.holds.insert(HoldId(self.last_hold()), hold);
        }
    }

    fn last_hold(&self) -> i64 {
        i64::try_from(self.naive.holds.len()).unwrap() - 1
    }

    fn end(&mut self, dice: &mut Dice) {
        // Mostly one of the latest, which may be open still, and now and then one that is not there.
        let hold = (self.last_hold() + 1 - dice.below(8)).max(0);
        let (cost, tokens) = (dice.below(220), dice.below(200));
        let ours = self.rules.resolve(HoldId(hold), Usd::from_nanos(cost), tokens);
        let ours = ours.ok().map(|charge| [charge.charged, charge.shortfall].map(|usd| i128::from(usd.nanos())));
        let theirs = self.naive.end(hold, cost.into(), tokens.into());
        assert_eq!(ours.map(<(i128, i128)>::from), theirs);
    }

    fn expire(&mut self, dice: &mut Dice) {
        let hold = (self.last_hold() + 1 - dice.below(20)).max(0);
        let held = self.naive.holds.get(usize::try_from(hold).unwrap());
        let early = held.is_some_and(|held| held.open && self.now_ms < held.expires_at_ms);
        let ours = self.rules.expire(HoldId(hold), self.now_ms);
        assert_eq!(ours == Err(HoldEndRefused::NotExpired), early);
        if !early {
            assert_eq!(ours.is_ok(), self.naive.end(hold, 0, 0).is_some());
        }
    }

    fn forbid(&mut self, dice: &mut Dice) {
        let number = dice.below(KEYS);
        let key = &mut self.naive.keys[usize::try_from(number).unwrap()];
        let loaded = self.rules.keys.get_mut(&KeyId(number)).unwrap();
        if dice.below(3) == 0 {
            (key.active, loaded.active) = (false, false);
            return;
        }
        let (account, frozen) = (key.account, dice.below(2) == 0);
        self.naive.frozen[usize::try_from(account).unwrap()] = frozen;
        for loaded in self.rules.keys.values_mut().filter(|loaded| loaded.account == AccountId(account)) {
            loaded.account_active = !frozen;
        }
    }

    fn step(&mut self, dice: &mut Dice) {
        match dice.below(40) {
            0..18 => self.take(dice),
            18..30 => self.end(dice),
            30..32 => self.expire(dice),
            32..37 => self.pass(dice),
            37 => self.change(dice.below(KEYS), dice),
            38 => self.change_pool(dice.below(POOLS), dice),
            _ if dice.below(4) == 0 => self.forbid(dice),
            _ => self.pass(dice),
        }
    }

    /// Everything that both have added up.
    fn compare(&self) {
        for account in 0..ACCOUNTS {
            let balance = self.rules.balances[&AccountId(account)];
            same(balance.posted, self.naive.posted(account), &account);
            same(balance.held, self.naive.held(account), &account);
            assert!(Usd::ZERO <= balance.held && balance.held <= balance.posted);
        }
        for (id, window) in &self.rules.windows {
            let place = |periods: &[BudgetPeriod]| periods.iter().position(|period| *period == id.period).unwrap();
            let (spent, held) = match id.owner {
                BudgetOwner::Key(key) => {
                    let period = place(&BudgetPeriod::ALL);
                    self.naive.used(key.0, period, number_of(period, id.starts_at_ms))
                }
                BudgetOwner::Pool(pool) => {
                    let period = place(&BudgetPeriod::ALL);
                    self.naive.used_of_pool(pool.0, period, number_of(period, id.starts_at_ms))
                }
            };
            same(window.spent, spent, id);
            same(window.held, held, id);
            assert!(window.used() <= window.cap, "{id:?}: {window:?}");
        }
        for (id, key) in &self.rules.keys {
            assert_eq!(i128::from(key.used.in_flight), self.naive.under_way(id.0), "{id:?}");
        }
    }
}

fn same(ours: Usd, theirs: i128, of: &impl Debug) {
    assert_eq!(i128::from(ours.nanos()), theirs, "{of:?}");
}

/// `TOLLGATE_STEPS` says how many steps there are, where it is not so many.
const STEPS: usize = 1_000_000;
const STEPS_OF_A_HISTORY: usize = 60;

#[test]
fn every_decision_about_keys_is_the_naive_models() {
    let steps = std::env::var("TOLLGATE_STEPS").map_or(STEPS, |steps| steps.parse().unwrap());
    for history in 0..steps.div_ceil(STEPS_OF_A_HISTORY) {
        let run = || {
            let mut dice = Dice::new(history as u64);
            let mut played = Played::begin(&mut dice);
            for step in 0..STEPS_OF_A_HISTORY {
                played.step(&mut dice);
                if step % 8 == 7 {
                    played.compare();
                }
            }
            played.compare();
        };
        let played = std::panic::catch_unwind(run);
        assert!(played.is_ok(), "history {history}");
    }
}
