//! What any payment provider of this rail can do for us, in our words.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::base::Usd;

use super::notice::{Notice, NoticeRefused};
use super::sign::BadSignature;

const NANOS_PER_CENT: i64 = 10_000_000;
const NAME_MAX: usize = 64;

/// A payment provider that has a checkout page of its own.
pub trait CheckoutProvider: Send + Sync {
    /// Opens a checkout page for an order. Asked again for the same order, it gives the same page.
    fn create(&self, order: &CheckoutOrder<'_>) -> impl Future<Output = Result<Session, ProviderError>> + Send;

    /// How the payment of an order stands.
    fn inquire(&self, order: OrderRef<'_>) -> impl Future<Output = Result<ProviderStatus, ProviderError>> + Send;

    /// Gives a payment up. Once it is [`ProviderStatus::Cancelled`], no money will come of it; what was paid meanwhile goes
    /// back to the payer.
    fn cancel(&self, order: OrderRef<'_>) -> impl Future<Output = Result<ProviderStatus, ProviderError>> + Send;

    /// Reads a notice that claims to be the provider's, at this time in unix milliseconds.
    ///
    /// # Errors
    /// When it is not the provider's, or says nothing that can be acted on.
    fn verify(&self, request: &RawRequest<'_>, now_ms: i64) -> Result<Notice, NoticeRefused>;

    /// The answer to a notice that was taken, after which it is not repeated. `path` is the one of the notice.
    fn acknowledge(&self, path: &str) -> RawResponse;
}

/// An amount of US dollars in whole cents, above none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

/// An amount that this rail cannot ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the amount is not a whole number of cents above 0")]
pub struct NotWholeCents;

impl Cents {
    /// Decimal places of an amount in US dollars that is whole cents.
    pub const PLACES: u32 = 2;

    /// So many cents.
    ///
    /// # Errors
    /// At 0 and below.
    pub const fn new(cents: i64) -> Result<Self, NotWholeCents> {
        if cents > 0 { Ok(Self(cents)) } else { Err(NotWholeCents) }
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }

    /// The same as credit; `None` beyond what an account can hold.
    #[must_use]
    pub fn usd(self) -> Option<Usd> {
        self.0.checked_mul(NANOS_PER_CENT).map(Usd::from_nanos)
    }
}

impl TryFrom<Usd> for Cents {
    type Error = NotWholeCents;

    /// Nothing is rounded: what is paid is what is credited.
    fn try_from(usd: Usd) -> Result<Self, NotWholeCents> {
        if usd.nanos() % NANOS_PER_CENT == 0 { Self::new(usd.nanos() / NANOS_PER_CENT) } else { Err(NotWholeCents) }
    }
}

/// What a checkout page is opened for.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutOrder<'a> {
    /// The order's name, of at most 64 characters. The provider opens one payment for it, however often it is asked.
    pub trade_no: &'a str,
    /// The code of the wallet.
    pub wallet: &'a str,
    /// What is to be paid.
    pub amount: Cents,
    /// Until when, in unix milliseconds.
    pub expires_at_ms: i64,
    /// Where the provider reports.
    pub notify_url: &'a str,
    /// Where the person goes afterwards.
    pub return_url: &'a str,
}

/// An order that the provider was asked to be paid for.
#[derive(Debug, Clone, Copy)]
pub struct OrderRef<'a> {
    /// The order's name.
    pub trade_no: &'a str,
}

/// A checkout page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its address.
    pub url: String,
    /// Its name at the provider.
    pub provider_ref: String,
    /// Until when it can be paid on, in unix milliseconds, as the provider says.
    pub expires_at_ms: i64,
}

/// The provider's name of a payment: at most 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PaymentId(String);

impl PaymentId {
    /// Reads one; `None` for what has another form.
    #[must_use]
    pub fn read(text: String) -> Option<Self> {
        is_name(&text).then_some(Self(text))
    }

    /// As the provider writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PaymentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a text can be the name of an order or a payment on this wire.
pub(super) fn is_name(text: &str) -> bool {
    (1..=NAME_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// How a payment stands, as its provider says for certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderStatus {
    /// It is paid.
    Paid {
        /// Its name at the provider.
        payment_id: PaymentId,
        /// What was paid, in US dollars.
        amount: Cents,
        /// When, in unix milliseconds, where the provider says.
        at_ms: Option<i64>,
    },
    /// It is open and nothing was paid. Before it is given up it has to be cancelled.
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

/// Why a provider did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It says for certain that it will not, and why: nothing can be paid by what was asked.
    #[error("the payment provider refused: {code}")]
    Definite {
        /// Its reason.
        code: String,
    },
    /// Nobody knows whether it did: to be asked again, with the same name of the order. Never the end of an order.
    #[error("what the payment provider did is not known")]
    Unknown(#[from] Unsure),
}

/// What came in place of an answer that could be believed.
#[derive(Debug, thiserror::Error)]
pub enum Unsure {
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
    #[error("the payment provider's answer is of another time")]
    Untimely,
    /// Signed, and not in the form of an answer.
    #[error("the payment provider's answer cannot be read")]
    Unreadable(#[source] serde_json::Error),
    /// Signed, and contradicts itself or what was asked.
    #[error("the payment provider's answer makes no sense: {0}")]
    Senseless(&'static str),
    /// The provider does not know, or has a reason that says nothing for certain.
    #[error("the payment provider leaves it open: {code}")]
    Open {
        /// Its reason.
        code: String,
    },
}

/// A request as it arrived, before anything of it was believed.
#[derive(Debug, Clone, Copy)]
pub struct RawRequest<'a> {
    /// The path with its query, as the provider called it: where a proxy in front of us takes a part of it away, with that.
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
