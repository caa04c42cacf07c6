//! Making an order.

use crate::commit::{Step, commit};
use crate::{CapExceeded, CreditOrder, PaymentRail, Topups};
use tollgate_api::UsdBounds;
use tollgate_api::generated::limits;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{AccountId, AgentId, Usd};
use tollgate_store::{StoreError, StoreTransaction};

use super::order::draw_names;
use super::{caps, sql};

/// A request for an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewOrder {
    /// The account that pays and is credited.
    pub account: AccountId,
    /// The agent that pays, where one does: the order counts against its caps.
    pub agent: Option<AgentId>,
    /// The rail on which the order is paid.
    pub rail: PaymentRail,
    /// The amount, in US dollars.
    pub amount: Usd,
}

/// The reason for which no order was made.
#[derive(Debug, thiserror::Error)]
pub enum OpenRefused {
    /// The rail is off.
    #[error("the rail {0} is switched off")]
    Off(PaymentRail),
    /// The amount lies outside these bounds.
    #[error("the amount is outside the bounds of the rail")]
    Amount(UsdBounds),
    /// This many orders wait already.
    #[error("{0} orders wait for payment already")]
    TooMany(i64),
    /// The agent may not pay that much. A cap per order or per day is smaller, or what is left of the one for its life.
    #[error(transparent)]
    Cap(#[from] CapExceeded),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Topups {
    /// Makes an order that waits for payment.
    ///
    /// # Errors
    /// When the rail is off, the amount outside its bounds, too many orders of an agent's rail wait, its agent may not
    /// pay that much, or the store fails.
    pub async fn open(&self, new: NewOrder) -> Result<CreditOrder, OpenRefused> {
        let mut transaction = self.store.begin_of(new.account).await?;
        let order = self.open_in(&mut transaction, new).await?;
        commit(transaction, Step::Open, "an order").await?;
        Ok(order)
    }

    /// Makes an order inside a transaction of the caller's, with which the rail writes its own rows.
    pub(crate) async fn open_in(
        &self,
        transaction: &mut StoreTransaction,
        NewOrder { account, agent, rail, amount }: NewOrder,
    ) -> Result<CreditOrder, OpenRefused> {
        if !self.config.rail(rail).enabled {
            return Err(OpenRefused::Off(rail));
        }
        let bounds = self.config.bounds(rail);
        if amount <= Usd::ZERO || !bounds.allow(amount) {
            return Err(OpenRefused::Amount(bounds));
        }
        let now_ms = self.clock.now_ms();
        if let Some(agent) = agent
            && let Some(exceeded) = caps::could_fit(transaction, agent, amount, now_ms).await?
        {
            return Err(exceeded.into());
        }
        let place = match rail {
            PaymentRail::X402 => Some(self.free_place(transaction, account, now_ms).await?),
            PaymentRail::Crypto | PaymentRail::Ewallet => None,
        };
        let validity_ms = i64::try_from(limits::ORDER_VALIDITY.as_millis()).unwrap_or(i64::MAX);
        let (id, trade_no) = draw_names();
        let order = CreditOrder {
            id,
            trade_no,
            account,
            agent,
            rail,
            amount,
            state: State::START,
            created_at_ms: now_ms,
            expires_at_ms: now_ms.saturating_add(validity_ms),
            settled_at_ms: None,
            failed: None,
            receipt: None,
            resolved: None,
        };
        sql::open(transaction, &order, place).await?;
        Ok(order)
    }

    /// A free place among the few that an account has for waiting orders; places of expired orders are freed first. Two requests at
    /// the same time get the same place, and the database gives it to one of them; in the write queue they come one after the
    /// other.
    async fn free_place(
        &self,
        transaction: &mut StoreTransaction,
        account: AccountId,
        now_ms: i64,
    ) -> Result<i64, OpenRefused> {
        for lapsed in sql::lapsed_of(transaction, account, now_ms).await? {
            self.expire(transaction, lapsed, now_ms).await?;
        }
        let taken = sql::places(transaction, account).await?;
        let most = i64::from(limits::X402_PENDING_ORDERS);
        let waiting = i64::try_from(taken.len()).unwrap_or(i64::MAX);
        let free = (1..=most).find(|place| !taken.contains(place));
        free.filter(|_| waiting < most).ok_or(OpenRefused::TooMany(waiting))
    }
}
