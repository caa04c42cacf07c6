//! What can go wrong with a model request, in the gateway's own words. `handlers` turn it into the operation's codes.

use crate::base::Usd;

use super::exchange::{NotCarried, Unreadable};

/// Why a model request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// No model goes by that name.
    #[error("no such model")]
    NoModel,
    /// The bounds times the prices leave the range of money.
    #[error("the worst case is beyond any price")]
    Unpriceable,
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
    /// The ledger takes no writes at the moment.
    #[error("the ledger is unavailable")]
    Ledger,
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
    /// How long a provider wants to be left alone, if that is what is wrong and it told.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u32> {
        let (Self::RateLimited { retry_after_seconds } | Self::Overloaded { retry_after_seconds }) = self else {
            return None;
        };
        *retry_after_seconds
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
