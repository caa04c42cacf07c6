//! Payments on their way: a payment is named and claimed by an order before anything is sent, and given up when it is certain that
//! it will not come.

use crate::commit::{Step, commit};
use crate::orders::{caps, sql as orders};
use crate::{CapExceeded, CreditOrder, NewPayment, OrderFailure, OrderPayment, PaymentRail, Topups};
use tollgate_api::generated::limits;
use tollgate_api::generated::machines::topup_order::{AnyRow, Row, State, at};
use tollgate_base::OrderId;
use tollgate_store::{StoreError, StoreTransaction};

use super::sql::{self, PaymentDecision, moves};

/// Payments of an order that may fail before the order does: each of them cost us a transaction.
const TRIES_MAX: i64 = 3;
/// The last place that an order can go back to.
const PLACE_MAX: i64 = 99;
/// The weight of a payment that failed by its payer's doing; one that is on its way weighs 1.
const FRUITLESS_COUNTS: i64 = 3;
/// The time for which a failed payment is counted, in milliseconds.
const FRUITLESS_MS: i64 = 3_600_000;
/// The age of an order, in milliseconds, beyond which no payment of it is on its way. An authorization is valid for a day at most.
const ORDERS_MS: i64 = 3 * 86_400_000;

/// A payment that is on its way for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentClaim {
    /// The order, which is settling.
    pub order: CreditOrder,
    /// The payment.
    pub payment: OrderPayment,
}

/// The reason for which an order did not claim a payment. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ClaimRefused {
    /// There is no such order.
    #[error("there is no such order")]
    NoSuchOrder,
    /// The order's time is over, or it has failed.
    #[error("the order is past its validity")]
    Expired(State),
    /// Another payment for the order is on its way.
    #[error("a payment for the order is being settled")]
    Settling,
    /// The order has been credited.
    #[error("the order has been paid and credited")]
    Settled,
    /// The payment belongs to another order.
    #[error("the payment was used for another order")]
    Used,
    /// The agent may not pay that much now.
    #[error(transparent)]
    Cap(#[from] CapExceeded),
    /// Too many payments of the account are on their way or have failed; each may cost us a fee.
    #[error("too many payments of the account are on their way, or were refused by the chain within the last hour")]
    AtStake,
    /// Our account on the chain has spent its budget for payments that have not come.
    #[error("our account on the chain has spent as much on fees as it may within an hour")]
    FeesSpent,
    /// The store failed; a repeated call shows whether the payment was claimed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The place of a payment's money when it is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoneyLocation {
    /// The payer still has it.
    Expected,
    /// We have it, or may have it, by somebody else's transaction.
    There,
}

/// The new state of an order whose payment was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveUpOutcome {
    /// The order is pending again.
    Waits,
    /// The order's time was over, so it has failed.
    Failed,
    /// The order was not moved: it is settled otherwise, or was not settling.
    Untouched,
}

impl Topups {
    /// Claims a payment for an order that waits, together with the rows that `beside` writes in the same transaction. Nothing may
    /// be sent before this returns. From then on the order is settling, and the rail follows the payment to its end, after a crash
    /// as well.
    ///
    /// # Errors
    /// When the order does not wait, the payment is another's, the agent's caps do not hold it, `beside` refuses it, or the store
    /// fails.
    pub async fn claim(
        &self,
        order: OrderId,
        new: &NewPayment,
        beside: impl AsyncFnOnce(&mut StoreTransaction, &OrderPayment) -> Result<(), ClaimRefused>,
    ) -> Result<PaymentClaim, ClaimRefused> {
        self.claim_as(order, new, MoneyLocation::Expected, beside).await
    }

    /// Claims a payment whose money is there already, or may be. It costs us no fee, so the account's limit of payments at stake
    /// does not apply. It was paid, so no cap keeps it from being credited, as with money that comes late; past a cap there is an
    /// alarm.
    ///
    /// # Errors
    /// When the order does not wait, the payment is another's, or the store fails.
    pub async fn claim_carried(
        &self,
        order: OrderId,
        new: &NewPayment,
        beside: impl AsyncFnOnce(&mut StoreTransaction, &OrderPayment) -> Result<(), ClaimRefused>,
    ) -> Result<PaymentClaim, ClaimRefused> {
        self.claim_as(order, new, MoneyLocation::There, beside).await
    }

    async fn claim_as(
        &self,
        order: OrderId,
        new: &NewPayment,
        money: MoneyLocation,
        beside: impl AsyncFnOnce(&mut StoreTransaction, &OrderPayment) -> Result<(), ClaimRefused>,
    ) -> Result<PaymentClaim, ClaimRefused> {
        let now_ms = self.clock.now_ms();
        let mut transaction = self.store.begin().await?;
        let order = orders::find(&mut transaction, order).await?.ok_or(ClaimRefused::NoSuchOrder)?;
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => row,
            AnyRow::Pending(_) | AnyRow::Expired(_) => return Err(ClaimRefused::Expired(State::Expired)),
            AnyRow::Failed(_) => return Err(ClaimRefused::Expired(State::Failed)),
            AnyRow::Settling(_) => return Err(ClaimRefused::Settling),
            AnyRow::Success(_) => return Err(ClaimRefused::Settled),
        };
        if sql::find(&mut transaction, &new.source, &new.reference).await?.is_some() {
            return Err(ClaimRefused::Used);
        }
        if money == MoneyLocation::Expected {
            has_little_at_stake(&mut transaction, row.data(), now_ms).await?;
        }
        let payment = sql::claim(&mut transaction, row.data().id, new, now_ms).await?;
        let row = moves::begin(&mut transaction, &self.rights, row, now_ms).await?;
        let exceeded = caps::count(&mut transaction, row.data(), now_ms).await?;
        if let Some(exceeded) = exceeded.filter(|_| money == MoneyLocation::Expected) {
            return Err(exceeded.into());
        }
        beside(&mut transaction, &payment).await?;
        commit(transaction, Step::Claim, "a payment").await?;
        if let Some(CapExceeded { of, cap }) = exceeded {
            let order = row.data();
            let (agent, network) = (order.agent.map(|agent| agent.to_string()), payment.new.source.as_str());
            tracing::error!(
                target: "alarm", alarm = "cap_passed", order = %order.id, agent, network, amount_usd = %order.amount, cap_usd = %cap, %of,
                "an agent's wallet has paid past a cap of it by carrying the payment to the chain itself: the money is there, so it \
                 is credited; whoever owns the agent may want to know"
            );
        }
        Ok(PaymentClaim { order: CreditOrder { state: State::Settling, ..row.into_data() }, payment })
    }

    /// Gives up a payment of which it is certain that it did not come and will not. The order becomes pending again while it is
    /// valid, or else fails with this reason.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn give_up(
        &self,
        source: &str,
        reference: &str,
        why: &OrderFailure,
    ) -> Result<GiveUpOutcome, StoreError> {
        let now_ms = self.clock.now_ms();
        let mut transaction = self.store.begin().await?;
        let Some(payment) = sql::find(&mut transaction, source, reference).await? else {
            return Ok(GiveUpOutcome::Untouched);
        };
        if !sql::decide(&mut transaction, &self.rights.payments, &payment, PaymentDecision::Void, None, now_ms).await? {
            return Ok(GiveUpOutcome::Untouched);
        }
        let order = orders::find(&mut transaction, payment.order).await?;
        let others = sql::open_of(&mut transaction, payment.order).await?;
        let given_up = match order.map(|order| AnyRow::read(order.state, order)) {
            // Another payment of the order may still come.
            Some(AnyRow::Settling(row)) if others.is_empty() => {
                self.leave_settling(&mut transaction, row, why, now_ms).await?
            }
            _ => GiveUpOutcome::Untouched,
        };
        commit(transaction, Step::GiveUp, "a payment that did not come").await?;
        Ok(given_up)
    }

    async fn leave_settling(
        &self,
        transaction: &mut StoreTransaction,
        row: Row<at::Settling, CreditOrder>,
        why: &OrderFailure,
        now_ms: i64,
    ) -> Result<GiveUpOutcome, StoreError> {
        orders::caps::uncount(transaction, row.data().id).await?;
        let tries = sql::given_up_of(transaction, row.data().id).await?;
        if !row.data().is_valid(now_ms) || tries >= TRIES_MAX {
            moves::fail(transaction, &self.rights, row, why, now_ms).await?;
            return Ok(GiveUpOutcome::Failed);
        }
        let place = match row.data().rail {
            PaymentRail::X402 => {
                let taken = orders::places(transaction, row.data().account).await?;
                let Some(free) = (1..=PLACE_MAX).find(|place| !taken.contains(place)) else {
                    moves::fail(transaction, &self.rights, row, why, now_ms).await?;
                    return Ok(GiveUpOutcome::Failed);
                };
                Some(free)
            }
            PaymentRail::Crypto | PaymentRail::Ewallet => None,
        };
        moves::give_back(transaction, &self.rights, row, place, now_ms).await?;
        Ok(GiveUpOutcome::Waits)
    }
}

/// Checks that the account has few payments at stake, over all servers. A payer who moves the money away before the chain takes the
/// payment makes us pay a fee for nothing.
async fn has_little_at_stake(
    transaction: &mut StoreTransaction,
    order: &CreditOrder,
    now_ms: i64,
) -> Result<(), ClaimRefused> {
    let window = sql::StakeWindow {
        counts: FRUITLESS_COUNTS,
        since_ms: now_ms - FRUITLESS_MS,
        orders_since_ms: now_ms - ORDERS_MS,
    };
    let at_stake = sql::at_stake(transaction, order.account, window).await?;
    if at_stake >= i64::from(limits::PAYMENTS_AT_STAKE) {
        return Err(ClaimRefused::AtStake);
    }
    Ok(())
}
