//! `POST /api/user/topup/ewallet/orders`

use crate::api::{Cx, WrittenUsd};
use crate::generated::limits;
use crate::generated::ops::ewallet::{CreateEwalletOrder, CreateEwalletOrderError, CreateEwalletOrderInput};
use crate::generated::types::{EwalletOrder, EwalletOrderReply, TopupStatus};
use crate::topup::{OpenRefused, Order};

use super::super::super::amount::{AmountRefused, Amounts};
use super::super::super::ewallet::Cents;
use super::super::Checkouts;
use super::super::create::{Asked, CreateRefused};

/// The wait before the next order of an account that has too many.
const WAIT_SECONDS: u32 = 60;

impl CreateEwalletOrder for Checkouts {
    async fn create_ewallet_order(
        &self,
        cx: &Cx,
        input: CreateEwalletOrderInput,
    ) -> Result<EwalletOrderReply, CreateEwalletOrderError> {
        let (amount, wallet) = (input.body.amount_usd, input.body.wallet);
        let asked = Asked { account: input.caller.account, amount, wallet };
        let (order, url) = self.create(&asked).await.map_err(|why| refused(cx, &asked.amount, why))?;
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

fn refused(cx: &Cx, amount: &WrittenUsd, why: CreateRefused) -> CreateEwalletOrderError {
    let request_id = cx.request_id;
    match why {
        CreateRefused::Open(OpenRefused::Off(rail)) => CreateEwalletOrderError::RailDisabled { rail: rail.to_string() },
        CreateRefused::Open(OpenRefused::Amount(bounds)) => {
            invalid_amount(Amounts { bounds, places: Cents::PLACES }.refuse(amount))
        }
        CreateRefused::Amount(refused) => invalid_amount(refused),
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

fn invalid_amount(AmountRefused { taken, nearest }: AmountRefused) -> CreateEwalletOrderError {
    CreateEwalletOrderError::InvalidAmount { allowed: taken.allowed(), nearest_usd: nearest }
}
