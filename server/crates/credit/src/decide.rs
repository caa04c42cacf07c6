//! A batch of operations becomes a plan: each decided by `rules` in the order of arrival, each seeing the ones before.

use super::backend::{BatchPlan, NewHold, NewRate, NewReceipt, Touched};
use super::claim_key;
use super::claims::{self, ClaimEnd};
use super::hold::{ResolveHold, TakeHold, WriterOperation};
use super::limits::{BudgetPeriod, RateLimitState};
use super::live_holds::LiveHolds;
use super::rules::{HoldEndRefused, KeyReserveRefused, LoadedRows, ReserveRefused, ReserveRequest, ReservedMoney};
use super::{BilledUsage, BudgetHolder, HoldRefused, HoldRequest, SettledAmounts};
use tollgate_api::ClaimState;
use tollgate_base::{HoldId, Usd};

/// The most bytes in the name of a model, or in the version of a price list.
const MODEL_BYTES_MAX: usize = 256;

/// The decision on an operation, to be told once the plan is on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperationDecision {
    Held {
        id: HoldId,
        amount: Usd,
        standing: RateLimitState,
    },
    HoldRefused(HoldRefused),
    /// With the state of the claim that ends with the hold.
    Resolved(SettledAmounts, ClaimState),
    ResolveRefused(HoldEndRefused),
}

/// The accounts, holds, keys and claims that a batch has to read before it can be decided.
pub(super) fn touched(operations: &[WriterOperation], now_ms: i64) -> Touched {
    let mut touched = Touched { now_ms, ..Touched::default() };
    for operation in operations {
        match operation {
            WriterOperation::Hold(take) => {
                touched.accounts.push(take.ask.account);
                touched.keys.push(take.ask.key);
                touched.new_holds += 1;
                touched.claims.extend(take.ask.claim.as_deref().map(claim_key::key));
            }
            WriterOperation::Resolve(resolve) => {
                touched.accounts.push(resolve.account);
                touched.holds.push(resolve.hold);
            }
        }
    }
    touched.accounts.sort_unstable();
    touched.accounts.dedup();
    touched.keys.sort_unstable();
    touched.keys.dedup();
    touched.claims.sort_unstable();
    touched.claims.dedup();
    touched
}

/// Decides each operation. `loaded` is changed as the database will be by the plan.
pub(super) fn decide<'a>(
    operations: &'a [WriterOperation],
    loaded: &mut LoadedRows,
    in_hand: &LiveHolds,
    epoch: i64,
    now_ms: i64,
) -> (BatchPlan<'a>, Vec<OperationDecision>) {
    let mut plan = BatchPlan { epoch, now_ms, ..BatchPlan::default() };
    let verdicts = operations.iter().map(|operation| match operation {
        WriterOperation::Hold(take) => hold(take, loaded, &mut plan),
        WriterOperation::Resolve(resolve) => end(resolve, loaded, in_hand, &mut plan),
    });
    let verdicts = verdicts.collect();
    let used = |key| Some(NewRate { key, used: loaded.keys.get(&key).filter(|key| key.limits.rated())?.used });
    plan.rates = loaded.rated.iter().copied().filter_map(used).collect();
    (plan, verdicts)
}

fn hold<'a>(take: &'a TakeHold, loaded: &mut LoadedRows, plan: &mut BatchPlan<'a>) -> OperationDecision {
    let ask = &take.ask;
    if let Some(why) = contradiction(ask, plan.now_ms) {
        return OperationDecision::HoldRefused(HoldRefused::Invalid(why));
    }
    if let Some(other) = ask.claim.as_deref().and_then(|claim| claims::holder(claim, loaded)) {
        return OperationDecision::HoldRefused(HoldRefused::Claimed(other));
    }
    let taking = ReserveRequest {
        account: ask.account,
        key: ask.key,
        want: ask.want,
        least: ask.least,
        tokens: i64::try_from(ask.tokens).unwrap_or(i64::MAX),
        // What is kept takes its time, and nobody waits for it.
        in_flight: take.rider.is_empty(),
        now_ms: plan.now_ms,
    };
    match loaded.take(&taking) {
        Ok(taken) => {
            let id = loaded.next_hold();
            plan.claims.extend(ask.claim.as_deref().filter(|claim| claims::take(claim, loaded)));
            let (price_id, rider) = (ask.price.id(), &take.rider[..]);
            let ReservedMoney { amount, counted, pooled, standing } = taken;
            plan.holds.push(NewHold { id, price_id, amount, ask, rider, counted, pooled });
            OperationDecision::Held { id, amount, standing }
        }
        Err(refused) => OperationDecision::HoldRefused(hold_refusal(refused, ask.least, plan.now_ms)),
    }
}

fn end<'a>(
    resolve: &'a ResolveHold,
    loaded: &mut LoadedRows,
    in_hand: &LiveHolds,
    plan: &mut BatchPlan<'a>,
) -> OperationDecision {
    let ending = &resolve.ending;
    let charge = if !is_its_own(resolve, loaded) {
        Err(HoldEndRefused::NotOpen)
    } else if ending.if_expired && in_hand.contains(resolve.hold) {
        Err(HoldEndRefused::NotExpired)
    } else if ending.if_expired {
        loaded.expire(resolve.hold, plan.now_ms)
    } else {
        loaded.resolve(resolve.hold, ending.cost, tokens(ending.usage.as_ref()))
    };
    match charge {
        Ok(charge) => {
            plan.receipts.push(NewReceipt {
                hold: resolve.hold,
                request: loaded.holds.get(&resolve.hold).and_then(|hold| hold.request),
                charged: charge.charged,
                shortfall: charge.shortfall,
                ending,
            });
            let claim = resolve.claim.as_deref();
            let ended = claim.map(|claim| claims::end(claim, ending, charge.charged, &mut plan.replies));
            let state = ended.as_ref().map_or(ClaimState::Released, ClaimEnd::state);
            plan.claims_ended.extend(ended);
            OperationDecision::Resolved(SettledAmounts { charged: charge.charged, shortfall: charge.shortfall }, state)
        }
        Err(refused) => OperationDecision::ResolveRefused(refused),
    }
}

/// True if the row with the number of the hold is that hold, or there is none. Numbers are given once more where a standby
/// takes over without the last commits, or a database is set back in time, while servers still have live holds.
fn is_its_own(resolve: &ResolveHold, loaded: &LoadedRows) -> bool {
    let Some(found) = loaded.holds.get(&resolve.hold) else { return true };
    found.account == resolve.account && resolve.request.is_none_or(|request| found.request == Some(request))
}

fn contradiction(ask: &HoldRequest, now_ms: i64) -> Option<&'static str> {
    if ask.least < Usd::ZERO || ask.want < ask.least {
        return Some("the wanted amount is below the least one, or the least one is negative");
    }
    if ask.expires_at_ms <= now_ms {
        return Some("it expires before it begins");
    }
    (ask.model.len() > MODEL_BYTES_MAX || ask.price.version.len() > MODEL_BYTES_MAX).then_some("a name is too long")
}

/// The tokens that count against the rate of a key: those of the prompt and of the answer.
fn tokens(usage: Option<&BilledUsage>) -> i64 {
    usage.map_or(0, |usage| i64::try_from(usage.prompt.saturating_add(usage.completion)).unwrap_or(i64::MAX))
}

fn hold_refusal(refused: KeyReserveRefused, needed: Usd, now_ms: i64) -> HoldRefused {
    match refused {
        KeyReserveRefused::Money(ReserveRefused::NoSuchAccount) => HoldRefused::NoSuchAccount,
        KeyReserveRefused::Money(ReserveRefused::Insufficient(now)) => {
            HoldRefused::Insufficient { needed, available: now.available(), held: now.held }
        }
        KeyReserveRefused::Money(ReserveRefused::TiedUp(now)) => {
            HoldRefused::TiedUp { needed, available: now.available(), held: now.held }
        }
        KeyReserveRefused::BudgetTiedUp { holder: BudgetHolder::Key, window, .. } => {
            HoldRefused::TiedUp { needed, available: window.room(), held: window.held }
        }
        KeyReserveRefused::BudgetTiedUp { holder, period, window } => {
            HoldRefused::BudgetTiedUp { holder, period, needed, left: window.room(), held: window.held }
        }
        KeyReserveRefused::OverBudget { holder, period, window } => HoldRefused::OverBudget {
            holder,
            period,
            needed,
            budget: window.budget,
            used: window.used(),
            resets_at_ms: BudgetPeriod::ends_at_ms(period, now_ms),
        },
        KeyReserveRefused::Revoked => HoldRefused::KeyRevoked,
        KeyReserveRefused::Expired => HoldRefused::KeyExpired,
        KeyReserveRefused::AccountFrozen => HoldRefused::AccountFrozen,
        KeyReserveRefused::TooSoon(why) => HoldRefused::TooSoon(why),
    }
}
