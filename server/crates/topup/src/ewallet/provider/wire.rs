//! The shapes of the wire: all values are text, amounts count the smallest unit of their currency.
//!
//! Read strictly where we go by them: a member that we read and that stands there twice, or as anything but text, makes
//! the whole unreadable. What we do not read may be anything.

use std::num::ParseIntError;

use serde::{Deserialize, Serialize};

use super::cents::Cents;

/// The currency of this rail.
pub(in crate::ewallet) const USD: &str = "USD";
/// The most digits of an amount, more than an account can hold.
const DIGITS_MAX: usize = 15;

/// An amount in the smallest unit of its currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WireAmount {
    pub(super) currency: String,
    pub(super) value: String,
}

/// The reason for which an amount is none that this rail asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum WireAmountError {
    /// In another currency.
    #[error("the currency is not USD")]
    Currency,
    /// Not a whole number of cents above 0, written as such.
    #[error("the amount is not a number of cents")]
    Value,
}

/// The result of a call.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallResult {
    pub(super) result_status: String,
    pub(super) result_code: String,
}

/// The meaning of `resultStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultStatus {
    Done,
    Refused,
    /// The provider says that it does not know, or uses a word that is not documented.
    Open,
}

/// The part that all answers share.
#[derive(Debug, Deserialize)]
pub(super) struct ResultEnvelope {
    pub(super) result: CallResult,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateSessionRequest<'a> {
    pub(super) product_code: &'static str,
    pub(super) product_scene: &'static str,
    pub(super) payment_request_id: &'a str,
    pub(super) order: WireOrder<'a>,
    pub(super) payment_amount: WireAmount,
    pub(super) payment_method: PaymentMethod<'a>,
    pub(super) settlement_strategy: SettlementStrategy,
    pub(super) payment_session_expiry_time: String,
    pub(super) payment_redirect_url: &'a str,
    pub(super) payment_notify_url: &'a str,
    pub(super) env: WireEnv,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireOrder<'a> {
    pub(super) reference_order_id: &'a str,
    pub(super) order_description: &'static str,
    pub(super) order_amount: WireAmount,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaymentMethod<'a> {
    pub(super) payment_method_type: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SettlementStrategy {
    pub(super) settlement_currency: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireEnv {
    pub(super) terminal_type: &'static str,
}

/// The answer to a call that has opened a page.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateSessionResponse {
    pub(super) payment_session_id: String,
    pub(super) payment_session_expiry_time: String,
    pub(super) normal_url: String,
}

/// A request that names a payment by its order.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaymentRequest<'a> {
    pub(super) payment_request_id: &'a str,
}

/// The answer to a question about a payment.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InquiryResponse {
    pub(super) payment_status: String,
    pub(super) payment_result_code: Option<String>,
    /// The name that binds the answer to the order that was asked about; without it the answer is unreadable.
    pub(super) payment_request_id: String,
    pub(super) payment_id: Option<String>,
    pub(super) payment_amount: Option<WireAmount>,
    pub(super) payment_time: Option<String>,
}

impl WireAmount {
    /// An amount of this many cents.
    pub(super) fn of(cents: Cents) -> Self {
        Self { currency: USD.to_owned(), value: cents.number().to_string() }
    }

    /// The number of cents.
    pub(super) fn cents(&self) -> Result<Cents, WireAmountError> {
        if self.currency != USD {
            return Err(WireAmountError::Currency);
        }
        let plain = self.value.len() <= DIGITS_MAX && self.value.bytes().all(|byte| byte.is_ascii_digit());
        let number: Result<i64, ParseIntError> = self.value.parse();
        match number.map(Cents::new) {
            // As it would be written by us: no sign, no zeros before it.
            Ok(Ok(cents)) if plain && !self.value.starts_with('0') => Ok(cents),
            _ => Err(WireAmountError::Value),
        }
    }
}

impl CallResult {
    pub(super) fn verdict(&self) -> ResultStatus {
        match self.result_status.as_str() {
            "S" => ResultStatus::Done,
            "F" => ResultStatus::Refused,
            _ => ResultStatus::Open,
        }
    }
}
