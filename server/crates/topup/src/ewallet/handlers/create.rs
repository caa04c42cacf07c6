//! `POST /api/user/topup/ewallet/orders`

use crate::ewallet::orders::{CheckoutRefused, CheckoutRequest};
use crate::ewallet::{Cents, Checkouts};
use crate::orders::amount::{AcceptedAmounts, AmountRefused};
use crate::{CreditOrder, OpenRefused};
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::ewallet::{CreateEwalletOrder, CreateEwalletOrderError, CreateEwalletOrderInput};
use tollgate_api::generated::types::{EwalletOrder, EwalletOrderReply, TopupStatus};
use tollgate_api::{Cx, WrittenUsd};

/// The wait before the next order of an account that has too many.
const WAIT_SECONDS: u32 = 60;

impl CreateEwalletOrder for Checkouts {
    async fn create_ewallet_order(
        &self,
        cx: &Cx,
        input: CreateEwalletOrderInput,
    ) -> Result<EwalletOrderReply, CreateEwalletOrderError> {
        let (amount, wallet) = (input.body.amount_usd, input.body.wallet);
        let asked = CheckoutRequest { account: input.caller.account, amount, wallet };
        let (order, url) = self.create(&asked).await.map_err(|why| refused(cx, &asked.amount, why))?;
        Ok(EwalletOrderReply { success: true, message: String::new(), data: shown(order, url) })
    }
}

/// An order that waits, in the words of the spec.
fn shown(order: CreditOrder, checkout_url: String) -> EwalletOrder {
    EwalletOrder {
        order_id: order.id.0,
        trade_no: order.trade_no,
        status: TopupStatus::Pending,
        amount_usd: order.amount,
        expires_at: order.expires_at_ms / 1000,
        checkout_url,
    }
}

fn refused(cx: &Cx, amount: &WrittenUsd, why: CheckoutRefused) -> CreateEwalletOrderError {
    let request_id = cx.request_id;
    match why {
        CheckoutRefused::Open(OpenRefused::Off(rail)) => {
            CreateEwalletOrderError::RailDisabled { rail: rail.to_string() }
        }
        CheckoutRefused::Open(OpenRefused::Amount(bounds)) => {
            invalid_amount(AcceptedAmounts { bounds, places: Cents::PLACES }.refuse(amount))
        }
        CheckoutRefused::Amount(refused) => invalid_amount(refused),
        CheckoutRefused::Wallet(wallet) => CreateEwalletOrderError::UnsupportedWallet { wallet },
        CheckoutRefused::Waiting(_) => {
            cx.retry_after(WAIT_SECONDS);
            let limit = format!("{} orders that wait on a checkout page", limits::CHECKOUT_ORDERS);
            CreateEwalletOrderError::RateLimited { limit }
        }
        CheckoutRefused::NoPage(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(%request_id, error, "a payment provider opened no checkout page");
            CreateEwalletOrderError::CheckoutUnavailable
        }
        // Of orders on this rail neither is counted.
        CheckoutRefused::Open(OpenRefused::TooMany(_) | OpenRefused::Cap(_)) => {
            CreateEwalletOrderError::LedgerUnavailable
        }
        CheckoutRefused::Open(OpenRefused::Store(error)) => {
            let error = &error as &dyn std::error::Error;
            tracing::error!(%request_id, error, "an order could not be written");
            CreateEwalletOrderError::LedgerUnavailable
        }
    }
}

fn invalid_amount(AmountRefused { taken, nearest }: AmountRefused) -> CreateEwalletOrderError {
    CreateEwalletOrderError::InvalidAmount { allowed: taken.allowed(), nearest_usd: nearest }
}
