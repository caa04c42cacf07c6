//! Money that is on its way: it is named and taken by an order before anything is sent, and given up when it is certain that it
//! will not come.

use crate::base::OrderId;
use crate::generated::limits;
use crate::generated::machines::payment::State as PaymentState;
use crate::generated::machines::topup_order::{AnyRow, Row, State, at};
use crate::store::{StoreError, Transaction};

use super::commit::{Step, commit};
use super::sql::moves;
use super::sql::payments::{self, Decided};
use super::{CapExceeded, Failed, Order, Rail, Topups, caps, sql};

/// Payments of an order that may come to nothing: each of them cost us a transaction.
const TRIES_MAX: i64 = 3;
/// The last place that an order can go back to.
const PLACE_MAX: i64 = 99;
/// What a payment that came to nothing by its payer's doing counts as beside one that is on its way.
const FRUITLESS_COUNTS: i64 = 3;
/// As long it counts.
const FRUITLESS_MS: i64 = 3_600_000;
/// No payment of an older order is on its way: an authorization is good for a day at most.
const ORDERS_MS: i64 = 3 * 86_400_000;

/// A payment, as the world outside knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPayment {
    /// A chain by its CAIP-2 id, or a payment provider by its name in the configuration.
    pub source: String,
    /// What it is called there: the name of what can be paid once alone.
    pub reference: String,
    /// The token or currency.
    pub asset: String,
    /// In the smallest units of the asset.
    pub amount: String,
    /// Who pays, where that is known.
    pub payer: Option<String>,
    /// What people find it by, where that is known already.
    pub receipt: Option<String>,
}

/// A payment that an order has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Its number here.
    pub id: i64,
    /// Its order.
    pub order: OrderId,
    /// What is known of it.
    pub state: PaymentState,
    /// What it is.
    pub new: NewPayment,
    /// Unix time in milliseconds.
    pub claimed_at_ms: i64,
}

/// A payment is on its way for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The order, which is settling.
    pub order: Order,
    /// The payment.
    pub payment: Payment,
}

/// Why an order did not take a payment. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ClaimRefused {
    /// No such order.
    #[error("there is no such order")]
    NoSuchOrder,
    /// Its time is over, or it has failed.
    #[error("the order is past its validity")]
    Expired(State),
    /// Another payment for it is on its way.
    #[error("a payment for the order is being settled")]
    Settling,
    /// It has been credited.
    #[error("the order has been paid and credited")]
    Settled,
    /// The payment is another order's.
    #[error("the payment was used for another order")]
    Used,
    /// Its agent may not pay that much now.
    #[error(transparent)]
    Cap(#[from] CapExceeded),
    /// So many payments of its account are on their way or have come to nothing, each of which may cost us a fee.
    #[error("too many payments of the account are on their way, or were refused by the chain within the last hour")]
    AtStake,
    /// Our account on its chain has spent as much as it may on payments that have not come.
    #[error("our account on the chain has spent as much on fees as it may within an hour")]
    FeesSpent,
    /// The store failed; whether it was taken is told by asking again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where the money of a payment is when it is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Money {
    /// With the payer still.
    Expected,
    /// With us, by somebody else's transaction.
    There,
}

/// What became of an order whose payment was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenUp {
    /// It waits again.
    Waits,
    /// Its time was over, so it has failed.
    Failed,
    /// Neither: it is settled otherwise, or was not settling.
    Untouched,
}

impl Topups {
    /// Takes a payment for an order that waits, with what else `beside` writes in the same transaction. Nothing may be sent
    /// before this returns; from then on the order is settling, and whoever took it sees it through, after a crash as well.
    ///
    /// # Errors
    /// When the order does not wait, the payment is another's, the agent's caps do not hold it, `beside` refuses it, or the store
    /// fails.
    pub async fn claim(
        &self,
        order: OrderId,
        new: &NewPayment,
        beside: impl AsyncFnOnce(&mut Transaction, &Payment) -> Result<(), ClaimRefused>,
    ) -> Result<Claimed, ClaimRefused> {
        self.claim_as(order, new, Money::Expected, beside).await
    }

    /// The same for a payment whose money is there already, or may be. It costs us no fee, so nothing is at stake; and as with
    /// money that comes late, no cap keeps it from being credited: it was paid. Past a cap, an alarm tells of it.
    ///
    /// # Errors
    /// When the order does not wait, the payment is another's, or the store fails.
    pub async fn claim_carried(
        &self,
        order: OrderId,
        new: &NewPayment,
        beside: impl AsyncFnOnce(&mut Transaction, &Payment) -> Result<(), ClaimRefused>,
    ) -> Result<Claimed, ClaimRefused> {
        self.claim_as(order, new, Money::There, beside).await
    }

    async fn claim_as(
        &self,
        order: OrderId,
        new: &NewPayment,
        money: Money,
        beside: impl AsyncFnOnce(&mut Transaction, &Payment) -> Result<(), ClaimRefused>,
    ) -> Result<Claimed, ClaimRefused> {
        let now_ms = self.clock.now_ms();
        let mut transaction = self.store.begin().await?;
        let order = sql::find(&mut transaction, order).await?.ok_or(ClaimRefused::NoSuchOrder)?;
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => row,
            AnyRow::Pending(_) | AnyRow::Expired(_) => return Err(ClaimRefused::Expired(State::Expired)),
            AnyRow::Failed(_) => return Err(ClaimRefused::Expired(State::Failed)),
            AnyRow::Settling(_) => return Err(ClaimRefused::Settling),
            AnyRow::Success(_) => return Err(ClaimRefused::Settled),
        };
        if payments::find(&mut transaction, &new.source, &new.reference).await?.is_some() {
            return Err(ClaimRefused::Used);
        }
        if money == Money::Expected {
            has_little_at_stake(&mut transaction, row.data(), now_ms).await?;
        }
        let payment = payments::claim(&mut transaction, row.data().id, new, now_ms).await?;
        let row = moves::begin(&mut transaction, &self.rights, row, now_ms).await?;
        let exceeded = caps::count(&mut transaction, row.data(), now_ms).await?;
        if let Some(exceeded) = exceeded.filter(|_| money == Money::Expected) {
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
        Ok(Claimed { order: Order { state: State::Settling, ..row.into_data() }, payment })
    }

    /// Gives up a payment of which it is certain that it did not come and will not. The order waits again where it still may,
    /// or else has failed for the reason that is given.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn give_up(&self, source: &str, reference: &str, why: &Failed) -> Result<GivenUp, StoreError> {
        let now_ms = self.clock.now_ms();
        let mut transaction = self.store.begin().await?;
        let Some(payment) = payments::find(&mut transaction, source, reference).await? else {
            return Ok(GivenUp::Untouched);
        };
        if !payments::decide(&mut transaction, &self.rights.payments, &payment, Decided::Void, None, now_ms).await? {
            return Ok(GivenUp::Untouched);
        }
        let order = sql::find(&mut transaction, payment.order).await?;
        let others = payments::open_of(&mut transaction, payment.order).await?;
        let given_up = match order.map(|order| AnyRow::read(order.state, order)) {
            // Another payment of the order may still come.
            Some(AnyRow::Settling(row)) if others.is_empty() => {
                self.leave_settling(&mut transaction, row, why, now_ms).await?
            }
            _ => GivenUp::Untouched,
        };
        commit(transaction, Step::GiveUp, "a payment that did not come").await?;
        Ok(given_up)
    }

    async fn leave_settling(
        &self,
        transaction: &mut Transaction,
        row: Row<at::Settling, Order>,
        why: &Failed,
        now_ms: i64,
    ) -> Result<GivenUp, StoreError> {
        sql::caps::uncount(transaction, row.data().id).await?;
        let tries = payments::given_up_of(transaction, row.data().id).await?;
        if !row.data().is_valid(now_ms) || tries >= TRIES_MAX {
            moves::fail(transaction, &self.rights, row, why, now_ms).await?;
            return Ok(GivenUp::Failed);
        }
        let place = match row.data().rail {
            Rail::X402 => {
                let taken = sql::places(transaction, row.data().account).await?;
                let Some(free) = (1..=PLACE_MAX).find(|place| !taken.contains(place)) else {
                    moves::fail(transaction, &self.rights, row, why, now_ms).await?;
                    return Ok(GivenUp::Failed);
                };
                Some(free)
            }
            Rail::Crypto | Rail::Ewallet => None,
        };
        moves::give_back(transaction, &self.rights, row, place, now_ms).await?;
        Ok(GivenUp::Waits)
    }
}

/// Whoever moves the money away before the chain takes it has us pay for nothing: counted where all servers count.
async fn has_little_at_stake(transaction: &mut Transaction, order: &Order, now_ms: i64) -> Result<(), ClaimRefused> {
    let window = payments::Window {
        counts: FRUITLESS_COUNTS,
        since_ms: now_ms - FRUITLESS_MS,
        orders_since_ms: now_ms - ORDERS_MS,
    };
    let at_stake = payments::at_stake(transaction, order.account, window).await?;
    if at_stake >= i64::from(limits::PAYMENTS_AT_STAKE) {
        return Err(ClaimRefused::AtStake);
    }
    Ok(())
}
