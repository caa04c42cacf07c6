//! An order for credit, and its names.

use crate::PaymentRail;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{AccountId, AgentId, OrderId, Usd, draw_id, draw_text};

/// An order as its row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditOrder {
    /// Its number: random, so that nobody counts orders or meets another's by trying.
    pub id: OrderId,
    /// Its name, which payment providers know it by too.
    pub trade_no: String,
    /// The account that is credited.
    pub account: AccountId,
    /// The agent of that account that pays, where the order is bound to one.
    pub agent: Option<AgentId>,
    /// The rail on which it is paid.
    pub rail: PaymentRail,
    /// The amount that is paid and credited.
    pub amount: Usd,
    /// The state in its row; [`Self::state_at`] is the state to show.
    pub state: State,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// The end of its validity, unix time in milliseconds.
    pub expires_at_ms: i64,
    /// The time of the credit, unix time in milliseconds.
    pub settled_at_ms: Option<i64>,
    /// The reason of the failure, where it failed.
    pub failed: Option<OrderFailure>,
    /// The payment's name for people: a transaction on chain, or the provider's number.
    pub receipt: Option<String>,
    /// The credit that an operator gave for payments of it that were set aside or given up.
    pub resolved: Option<ResolvedCredit>,
}

/// Credit that an operator has decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedCredit {
    /// The sum over all payments of the order.
    pub amount: Usd,
    /// The time of the last of these credits, unix time in milliseconds.
    pub at_ms: i64,
}

/// The reason for which an order failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderFailure {
    /// For programs.
    pub code: String,
    /// For people.
    pub detail: String,
}

impl CreditOrder {
    /// True if it can still be paid.
    #[must_use]
    pub const fn is_valid(&self, now_ms: i64) -> bool {
        self.expires_at_ms > now_ms
    }

    /// The state to show. An order whose time is over is expired, written down or not. One that had failed, expired or waited has
    /// succeeded once an operator has credited a payment of it.
    #[must_use]
    pub fn state_at(&self, now_ms: i64) -> State {
        match (self.state, self.resolved) {
            (State::Pending | State::Failed | State::Expired, Some(_)) => State::Success,
            (State::Pending, None) if !self.is_valid(now_ms) => State::Expired,
            (state, _) => state,
        }
    }

    /// The credited amount and its time in unix milliseconds, where the order has succeeded by [`Self::state_at`].
    #[must_use]
    pub fn credited(&self) -> Option<(Usd, Option<i64>)> {
        match (self.state, self.resolved) {
            (State::Success, _) => Some((self.amount, self.settled_at_ms)),
            (State::Pending | State::Failed | State::Expired, Some(by_hand)) => {
                Some((by_hand.amount, Some(by_hand.at_ms)))
            }
            (State::Pending | State::Failed | State::Expired, None) | (State::Settling, _) => None,
        }
    }
}

/// A fresh number and a fresh name.
pub(super) fn draw_names() -> (OrderId, String) {
    (OrderId(draw_id(1)), format!("tg{}", draw_text::<26>()))
}
