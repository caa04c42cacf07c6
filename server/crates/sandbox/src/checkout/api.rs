//! The four calls of the merchant.

use axum::extract::{Path, State as Shared};
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, Uri};
use serde_json::{Value, json};

use tollgate_base::{Moment, rfc3339};
use tollgate_topup::ewallet::default_wallets;

use super::book::{Asked, NoRefund, Payment, State};
use super::desk::{refuse, result};
use super::house::House;

/// `POST /ams/sandbox/api/v1/payments/{call}`
pub(super) async fn call(
    Shared(house): Shared<House>,
    uri: Uri,
    Path(call): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path_and_query().map_or("", |path| path.as_str());
    house.held(|faults| faults.hold.as_deref() == Some(call.as_str())).await;
    let answer = match (house.admit(path, &headers, &body), call.as_str()) {
        (Err(code), _) => refuse(code),
        (Ok(asked), "createPaymentSession") => create(&house, &asked),
        (Ok(asked), "inquiryPayment") => inquire(&house, &asked),
        (Ok(asked), "cancel") => cancel(&house, &asked),
        (Ok(asked), "refund") => refund(&house, &asked),
        (Ok(_), _) => refuse("NO_INTERFACE_DEF"),
    };
    house.held(|faults| faults.hold_answer.as_deref() == Some(call.as_str())).await;
    house.answer(path, &answer).await
}

fn create(house: &House, body: &Value) -> Value {
    let asked = match asked(body) {
        Ok(asked) => asked,
        Err(code) => return refuse(code),
    };
    let reused = house.faults().payment_id;
    let opened = house.book().open(&asked, house.now_ms(), reused);
    match opened {
        Err(()) => refuse("REPEAT_REQ_INCONSISTENT"),
        Ok(payment) if payment.state == State::Cancelled => refuse("ORDER_IS_CANCELED"),
        Ok(payment) => json!({
            "result": result("S", "SUCCESS"),
            "paymentSessionId": payment.session_id,
            "paymentSessionData": "",
            "paymentSessionExpiryTime": rfc3339(payment.asked.expires_at_ms),
            "normalUrl": format!("http://{}/checkout/{}", house.0.address, payment.session_id),
        }),
    }
}

/// Reads the order that the merchant asks for; `Err` is the code of the refusal.
fn asked(body: &Value) -> Result<Asked, &'static str> {
    const ILLEGAL: &str = "PARAM_ILLEGAL";
    let text = |place: &str| body.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty()).ok_or(ILLEGAL);
    let url = |place: &str| {
        text(place).and_then(|url| if url.starts_with("http") { Ok(url.to_owned()) } else { Err(ILLEGAL) })
    };
    let products = ("CASHIER_PAYMENT", "CHECKOUT_PAYMENT");
    if (text("/productCode")?, text("/productScene")?) != products || text("/env/terminalType")? != "WEB" {
        return Err(ILLEGAL);
    }
    let (paid, ordered) = (cents(body, "/paymentAmount")?, cents(body, "/order/orderAmount")?);
    if paid != ordered || text("/settlementStrategy/settlementCurrency")? != "USD" {
        return Err(ILLEGAL);
    }
    let wallet = text("/paymentMethod/paymentMethodType")?.to_owned();
    if !default_wallets().iter().any(|known| known.code == wallet) {
        return Err("PAYMENT_METHOD_NOT_SUPPORT");
    }
    let expires_at: Moment = text("/paymentSessionExpiryTime")?.parse().map_err(|_| ILLEGAL)?;
    let request_id = text("/paymentRequestId")?.to_owned();
    if request_id.len() > 64 {
        return Err(ILLEGAL);
    }
    Ok(Asked {
        request_id,
        reference: text("/order/referenceOrderId")?.to_owned(),
        cents: paid,
        wallet,
        expires_at_ms: expires_at.unix_ms(),
        notify_url: url("/paymentNotifyUrl")?,
        redirect_url: url("/paymentRedirectUrl")?,
    })
}

/// An amount of US dollars, as text in cents.
fn cents(body: &Value, place: &str) -> Result<u64, &'static str> {
    let amount = body.pointer(place).ok_or("PARAM_ILLEGAL")?;
    if amount["currency"] != "USD" {
        return Err("CURRENCY_NOT_SUPPORT");
    }
    let cents = amount["value"].as_str().and_then(|text| text.parse().ok()).filter(|cents| *cents > 0);
    cents.ok_or("PARAM_ILLEGAL")
}

fn inquire(house: &House, body: &Value) -> Value {
    let book = house.book();
    let Some(payment) = body["paymentRequestId"].as_str().and_then(|name| book.find(name)) else {
        return refuse("ORDER_NOT_EXIST");
    };
    let (status, code) = match payment.state {
        State::Open => ("PROCESSING", "PAYMENT_IN_PROCESS"),
        State::Paid => ("SUCCESS", "SUCCESS"),
        State::Failed => ("FAIL", "USER_PAYMENT_FAILED"),
        State::Cancelled => ("CANCELLED", "ORDER_IS_CANCELED"),
    };
    let mut answer = described(payment);
    if house.faults().wrong_answers {
        answer["paymentAmount"]["value"] = payment.asked.cents.saturating_mul(10).to_string().into();
    }
    match (house.faults().answered_order, answer.as_object_mut()) {
        (Some(order), Some(members)) if order.is_empty() => drop(members.remove("paymentRequestId")),
        (Some(order), Some(members)) => drop(members.insert("paymentRequestId".to_owned(), order.into())),
        (None, _) | (_, None) => {}
    }
    answer["result"] = result("S", "SUCCESS");
    answer["paymentStatus"] = status.into();
    answer["paymentResultCode"] = code.into();
    answer
}

/// The members that describe a payment in notices and answers.
pub(super) fn described(payment: &Payment) -> Value {
    let mut told = json!({
        "paymentRequestId": payment.asked.request_id,
        "paymentId": payment.payment_id,
        "paymentAmount": {"currency": "USD", "value": payment.asked.cents.to_string()},
        "paymentCreateTime": rfc3339(payment.created_at_ms),
        "paymentMethodType": payment.asked.wallet,
    });
    if payment.state == State::Paid {
        told["paymentTime"] = rfc3339(payment.changed_at_ms).into();
    }
    told
}

fn cancel(house: &House, body: &Value) -> Value {
    let Some(name) = body["paymentRequestId"].as_str() else { return refuse("PARAM_ILLEGAL") };
    let now_ms = house.now_ms();
    match house.book().cancel(name, now_ms) {
        None => refuse("ORDER_NOT_EXIST"),
        Some(State::Cancelled) => {
            json!({"result": result("S", "SUCCESS"), "paymentRequestId": name, "cancelTime": rfc3339(now_ms)})
        }
        Some(State::Open | State::Paid | State::Failed) => refuse("ORDER_STATUS_INVALID"),
    }
}

fn refund(house: &House, body: &Value) -> Value {
    let text = |name: &str| body[name].as_str().filter(|text| !text.is_empty());
    let (Some(name), Some(payment_id), Ok(cents)) =
        (text("refundRequestId"), text("paymentId"), cents(body, "/refundAmount"))
    else {
        return refuse("PARAM_ILLEGAL");
    };
    match house.book().refund(payment_id, name, cents) {
        Ok(()) => json!({
            "result": result("S", "SUCCESS"), "refundRequestId": name, "refundId": format!("R{name}"),
            "paymentId": payment_id, "refundAmount": {"currency": "USD", "value": cents.to_string()},
        }),
        Err(NoRefund::Unknown) => refuse("ORDER_NOT_EXIST"),
        Err(NoRefund::NotPaid) => refuse("ORDER_STATUS_INVALID"),
        Err(NoRefund::TooMuch) => refuse("REFUND_AMOUNT_EXCEED"),
        Err(NoRefund::OtherAmount) => refuse("REPEAT_REQ_INCONSISTENT"),
    }
}
