//! What can go wrong with a model request, in the gateway's own words. `handlers` turn it into the operation's codes.

use crate::base::{Usd, rfc3339};
use crate::credit::{Rate, TooSoon};

use super::exchange::{NotCarried, Unreadable};
use super::inbound::members::Refused;

/// Why a model request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// No model goes by that name.
    #[error("no such model")]
    NoModel,
    /// The key may not use it.
    #[error("the key may not use the model")]
    NotAllowed,
    /// The bounds times the prices leave the range of money.
    #[error("the worst case is beyond any price")]
    Unpriceable,
    /// Something in the request that is not known, not sold, or not shared.
    #[error("the request asks for what does not pass: {0:?}")]
    Member(Refused),
    /// A member of the request that a provider charges extra for, and that has no price here.
    #[error("`{0}` has no price")]
    NotSold(String),
    /// No provider of the model could be asked for something in the request.
    #[error("the request cannot be carried to the provider")]
    NotCarried(#[source] NotCarried),
    /// The request is not what its format says.
    #[error("the request cannot be read")]
    Unreadable(#[source] Unreadable),
    /// The account cannot pay for it.
    #[error("the credit is too small")]
    Insufficient(Shortage),
    /// The account could pay for it if other requests were not under way.
    #[error("the credit is held by other requests")]
    TiedUp(Shortage),
    /// The key has spent its budget.
    #[error("the budget of the key is spent")]
    OverBudget(Overspent),
    /// The key asks more often than it may.
    #[error("the key has used up a rate")]
    TooSoon(TooSoon),
    /// The key was revoked, or its account frozen, since it was shown.
    #[error("the key is disabled")]
    KeyDisabled,
    /// The time of the key ran out since it was shown.
    #[error("the key has expired")]
    KeyExpired,
    /// The ledger takes no writes at the moment.
    #[error("the ledger is unavailable")]
    Ledger,
    /// The answers of providers that are here take all the memory that they may; nothing was charged.
    #[error("there is no room for the answer")]
    NoRoom,
    /// No provider could be reached, or all that were failed.
    #[error("every provider failed")]
    Failed,
    /// The provider did not answer in time.
    #[error("the provider did not answer in time")]
    TooSlow,
    /// The provider found fault with the request, in words that are not the client's format.
    #[error("the provider refused the request with {status}")]
    Refused {
        /// Its status.
        status: http::StatusCode,
        /// Its message, where it gave one.
        message: Option<String>,
    },
    /// No provider can take the request now.
    #[error("every provider is overloaded")]
    Overloaded {
        /// The provider's own wish.
        retry_after_seconds: Option<u32>,
    },
    /// The provider takes no more from us for now.
    #[error("the provider limits our rate")]
    RateLimited {
        /// The provider's own wish.
        retry_after_seconds: Option<u32>,
    },
}

impl GatewayError {
    /// The model is asked for what it does not do: `does` goes on from "a model that".
    #[must_use]
    pub fn misfit(model: &str, does: &str) -> Self {
        let expected = format!("a model that {does}, one of the model list");
        Self::Unreadable(Unreadable::new("model", &expected, &format!("`{model}`")))
    }

    /// How long to wait, where that is known: for the rate of the key, or as a provider told.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u32> {
        if let Self::TooSoon(why) = self {
            return Some(u32::try_from(why.wait_ms.div_ceil(1_000)).unwrap_or(u32::MAX));
        }
        let (Self::RateLimited { retry_after_seconds } | Self::Overloaded { retry_after_seconds }) = self else {
            return None;
        };
        *retry_after_seconds
    }
}

/// What a request needed of the budget of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overspent {
    /// The least that the request had to hold.
    pub needed: Usd,
    /// The budget.
    pub budget: Usd,
    /// What is spent of it, or held by other requests.
    pub used: Usd,
    /// Unix time in milliseconds at which it begins anew; absent where it never does.
    pub resets_at_ms: Option<i64>,
}

impl Overspent {
    /// When the budget begins anew, for people.
    #[must_use]
    pub fn resets_at(&self) -> String {
        self.resets_at_ms.map_or("never".to_owned(), rfc3339)
    }
}

/// A rate of a key in words, with its limit.
#[must_use]
pub fn rate(why: &TooSoon) -> String {
    let limit = why.limit;
    match why.rate {
        Rate::Requests => format!("the key may send {limit} requests a minute"),
        Rate::Tokens => format!("the key may use {limit} tokens a minute"),
        Rate::InFlight => format!("the key may have {limit} requests under way"),
    }
}

/// What a request needed and what there was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// The least that the request had to hold.
    pub needed: Usd,
    /// What the account could have held.
    pub available: Usd,
    /// What other requests hold.
    pub held: Usd,
}
