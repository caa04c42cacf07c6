//! An order for credit, and its names.

use std::fmt;

use crate::base::{AccountId, AgentId, OrderId, Usd, draw_id, draw_text};
use crate::generated::machines::topup_order::State;

/// A way to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rail {
    /// A person signs in a wallet.
    Crypto,
    /// An agent signs by program.
    X402,
    /// Hosted checkout of an e-wallet.
    Ewallet,
}

impl Rail {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Crypto, Self::X402, Self::Ewallet];

    /// As rows and clients have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Crypto => "crypto",
            Self::X402 => "x402",
            Self::Ewallet => "ewallet",
        }
    }

    /// Whether it is paid on a chain.
    #[must_use]
    pub const fn is_on_chain(self) -> bool {
        match self {
            Self::Crypto | Self::X402 => true,
            Self::Ewallet => false,
        }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rail| rail.as_str() == text)
    }
}

impl fmt::Display for Rail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An order, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its number: random, so that nobody counts orders or meets another's by trying.
    pub id: OrderId,
    /// Its name, which payment providers know it by too.
    pub trade_no: String,
    /// Who is credited.
    pub account: AccountId,
    /// Which agent of that account pays, where the order is bound to one.
    pub agent: Option<AgentId>,
    /// How it is paid.
    pub rail: Rail,
    /// What is paid and credited.
    pub amount: Usd,
    /// Where it stands.
    pub state: State,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// Until when it can be paid, unix time in milliseconds.
    pub expires_at_ms: i64,
    /// When it was credited, unix time in milliseconds.
    pub settled_at_ms: Option<i64>,
    /// Why it failed, where it did.
    pub failed: Option<Failed>,
    /// What people find its payment by: a transaction on chain, or the provider's number.
    pub receipt: Option<String>,
    /// What an operator has credited of its payments that were set aside or given up.
    pub resolved: Option<ResolvedCredit>,
}

/// Credit that an operator has decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedCredit {
    /// How much, of all payments together.
    pub amount: Usd,
    /// When the last of it was, unix time in milliseconds.
    pub at_ms: i64,
}

/// Why an order failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// For programs.
    pub code: String,
    /// For people.
    pub detail: String,
}

impl Order {
    /// Whether it can still be paid.
    #[must_use]
    pub const fn is_valid(&self, now_ms: i64) -> bool {
        self.expires_at_ms > now_ms
    }

    /// Where it stands for whoever looks at it. Once its time is over it is expired, whether or not that was written down; and it
    /// has succeeded once an operator has credited a payment of it, where it had failed or would wait for another one.
    #[must_use]
    pub fn state_at(&self, now_ms: i64) -> State {
        match (self.state, self.resolved) {
            (State::Pending | State::Failed | State::Expired, Some(_)) => State::Success,
            (State::Pending, None) if !self.is_valid(now_ms) => State::Expired,
            (state, _) => state,
        }
    }

    /// What was credited, and when in unix milliseconds, where it has succeeded for whoever looks at it.
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
