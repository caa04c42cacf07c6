//! The state of an order, for the payer who comes back from its checkout page.

use std::net::IpAddr;

use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::Usd;
use tollgate_store::StoreError;

use super::{Checkouts, sql, token};

/// The state and amount that an order's token gives access to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OrderState {
    pub(super) state: State,
    /// The credited amount; before the credit, the amount to pay.
    pub(super) amount: Usd,
}

/// The reason for which nothing is shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum StateRefused {
    /// There is no such order, or it has another token, or none.
    #[error("there is no order of that name and token")]
    NotFound,
    /// Too many wrong tokens of that address within a minute; the seconds until the next try.
    #[error("too many questions without the order's token")]
    TooMany(u32),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Checkouts {
    /// The state and amount of the order of that name, if the token is its own.
    pub(super) async fn state_of(
        &self,
        trade_no: &str,
        presented: &str,
        client: Option<IpAddr>,
    ) -> Result<OrderState, StateRefused> {
        let topups = self.topups();
        let found = sql::token_of(topups.store.readers(), trade_no).await?;
        let kept = found.as_ref().and_then(|found| found.token_sha256.as_deref());
        let is_own = token::is_of(presented, kept);
        let order = match found.filter(|_| is_own) {
            Some(found) => topups.order(found.order).await?,
            None => None,
        };
        // Refusals alone count: nobody behind the same address can keep a payer out.
        let Some(order) = order else {
            let counted = self.0.token_refusals.count_from(client, topups.now_ms());
            return Err(counted.err().map_or(StateRefused::NotFound, StateRefused::TooMany));
        };
        let amount = order.credited().map_or(order.amount, |(credited, _)| credited);
        Ok(OrderState { state: order.state_at(topups.now_ms()), amount })
    }
}
