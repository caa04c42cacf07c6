//! `/api/admin/orders` and `/api/admin/payments`: what operators see of orders, and decide on payments.

use super::info::wire;
use super::order::to_status;
use crate::orders::sql::OrderFilter;
use crate::{
    CreditAmount, CreditOrder, PaymentResolveRefused, PaymentReversal, PaymentReversalRefused, PaymentReversalRequest,
    QuarantinedPayment, Resolution, ResolveRequest, ReversalParty, Topups,
};
use tollgate_api::generated::ops::admin_payments::{
    ListOrders, ListOrdersError, ListOrdersInput, ListSetAsidePayments, ListSetAsidePaymentsError,
    ListSetAsidePaymentsInput, ResolvePayment, ResolvePaymentError, ResolvePaymentInput, ReversePayment,
    ReversePaymentError, ReversePaymentInput,
};
use tollgate_api::generated::types::{
    self, OrderListReply, OrderPage, PaymentResolution, PaymentResolutionReply, PaymentReversalReply,
    SetAsidePaymentListReply,
};
use tollgate_api::{Cx, OperatorCaller, PageLimit};
use tollgate_base::{AccountId, Actor, Usd};
use tollgate_credit::ReversalRefused;
use tollgate_store::StoreError;

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
pub(super) fn unavailable(cx: &Cx, error: &StoreError) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error = error as &dyn std::error::Error, "orders and payments could not be read or written");
}

impl ListOrders for Topups {
    async fn list_orders(&self, cx: &Cx, input: ListOrdersInput) -> Result<OrderListReply, ListOrdersError> {
        let ListOrdersInput { csv, limit, after, account_id, rail, status, .. } = input;
        let limit = PageLimit::new(limit, csv);
        let place = after.as_deref().and_then(|text| text.split_once(':'));
        let place = place.and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)));
        let filter = OrderFilter {
            account: account_id.map(AccountId),
            rail: rail.map(|rail| rail.as_str()).unwrap_or_default(),
            status: status.map(|status| status.as_str()).unwrap_or_default(),
            // A text that is no place is one behind all: a client that pages by it comes to an end.
            after: if after.is_some() { place.unwrap_or((0, 0)) } else { (i64::MAX, i64::MAX) },
            now_ms: self.now_ms(),
            limit: limit.rows_to_read(),
        };
        let mut found = self.orders(&filter).await.map_err(|error| {
            unavailable(cx, &error);
            ListOrdersError::LedgerUnavailable
        })?;
        let next = limit.next_page(&mut found, |last| format!("{}:{}", last.created_at_ms, last.id));
        let orders = found.into_iter().map(|order| account_order(order, filter.now_ms)).collect();
        Ok(OrderListReply { success: true, message: String::new(), data: OrderPage { orders, next } })
    }
}

/// An order in the words of the spec.
pub(super) fn account_order(order: CreditOrder, now_ms: i64) -> types::AccountOrder {
    types::AccountOrder {
        order_id: order.id.0,
        status: to_status(order.state_at(now_ms)),
        trade_no: order.trade_no,
        account_id: order.account.0,
        agent_id: order.agent.map(|agent| agent.0),
        rail: wire(order.rail),
        amount_usd: order.amount,
        resolved_usd: order.resolved.map(|resolved| resolved.amount),
        receipt: order.receipt,
        failure: order.failed.map(|failed| failed.code),
        created_at: order.created_at_ms / 1000,
        expires_at: order.expires_at_ms / 1000,
        settled_at: order.settled_at_ms.map(|at| at / 1000),
    }
}

impl ListSetAsidePayments for Topups {
    async fn list_set_aside_payments(
        &self,
        cx: &Cx,
        _input: ListSetAsidePaymentsInput,
    ) -> Result<SetAsidePaymentListReply, ListSetAsidePaymentsError> {
        let payments = self.unresolved().await.map_err(|error| {
            unavailable(cx, &error);
            ListSetAsidePaymentsError::LedgerUnavailable
        })?;
        let data = payments.into_iter().map(set_aside).collect();
        Ok(SetAsidePaymentListReply { success: true, message: String::new(), data })
    }
}

fn set_aside(payment: QuarantinedPayment) -> types::SetAsidePayment {
    let QuarantinedPayment { id, new, order, account, rail, amount, since_ms } = payment;
    types::SetAsidePayment {
        payment_id: id,
        order_id: order.0,
        account_id: account.0,
        rail: wire(rail),
        order_usd: amount,
        source: new.source,
        reference: new.reference,
        asset: new.asset,
        amount: new.amount,
        payer: new.payer,
        receipt: new.receipt,
        since: since_ms / 1000,
    }
}

impl ResolvePayment for Topups {
    async fn resolve_payment(
        &self,
        cx: &Cx,
        input: ResolvePaymentInput,
    ) -> Result<PaymentResolutionReply, ResolvePaymentError> {
        let (payment_id, body) = (input.payment_id, input.body);
        let credit = match (body.credit, body.usd) {
            (false, Some(usd)) => {
                return Err(ResolvePaymentError::BadField {
                    field: "usd".to_owned(),
                    expected: "nothing where it was given back".to_owned(),
                    found: usd.to_string(),
                });
            }
            (false, None) => None,
            (true, None) => Some(CreditAmount::OfOrder),
            (true, Some(amount)) => Some(CreditAmount::Exactly(amount)),
        };
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: &body.reason };
        let ask = ResolveRequest { payment: payment_id, credit, actor, reason: &body.reason };
        let field = |field: &str, expected: String| ResolvePaymentError::BadField {
            field: field.to_owned(),
            expected,
            found: body.usd.map_or_else(|| "nothing".to_owned(), |usd| usd.to_string()),
        };
        let resolved = self.resolve(ask).await.map_err(|refused| match refused {
            PaymentResolveRefused::NoSuchPayment(_) => ResolvePaymentError::PaymentNotFound { payment_id },
            PaymentResolveRefused::OnItsWay => ResolvePaymentError::PaymentUnderWay { payment_id },
            PaymentResolveRefused::Credited(order) => {
                ResolvePaymentError::PaymentCredited { payment_id, order_id: order.0 }
            }
            PaymentResolveRefused::Otherwise(before) => {
                ResolvePaymentError::PaymentDecided { payment_id, decision: decision(before) }
            }
            PaymentResolveRefused::AmountOutOfRange { max } => {
                field("usd", format!("more than zero and at most {max}, which the order is for"))
            }
            PaymentResolveRefused::ReasonTooLong => field("reason", "at most 500 characters".to_owned()),
            PaymentResolveRefused::Store(error) => {
                unavailable(cx, &error);
                ResolvePaymentError::LedgerUnavailable
            }
        })?;
        let data = PaymentResolution {
            payment_id,
            order_id: resolved.order.0,
            account_id: resolved.account.0,
            credited_usd: match resolved.resolution {
                Resolution::Credit(amount) => Some(amount),
                Resolution::Returned => None,
            },
            transfer: resolved.credit.map(|credit| credit.transfer),
            debt_paid_usd: resolved.credit.map_or(Usd::ZERO, |credit| credit.debt_paid),
            repeated: resolved.repeated,
        };
        Ok(PaymentResolutionReply { success: true, message: String::new(), data })
    }
}

fn decision(resolution: Resolution) -> String {
    match resolution {
        Resolution::Credit(amount) => format!("{amount} USD of it were credited"),
        Resolution::Returned => "it was given back".to_owned(),
    }
}

impl ReversePayment for Topups {
    async fn reverse_payment(
        &self,
        cx: &Cx,
        input: ReversePaymentInput,
    ) -> Result<PaymentReversalReply, ReversePaymentError> {
        let ReversePaymentInput { caller, idempotency_key: idem, payment, body } = input;
        let party = match body.kind {
            types::ReversalKind::Refund => ReversalParty::Operator,
            types::ReversalKind::Chargeback => ReversalParty::Provider,
        };
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: &body.reason };
        let ask = PaymentReversalRequest {
            of: &payment,
            by: party,
            amount: body.usd,
            idem: &idem,
            actor,
            reason: &body.reason,
        };
        let field = |expected: String| ReversePaymentError::BadField {
            field: "usd".to_owned(),
            expected,
            found: body.usd.map_or_else(|| "nothing".to_owned(), |usd| usd.to_string()),
        };
        let told = self.reverse(ask).await.map_err(|refused| match refused {
            PaymentReversalRefused::NoSuchPayment(payment) | PaymentReversalRefused::NotCredited(payment) => {
                ReversePaymentError::CreditedPaymentNotFound { payment }
            }
            PaymentReversalRefused::Several(payments) => {
                let payments = payments.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
                ReversePaymentError::PaymentAmbiguous { payment: payment.clone(), payments }
            }
            PaymentReversalRefused::AmountOutOfRange { credited, reversed } => field(format!(
                "more than zero, and at most what is left of {credited} USD, of which {reversed} went back"
            )),
            PaymentReversalRefused::Refused(ReversalRefused::Conflict(first)) => {
                ReversePaymentError::BookingKeyUsed { amount_usd: first.amount, account_id: first.account.0 }
            }
            PaymentReversalRefused::Refused(ReversalRefused::Store(error)) | PaymentReversalRefused::Store(error) => {
                unavailable(cx, &error);
                ReversePaymentError::LedgerUnavailable
            }
            PaymentReversalRefused::Refused(refused) => field(refused.to_string()),
        })?;
        Ok(PaymentReversalReply { success: true, message: String::new(), data: reversal_reply(told) })
    }
}

fn reversal_reply(told: PaymentReversal) -> types::PaymentReversal {
    let PaymentReversal { payment, order, credited, reversed, reversal } = told;
    types::PaymentReversal {
        payment_id: payment,
        order_id: order.0,
        account_id: reversal.account.0,
        reversal: reversal.id,
        reversed_usd: reversal.amount,
        taken_usd: reversal.taken,
        debt_usd: reversal.debt,
        payment_credited_usd: credited,
        payment_reversed_usd: reversed,
        repeated: reversal.repeated,
    }
}
