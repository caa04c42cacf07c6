//! A payment provider with checkout pages: what it is asked, what it answers, and what it reports by itself.
//!
//! May import `base` and the limits of the spec, and nothing else of this room. Cannot: find or write an order, move money, or
//! answer a client; whoever calls it decides what an answer means for an order.
//!
//! Invariants: nothing of a provider is believed before its signature over the raw bytes was verified; an answer that does
//! not say for certain how a payment ended is [`ProviderError::Unknown`] and never a failure; amounts are whole cents in
//! integers. Start reading at [`CheckoutProvider`], then [`Antom`].

mod antom;
mod calls;
mod cents;
mod config;
mod keys;
mod messages;
mod notice;
mod payment_id;
pub mod published;
mod result_codes;
mod sign;
#[cfg(test)]
mod tests;
mod wire;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

pub use antom::{Antom, ClientError};
pub use cents::{Cents, NotWholeCents};
pub use config::{Config, RequestTimeFormat, WalletOption, called_path, default_wallets};
pub use keys::{KeyError, SigningKey, VerifyingKey, VerifyingKeys};
pub use notice::{AuthenticityError, NoticeOutcome, NoticeRefused, PaymentNotice, UnusableNotice, reread};
pub use payment_id::PaymentId;
pub use sign::{BadSignature, CLIENT_ID, REQUEST_TIME, RESPONSE_TIME, SIGNATURE, SignatureHeader, SignatureInput};

pub(super) use wire::USD;

/// A payment provider that has a checkout page of its own.
pub trait CheckoutProvider: Send + Sync {
    /// Opens a checkout page for an order. A repeated call for the same order gives the same page.
    fn create(&self, order: &CheckoutOrder<'_>) -> impl Future<Output = Result<CheckoutPage, ProviderError>> + Send;

    /// The status of the payment of an order.
    fn inquire(&self, order: OrderRef<'_>) -> impl Future<Output = Result<ProviderStatus, ProviderError>> + Send;

    /// Cancels a payment. Once it is [`ProviderStatus::Cancelled`], no money will come of it; money that was paid meanwhile goes
    /// back to the payer.
    fn cancel(&self, order: OrderRef<'_>) -> impl Future<Output = Result<ProviderStatus, ProviderError>> + Send;

    /// Reads a notice that claims to be the provider's, at this time in unix milliseconds.
    ///
    /// # Errors
    /// When it is not the provider's, or says nothing that can be acted on.
    fn verify(&self, request: &RawRequest<'_>, now_ms: i64) -> Result<PaymentNotice, NoticeRefused>;

    /// The answer to a notice that was taken, after which it is not repeated. `path` is the one of the notice.
    fn acknowledge(&self, path: &str) -> RawResponse;
}

/// A request for a checkout page.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutOrder<'a> {
    /// The order's name, of at most 64 characters. The provider opens one payment for it, however often it is asked.
    pub trade_no: &'a str,
    /// The wallet's code at the provider.
    pub wallet: &'a str,
    /// The amount to pay.
    pub amount: Cents,
    /// The end of the order's validity, in unix milliseconds.
    pub expires_at_ms: i64,
    /// The address for notices.
    pub notify_url: &'a str,
    /// The address to which the payer returns.
    pub return_url: &'a str,
}

/// An order of which the provider was told.
#[derive(Debug, Clone, Copy)]
pub struct OrderRef<'a> {
    /// The order's name.
    pub trade_no: &'a str,
}

/// A checkout page that the provider has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutPage {
    /// Its address.
    pub url: String,
    /// The page's name at the provider.
    pub provider_ref: String,
    /// The end of the page's validity, in unix milliseconds, as the provider says.
    pub expires_at_ms: i64,
}

/// The status of a payment that its provider states for certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderStatus {
    /// It is paid.
    Paid {
        /// The payment's name at the provider.
        payment_id: PaymentId,
        /// The amount that was paid, in US dollars.
        amount: Cents,
        /// The time of the payment, in unix milliseconds, where the provider says.
        at_ms: Option<i64>,
    },
    /// It is open and nothing was paid. It has to be cancelled before it is given up.
    Unpaid,
    /// Somebody has paid, and the money is on its way.
    InProgress,
    /// It failed for good.
    Failed {
        /// The provider's reason.
        code: String,
    },
    /// It was given up, and will not be paid.
    Cancelled,
    /// The provider knows of no payment for this order.
    NotFound,
}

/// The reason for which a provider did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The provider says for certain that it will not: nothing can be paid by what was asked.
    #[error("the payment provider refused: {code}")]
    Definite {
        /// The provider's result code.
        code: String,
    },
    /// Nobody knows whether the provider did it: the call is repeated, with the same name of the order. It never ends an order.
    #[error("what the payment provider did is not known")]
    Unknown(#[from] UncertainAnswer),
}

/// The reason for which a provider's answer says nothing certain.
#[derive(Debug, thiserror::Error)]
pub enum UncertainAnswer {
    /// No connection, or it broke.
    #[error("reaching the payment provider failed")]
    Unreachable(#[source] reqwest::Error),
    /// No whole answer in time.
    #[error("the payment provider took too long")]
    TooSlow,
    /// Another status than 200.
    #[error("the payment provider answered with status {0}")]
    Status(StatusCode),
    /// More bytes than any answer has.
    #[error("the payment provider's answer is too large")]
    TooLarge,
    /// Not signed, or not by the provider.
    #[error("the payment provider's answer is not proven to be its own")]
    Unsigned(#[source] BadSignature),
    /// Signed, and signed too long ago or ahead of time.
    #[error("the payment provider's answer was signed too long ago, or is from the future")]
    Untimely,
    /// Signed, and not in the form of an answer.
    #[error("the payment provider's answer cannot be read")]
    Unreadable(#[source] serde_json::Error),
    /// Signed, and contradicts itself or what was asked.
    #[error("the payment provider's answer contradicts itself or the request: {0}")]
    Senseless(&'static str),
    /// The provider does not know, or has a reason that says nothing for certain.
    #[error("the payment provider leaves it open: {code}")]
    Open {
        /// The provider's result code.
        code: String,
    },
}

impl From<AuthenticityError> for UncertainAnswer {
    fn from(forged: AuthenticityError) -> Self {
        match forged {
            AuthenticityError::Signature(bad) => Self::Unsigned(bad),
            AuthenticityError::Header(_) | AuthenticityError::Client | AuthenticityError::Time => {
                Self::Unsigned(BadSignature::Header)
            }
            AuthenticityError::TooOld | AuthenticityError::Future => Self::Untimely,
        }
    }
}

/// A request as it arrived, before anything of it was believed.
#[derive(Debug, Clone, Copy)]
pub struct RawRequest<'a> {
    /// The path with its query, as the provider called it. If a proxy in front of us takes a part of it away, that part is in it.
    pub path: &'a str,
    /// All headers.
    pub headers: &'a HeaderMap,
    /// The bytes of the body.
    pub body: &'a [u8],
}

/// An answer in the provider's own form.
#[derive(Debug, Clone)]
pub struct RawResponse {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}
