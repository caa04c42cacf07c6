//! `POST /api/x402/pay/{orderId}`

use data_encoding::BASE64;
use serde_json::json;

use crate::CreditOrder;
use crate::x402::fields::Mismatch;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::limits;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_api::generated::ops::x402::{PayX402Order, PayX402OrderError, PayX402OrderHeaders, PayX402OrderInput};
use tollgate_api::generated::types::{X402OrderStatus, X402Settled, X402SettlementReply};
use tollgate_api::{Cx, Declares, Headed, raise};
use tollgate_base::{OrderId, Usd};

use super::super::X402Payments;
use super::super::pay::{PayOutcome, PayRefused, SettleResponse};
use super::{CHAIN_AGAIN_SECONDS, NO_STORE, PRIVATE, unavailable};

/// The wait before the next try of an account with too much at stake.
const AT_STAKE_AGAIN_SECONDS: u32 = 60;

impl PayX402Order for X402Payments {
    async fn pay_x402_order(
        &self,
        cx: &Cx,
        input: PayX402OrderInput,
    ) -> Result<Headed<X402SettlementReply, PayX402OrderHeaders>, Headed<PayX402OrderError, PayX402OrderHeaders>> {
        let id = OrderId(input.order_id);
        let paid = self.pay(id, &input.body, cx.client).await;
        let headers = |payment_response, cache_control: &str| PayX402OrderHeaders {
            payment_response,
            cache_control: Some(cache_control.to_owned()),
        };
        match paid {
            Ok(paid) => Ok(Headed { value: reply(&paid), headers: headers(Some(response(&paid)), PRIVATE) }),
            Err(why) => Err(Headed { value: refused(cx, id, why), headers: headers(None, NO_STORE) }),
        }
    }
}

/// The outcome of a payment, as the protocol's clients read it in a header.
pub(super) fn response(paid: &PayOutcome) -> String {
    let SettleResponse { network, transaction, payer, amount } = &paid.by;
    let told = json!({
        "success": true, "transaction": transaction, "network": network, "payer": payer, "amount": amount,
    });
    BASE64.encode(told.to_string().as_bytes())
}

pub(super) fn reply(paid: &PayOutcome) -> X402SettlementReply {
    let status = if paid.added.is_some() { X402OrderStatus::Settled } else { X402OrderStatus::CreditPending };
    let data = X402Settled {
        order_id: paid.order.id.0,
        trade_no: paid.order.trade_no.clone(),
        status,
        balance_added: paid.added.unwrap_or(Usd::ZERO),
        new_balance: paid.balance,
    };
    X402SettlementReply { success: true, message: String::new(), data }
}

/// The error of a payment that was not taken, in the codes that both ways to pay share.
pub(super) fn refused<E>(cx: &Cx, id: OrderId, why: PayRefused) -> E
where
    E: Declares<code::OrderNotFound>
        + Declares<code::OrderExpired>
        + Declares<code::PayloadMismatch>
        + Declares<code::SettlingInProgress>
        + Declares<code::OrderAlreadySettled>
        + Declares<code::X402SettlePending>
        + Declares<code::SpendCapExceeded>
        + Declares<code::X402PaymentRejected>
        + Declares<code::X402PaymentSetAside>
        + Declares<code::ChainUnavailable>
        + Declares<code::RateLimited>
        + Declares<code::LedgerUnavailable>,
{
    let order_id = id.0;
    let status = |state: State| status_word(state).to_owned();
    match why {
        PayRefused::NotFound => raise(code::OrderNotFound { order: id.to_string() }),
        PayRefused::TooMany(seconds) => {
            cx.retry_after(seconds);
            raise(code::RateLimited { limit: format!("{} payments a minute from one address", limits::PAYMENT_TRIES) })
        }
        PayRefused::AtStake => {
            cx.retry_after(AT_STAKE_AGAIN_SECONDS);
            let limit = "of the account's payments, too many are on their way, or came to nothing within the last hour by their payer's doing";
            raise(code::RateLimited { limit: limit.to_owned() })
        }
        // One whose time is over is expired, whether or not that was written down.
        PayRefused::Expired(CreditOrder { trade_no, state, .. }) => {
            let state = if state == State::Pending { State::Expired } else { state };
            raise(code::OrderExpired { order_id, trade_no, status: status(state) })
        }
        PayRefused::Settling(CreditOrder { trade_no, state, .. }) => {
            raise(code::SettlingInProgress { order_id, trade_no, status: status(state) })
        }
        PayRefused::Pending(CreditOrder { trade_no, .. }) => {
            raise(code::X402SettlePending { order_id, trade_no, status: status(State::Settling) })
        }
        PayRefused::Unshown(CreditOrder { trade_no, .. }) => {
            raise(code::X402SettlePending { order_id, trade_no, status: status(State::Pending) })
        }
        PayRefused::Settled(CreditOrder { trade_no, .. }) => {
            raise(code::OrderAlreadySettled { order_id, trade_no, status: status(State::Success) })
        }
        PayRefused::Mismatch(CreditOrder { trade_no, .. }, Mismatch { field, expected, found }) => {
            let (status, field) = (status(State::Pending), field.to_owned());
            raise(code::PayloadMismatch { order_id, trade_no, status, field, expected, found })
        }
        PayRefused::Cap(CreditOrder { trade_no, state, amount, .. }, exceeded) => {
            let (status, window) = (status(state), exceeded.of.to_string());
            let (amount_usd, cap_usd) = (amount, exceeded.cap);
            raise(code::SpendCapExceeded { order_id, trade_no, status, amount_usd, cap_usd, window })
        }
        PayRefused::Rejected(CreditOrder { trade_no, state, .. }, reason) => {
            raise(code::X402PaymentRejected { order_id, trade_no, status: status(state), reason })
        }
        PayRefused::SetAside(CreditOrder { trade_no, state, .. }, reason) => {
            raise(code::X402PaymentSetAside { order_id, trade_no, status: status(state), reason })
        }
        PayRefused::Unreachable(CreditOrder { trade_no, .. }, network) => {
            cx.retry_after(CHAIN_AGAIN_SECONDS);
            raise(code::ChainUnavailable { order_id, trade_no, status: status(State::Pending), network })
        }
        PayRefused::Store(error) => unavailable(cx, &error),
    }
}

/// A state in the words of the pay operation, or in its own where that operation has none.
const fn status_word(state: State) -> &'static str {
    match state {
        State::Pending => "pending",
        State::Settling => "credit_pending",
        State::Success => "settled",
        State::Failed => "failed",
        State::Expired => "expired",
    }
}
