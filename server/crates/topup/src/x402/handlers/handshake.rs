//! `GET /api/x402/pay/{orderId}`: the pay operation in the headers of the protocol.

use data_encoding::BASE64;

use crate::x402::evidence;
use crate::x402::fields::mismatch;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_api::generated::ops::x402::{
    PayX402OrderByHeader, PayX402OrderByHeaderError, PayX402OrderByHeaderHeaders, PayX402OrderByHeaderInput,
};
use tollgate_api::generated::types::X402SettlementReply;
use tollgate_api::{Code as _, Cx, Headed};
use tollgate_base::OrderId;

use super::super::X402Payments;
use super::super::pay::PayRefused;
use super::pay::{refused, reply, response};
use super::{NO_STORE, PRIVATE};

type HandshakeHeaders = PayX402OrderByHeaderHeaders;
type HandshakeError = Headed<PayX402OrderByHeaderError, HandshakeHeaders>;

impl PayX402OrderByHeader for X402Payments {
    async fn pay_x402_order_by_header(
        &self,
        cx: &Cx,
        input: PayX402OrderByHeaderInput,
    ) -> Result<Headed<X402SettlementReply, HandshakeHeaders>, HandshakeError> {
        let id = OrderId(input.order_id);
        let Some(payment) = input.payment_signature else { return Err(self.asked_to_pay(cx, id).await) };
        let paid = match BASE64.decode(payment.trim().as_bytes()) {
            Ok(body) => self.pay(id, &body, cx.client).await,
            Err(_) => {
                let wrong = mismatch("payment-signature", "base64 of an x402 v2 payment", &payment);
                self.refused_unread(id, cx.client, wrong).await
            }
        };
        match paid {
            Ok(paid) => {
                let (payment_response, cache_control) = (Some(response(&paid)), Some(PRIVATE.to_owned()));
                Ok(Headed {
                    value: reply(&paid),
                    headers: HandshakeHeaders { payment_response, cache_control, ..HandshakeHeaders::default() },
                })
            }
            Err(why) => Err(self.refused_to_pay(cx, id, why).await),
        }
    }
}

/// The headers of an answer without a payment that was taken.
fn unpaid(payment_required: Option<String>) -> HandshakeHeaders {
    HandshakeHeaders { payment_required, cache_control: Some(NO_STORE.to_owned()), ..HandshakeHeaders::default() }
}

impl X402Payments {
    /// The challenge, for a client that has not paid yet.
    async fn asked_to_pay(&self, cx: &Cx, id: OrderId) -> HandshakeError {
        let told = match self.payable(id).await {
            Ok(order) => self.required(cx, id, None).await.map(|required| (order, required)),
            Err(why) => Err(why),
        };
        match told {
            Ok((order, payment_required)) => {
                let (order_id, trade_no, status) = (id.0, order.trade_no, "pending".to_owned());
                let value = PayX402OrderByHeaderError::PaymentRequired { order_id, trade_no, status };
                Headed { value, headers: unpaid(payment_required) }
            }
            Err(why) => Headed { value: refused(cx, id, why), headers: unpaid(None) },
        }
    }

    /// The reason for which a payment was not taken, with the challenge again if the order still waits.
    async fn refused_to_pay(&self, cx: &Cx, id: OrderId, why: PayRefused) -> HandshakeError {
        let waits = match &why {
            PayRefused::Mismatch(..) => Some(code::PayloadMismatch::INFO.code),
            PayRefused::Rejected(order, _) if order.state == State::Pending => Some(evidence::REJECTED),
            PayRefused::Cap(..) => Some(code::SpendCapExceeded::INFO.code),
            PayRefused::Unreachable(..) => Some(code::ChainUnavailable::INFO.code),
            PayRefused::NotFound
            | PayRefused::TooMany(_)
            | PayRefused::AtStake
            | PayRefused::Expired(_)
            | PayRefused::Settling(_)
            | PayRefused::Pending(_)
            // Nothing else is to be signed.
            | PayRefused::Unshown(_)
            | PayRefused::Settled(_)
            | PayRefused::Rejected(..)
            | PayRefused::SetAside(..)
            | PayRefused::Store(_) => None,
        };
        let value = refused::<PayX402OrderByHeaderError>(cx, id, why);
        let payment_required = match waits {
            // The error is answered without it as well.
            Some(_) => self.required(cx, id, waits).await.unwrap_or_default(),
            None => None,
        };
        Headed { value, headers: unpaid(payment_required) }
    }

    /// The challenge of an order as a header has it. None if no configured chain can pay it any more.
    async fn required(&self, cx: &Cx, id: OrderId, error: Option<&str>) -> Result<Option<String>, PayRefused> {
        let order = self.payable(id).await?;
        let offers = self.offers_of(&order).await?.offers;
        if offers.is_empty() {
            return Ok(None);
        }
        let challenge = self.challenge(&order, &offers, &self.reached_at(&cx.headers), self.topups().now_ms());
        let mut challenge = serde_json::to_value(&challenge).unwrap_or_default();
        if let (Some(error), Some(members)) = (error, challenge.as_object_mut()) {
            members.insert("error".to_owned(), error.into());
        }
        Ok(Some(BASE64.encode(challenge.to_string().as_bytes())))
    }
}
