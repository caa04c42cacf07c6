//! Notices of the provider: proven first, read after.

use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use serde::Deserialize;

use tollgate_api::generated::limits;
use tollgate_base::Moment;

use super::cents::Cents;
use super::config::Config;
use super::payment_id::{PaymentId, is_name};
use super::sign::{BadSignature, CLIENT_ID, SIGNATURE, SignatureInput};
use super::wire::{CallResult, ResultStatus, WireAmount, WireAmountError};

/// A notice that is proven to be the provider's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentNotice {
    /// The name of the order, as we gave it.
    pub trade_no: String,
    /// The payment's name at the provider.
    pub payment_id: PaymentId,
    /// The reported outcome.
    pub outcome: NoticeOutcome,
    /// The time of sending, in unix milliseconds by the provider's clock.
    pub sent_at_ms: i64,
}

/// The outcome of a payment, as a notice reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeOutcome {
    /// It is paid. The amount is still to be compared with the order's.
    Paid {
        /// The amount that was paid, in US dollars.
        amount: Cents,
        /// The time of the payment, in unix milliseconds, where the provider says.
        at_ms: Option<i64>,
    },
    /// It is under way, and nothing is certain yet.
    Pending,
    /// It failed for good.
    Failed {
        /// The provider's reason.
        code: String,
    },
}

/// The reason for which a notice is not acted on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeRefused {
    /// It is not proven to be the provider's: nothing of it is kept.
    #[error(transparent)]
    Forged(#[from] AuthenticityError),
    /// It is the provider's, and cannot be acted on: an operator has to look.
    #[error(transparent)]
    Unfit(#[from] UnusableNotice),
}

/// The reason for which a notice or an answer is not proven to be the provider's, to us, now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthenticityError {
    /// A header that proves it is missing, or stands there twice.
    #[error("the header {0} is missing, twice or unreadable")]
    Header(&'static str),
    /// Made for another merchant.
    #[error("it is for another client id")]
    Client,
    /// The time is written in no way that is known.
    #[error("its time cannot be read")]
    Time,
    /// The signature is missing or wrong.
    #[error(transparent)]
    Signature(#[from] BadSignature),
    /// It is older than any repetition.
    #[error("it is too old")]
    TooOld,
    /// Its time lies in the future.
    #[error("it is from the future")]
    Future,
}

/// The reason for which a notice that is the provider's cannot be acted on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusableNotice {
    /// Not in the form of a notice: a member is missing, twice, or no text.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// It reports something else than a payment.
    #[error("it is a notice of another type")]
    Type,
    /// The order's or the payment's name has not the form of a name.
    #[error("the name of the order or of the payment is empty, longer than 64 characters, or not visible ASCII")]
    Name,
    /// It was paid in another currency than was asked for.
    #[error("it was paid in another currency than USD")]
    Currency,
    /// The amount is missing, or no number of cents.
    #[error("the amount that was paid is missing, or is no whole number of cents")]
    Amount,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NoticeBody {
    notify_type: String,
    result: CallResult,
    payment_request_id: String,
    payment_id: String,
    payment_amount: Option<WireAmount>,
    payment_time: Option<String>,
}

/// Reads a notice again that was proven and kept.
///
/// # Errors
/// When it says nothing that can be acted on.
pub fn reread(body: &[u8], received_at_ms: i64) -> Result<PaymentNotice, UnusableNotice> {
    read(body, received_at_ms)
}

/// Reads a proven notice.
pub(super) fn read(body: &[u8], sent_at_ms: i64) -> Result<PaymentNotice, UnusableNotice> {
    let body: NoticeBody =
        serde_json::from_slice(body).map_err(|error| UnusableNotice::Unreadable(error.to_string()))?;
    let trade_no = Some(body.payment_request_id).filter(|name| is_name(name)).ok_or(UnusableNotice::Name)?;
    let payment_id = PaymentId::read(body.payment_id).ok_or(UnusableNotice::Name)?;
    let outcome = match (body.notify_type.as_str(), body.result.verdict()) {
        ("PAYMENT_RESULT", ResultStatus::Done) => {
            let amount = body.payment_amount.ok_or(UnusableNotice::Amount)?.cents().map_err(|wrong| match wrong {
                WireAmountError::Currency => UnusableNotice::Currency,
                WireAmountError::Value => UnusableNotice::Amount,
            })?;
            let at = body.payment_time.and_then(|time| time.parse::<Moment>().ok());
            NoticeOutcome::Paid { amount, at_ms: at.map(Moment::unix_ms) }
        }
        ("PAYMENT_RESULT", ResultStatus::Refused) => NoticeOutcome::Failed { code: body.result.result_code },
        // That a payment is pending is reported as a success, of reporting it.
        ("PAYMENT_RESULT", ResultStatus::Open) | ("PAYMENT_PENDING", _) => NoticeOutcome::Pending,
        _ => return Err(UnusableNotice::Type),
    };
    Ok(PaymentNotice { trade_no, payment_id, outcome, sent_at_ms })
}

/// Raw bytes, and the headers that prove them.
pub(super) struct SignedMessage<'a> {
    pub(super) headers: &'a HeaderMap,
    /// The name of the header with the time.
    pub(super) time: &'static str,
    pub(super) path: &'a str,
    pub(super) body: &'a [u8],
}

impl SignedMessage<'_> {
    /// Verifies that the provider sent these bytes to us, not too long ago. Returns the time of sending, in unix milliseconds.
    pub(super) fn check(&self, config: &Config, now_ms: i64) -> Result<i64, AuthenticityError> {
        let client_id = self.header(CLIENT_ID)?;
        if client_id != config.client_id {
            return Err(AuthenticityError::Client);
        }
        let time = self.header(self.time)?;
        let signed = SignatureInput { path: self.path, client_id, time, body: self.body };
        signed.verify(self.header(SIGNATURE)?, &config.provider_keys)?;
        let at_ms = moment(time).ok_or(AuthenticityError::Time)?;
        if at_ms.saturating_add(millis(limits::NOTICE_AGE)) < now_ms {
            return Err(AuthenticityError::TooOld);
        }
        if at_ms > now_ms.saturating_add(millis(limits::NOTICE_AHEAD)) {
            return Err(AuthenticityError::Future);
        }
        Ok(at_ms)
    }

    fn header(&self, name: &'static str) -> Result<&str, AuthenticityError> {
        let mut values = self.headers.get_all(name).iter();
        match (values.next().map(HeaderValue::to_str), values.next()) {
            (Some(Ok(value)), None) => Ok(value),
            _ => Err(AuthenticityError::Header(name)),
        }
    }
}

/// A time in either form of the provider's documents, in unix milliseconds: with a zone, or in milliseconds since 1970.
fn moment(text: &str) -> Option<i64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    text.parse::<Moment>().ok().map(Moment::unix_ms)
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
