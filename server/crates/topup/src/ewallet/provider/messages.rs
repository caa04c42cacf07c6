//! Requests to the provider in its own form, and its answers in ours.

use tollgate_base::{Moment, rfc3339};

use super::payment_id::PaymentId;
use super::wire::{
    CallResult, CreateSessionRequest, CreateSessionResponse, InquiryResponse, PaymentMethod, PaymentRequest,
    ResultStatus, SettlementStrategy, WireAmount, WireAmountError, WireEnv, WireOrder,
};
use super::{CheckoutOrder, CheckoutPage, OrderRef, ProviderError, ProviderStatus, USD, UncertainAnswer, result_codes};

/// The description of an order that the payer reads on the checkout page.
const DESCRIPTION: &str = "Credit top-up";

/// The request for a checkout page.
pub(super) fn create<'a>(order: &CheckoutOrder<'a>) -> CreateSessionRequest<'a> {
    let amount = WireAmount::of(order.amount);
    CreateSessionRequest {
        product_code: "CASHIER_PAYMENT",
        product_scene: "CHECKOUT_PAYMENT",
        payment_request_id: order.trade_no,
        order: WireOrder {
            reference_order_id: order.trade_no,
            order_description: DESCRIPTION,
            order_amount: amount.clone(),
        },
        payment_amount: amount,
        payment_method: PaymentMethod { payment_method_type: order.wallet },
        settlement_strategy: SettlementStrategy { settlement_currency: USD },
        payment_session_expiry_time: rfc3339(order.expires_at_ms),
        payment_redirect_url: order.return_url,
        payment_notify_url: order.notify_url,
        env: WireEnv { terminal_type: "WEB" },
    }
}

/// The request for the payment of an order.
pub(super) fn payment(order: OrderRef<'_>) -> PaymentRequest<'_> {
    PaymentRequest { payment_request_id: order.trade_no }
}

/// The error of a call that was not done. For a page alone, a refusal is certain.
pub(super) fn refused(result: &CallResult) -> ProviderError {
    let code = result.result_code.clone();
    match result.verdict() {
        ResultStatus::Refused if result_codes::refuses(&code) => ProviderError::Definite { code },
        ResultStatus::Refused | ResultStatus::Open | ResultStatus::Done => UncertainAnswer::Open { code }.into(),
    }
}

/// The status of a payment after a refused question or cancellation. The provider has no such payment, or nothing is certain.
pub(super) fn not_found(result: &CallResult) -> Result<ProviderStatus, ProviderError> {
    match result.verdict() {
        ResultStatus::Refused if result.result_code == result_codes::NOT_FOUND => Ok(ProviderStatus::NotFound),
        ResultStatus::Refused | ResultStatus::Open | ResultStatus::Done => {
            Err(UncertainAnswer::Open { code: result.result_code.clone() }.into())
        }
    }
}

/// The page that was opened.
pub(super) fn session(created: CreateSessionResponse) -> Result<CheckoutPage, UncertainAnswer> {
    let at: Result<Moment, _> = created.payment_session_expiry_time.parse();
    let expires_at_ms = at.map_err(|_| UncertainAnswer::Senseless("the session has no end"))?.unix_ms();
    if !["https://", "http://"].iter().any(|scheme| created.normal_url.starts_with(scheme)) {
        return Err(UncertainAnswer::Senseless("the page has no address"));
    }
    Ok(CheckoutPage { url: created.normal_url, provider_ref: created.payment_session_id, expires_at_ms })
}

/// The status of the payment of `order`.
pub(super) fn status(inquired: InquiryResponse, order: OrderRef<'_>) -> Result<ProviderStatus, UncertainAnswer> {
    if inquired.payment_request_id != order.trade_no {
        return Err(UncertainAnswer::Senseless("it is about another order"));
    }
    Ok(match inquired.payment_status.as_str() {
        "SUCCESS" => paid(inquired)?,
        // It was begun, and may be left at that: whoever gives it up cancels first, which takes back what was paid meanwhile.
        "PROCESSING" => ProviderStatus::Unpaid,
        // The person has paid, and the wallet has not yet.
        "PENDING" => ProviderStatus::InProgress,
        "FAIL" => ProviderStatus::Failed { code: inquired.payment_result_code.unwrap_or_default() },
        "CANCELLED" => ProviderStatus::Cancelled,
        _ => return Err(UncertainAnswer::Open { code: inquired.payment_status }),
    })
}

fn paid(inquired: InquiryResponse) -> Result<ProviderStatus, UncertainAnswer> {
    let payment_id = inquired.payment_id.and_then(PaymentId::read);
    let payment_id = payment_id.ok_or(UncertainAnswer::Senseless("a payment without a name"))?;
    let amount = inquired.payment_amount.ok_or(UncertainAnswer::Senseless("a payment without an amount"))?;
    let amount = amount.cents().map_err(|wrong| match wrong {
        WireAmountError::Currency => UncertainAnswer::Senseless("a payment in another currency"),
        WireAmountError::Value => UncertainAnswer::Senseless("a payment whose amount is no number of cents"),
    })?;
    let at = inquired.payment_time.and_then(|time| time.parse::<Moment>().ok());
    Ok(ProviderStatus::Paid { payment_id, amount, at_ms: at.map(Moment::unix_ms) })
}
