//! The checkout page: what a person does in a wallet's own app, as four buttons.

use std::time::Duration;

use askama::Template;
use axum::extract::{Path, State as Shared};
use axum::response::{Html, IntoResponse, Redirect, Response};
use http::{StatusCode, header};
use tokio::time::sleep;

use tollgate_topup::ewallet::default_wallets;

use super::book::{Payment, State};
use super::house::House;

/// Nothing but the page itself, and its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

#[derive(Template)]
#[template(path = "checkout.html")]
struct Page<'a> {
    wallet: &'a str,
    amount: String,
    order: &'a str,
    session: &'a str,
    back: &'a str,
    /// The reason for which nothing can be done here any more; empty while something can.
    over: &'static str,
}

/// `GET /checkout/{session}`
pub(super) async fn show(Shared(house): Shared<House>, Path(session): Path<String>) -> Response {
    let found = house.book().of_session(&session).cloned();
    match found {
        Some(payment) => page(&payment, house.now_ms()),
        None => (StatusCode::NOT_FOUND, "There is no such checkout.").into_response(),
    }
}

/// `POST /checkout/{session}/{act}`
pub(super) async fn act(Shared(house): Shared<House>, Path((session, act)): Path<(String, String)>) -> Response {
    let found = house.book().of_session(&session).cloned();
    let Some(payment) = found else { return (StatusCode::NOT_FOUND, "There is no such checkout.").into_response() };
    if over(&payment, house.now_ms()).is_none() {
        match act.as_str() {
            "pay" => end(&house, &payment, State::Paid),
            "fail" => end(&house, &payment, State::Failed),
            "cancel" => end(&house, &payment, State::Cancelled),
            "pay-later" => pay_later(&house, &payment),
            _ => return (StatusCode::NOT_FOUND, "There is no such button.").into_response(),
        }
    }
    Redirect::to(&payment.asked.redirect_url).into_response()
}

fn end(house: &House, payment: &Payment, state: State) {
    let ended = house.book().end(&payment.asked.request_id, state, house.now_ms());
    // A cancelled payment is not reported, and neither is one that nobody looked at.
    if let Some(payment) = ended.filter(|payment| payment.state != State::Cancelled) {
        house.report(&payment);
    }
}

/// Pays when the merchant's order is over. By the clock, and not faster: the merchant goes by it as well.
fn pay_later(house: &House, payment: &Payment) {
    let left = payment.asked.expires_at_ms.saturating_sub(house.now_ms());
    let wait = Duration::from_millis(u64::try_from(left).unwrap_or(0).saturating_add(1));
    let (later, payment) = (house.clone(), payment.clone());
    house.spawn(async move {
        sleep(wait).await;
        end(&later, &payment, State::Paid);
    });
}

fn page(payment: &Payment, now_ms: i64) -> Response {
    let wallets = default_wallets();
    let wallet = wallets.iter().find(|wallet| wallet.code == payment.asked.wallet);
    let page = Page {
        wallet: wallet.map_or(&payment.asked.wallet, |wallet| &wallet.name),
        amount: format!("{}.{:02}", payment.asked.cents / 100, payment.asked.cents % 100),
        order: &payment.asked.reference,
        session: &payment.session_id,
        back: &payment.asked.redirect_url,
        over: over(payment, now_ms).unwrap_or_default(),
    };
    match page.render() {
        Ok(html) => ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(html)).into_response(),
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "the checkout page could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The reason for which nothing can be done on the page any more.
fn over(payment: &Payment, now_ms: i64) -> Option<&'static str> {
    match payment.state {
        State::Paid => Some("This payment is made."),
        State::Failed => Some("This payment failed."),
        State::Cancelled => Some("This payment was cancelled."),
        State::Open if payment.asked.expires_at_ms <= now_ms => Some("The time for this payment is over."),
        State::Open => None,
    }
}
