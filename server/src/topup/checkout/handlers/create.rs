//! `POST /api/user/topup/ewallet/orders`

use crate::api::{Cx, UsdBounds};
use crate::generated::limits;
use crate::generated::ops::ewallet::{CreateEwalletOrder, CreateEwalletOrderError, CreateEwalletOrderInput};
use crate::generated::types::{EwalletOrder, EwalletOrderReply, TopupStatus};
use crate::topup::{OpenRefused, Order};

use super::super::Checkouts;
use super::super::create::{Asked, CreateRefused};

/// Before the next order of an account that has so many.
const WAIT_SECONDS: u32 = 60;

impl CreateEwalletOrder for Checkouts {
    async fn create_ewallet_order(
        &self,
        cx: &Cx,
        input: CreateEwalletOrderInput,
    ) -> Result<EwalletOrderReply, CreateEwalletOrderError> {
        let (amount, wallet) = (input.body.amount_usd, input.body.wallet);
        let made = self.create(&Asked { account: input.caller.account, amount, wallet }).await;
        let (order, url) = made.map_err(|why| refused(cx, why))?;
        Ok(EwalletOrderReply { success: true, message: String::new(), data: shown(order, url) })
    }
}

/// An order that waits, in the words of the spec.
fn shown(order: Order, checkout_url: String) -> EwalletOrder {
    EwalletOrder {
        order_id: order.id.0,
        trade_no: order.trade_no,
        status: TopupStatus::Pending,
        amount_usd: order.amount,
        expires_at: order.expires_at_ms / 1000,
        checkout_url,
    }
}

fn refused(cx: &Cx, why: CreateRefused) -> CreateEwalletOrderError {
    let request_id = cx.request_id;
    match why {
        CreateRefused::Open(OpenRefused::Off(rail)) => CreateEwalletOrderError::RailDisabled { rail: rail.to_string() },
        CreateRefused::Open(OpenRefused::Amount(bounds)) => {
            CreateEwalletOrderError::InvalidAmount { allowed: allowed(bounds) }
        }
        CreateRefused::Wallet(wallet) => CreateEwalletOrderError::UnsupportedWallet { wallet },
        CreateRefused::Waiting(_) => {
            cx.retry_after(WAIT_SECONDS);
            let limit = format!("{} orders that wait on a checkout page", limits::CHECKOUT_ORDERS);
            CreateEwalletOrderError::RateLimited { limit }
        }
        CreateRefused::NoPage(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(%request_id, error, "a payment provider opened no checkout page");
            CreateEwalletOrderError::CheckoutUnavailable
        }
        // Of orders on this rail neither is counted.
        CreateRefused::Open(OpenRefused::TooMany(_) | OpenRefused::Cap(_)) => {
            CreateEwalletOrderError::LedgerUnavailable
        }
        CreateRefused::Open(OpenRefused::Store(error)) => {
            let error = &error as &dyn std::error::Error;
            tracing::error!(%request_id, error, "an order could not be written");
            CreateEwalletOrderError::LedgerUnavailable
        }
    }
}

/// What an order may be for, as a sentence goes on.
fn allowed(UsdBounds { min, max }: UsdBounds) -> String {
    let least = min.map_or_else(|| "0.01".to_owned(), |min| min.to_string());
    let most = max.map_or_else(String::new, |max| format!(" and at most {max} USD"));
    format!("at least {least} USD{most}, in whole cents")
}
