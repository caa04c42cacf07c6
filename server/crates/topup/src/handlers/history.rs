//! `GET /api/admin/orders/{order_id}`: one order with all payments for it.

use super::admin::{account_order, unavailable};
use crate::payments::PaymentRecord;
use crate::{NewPayment, Resolution, Topups};
use tollgate_api::Cx;
use tollgate_api::generated::machines::payment::State as PaymentState;
use tollgate_api::generated::ops::admin_payments::{GetOrderHistory, GetOrderHistoryError, GetOrderHistoryInput};
use tollgate_api::generated::types::{self, OrderHistory, OrderHistoryReply, OrderPaymentState};
use tollgate_base::OrderId;
use tollgate_store::StoreError;

impl GetOrderHistory for Topups {
    async fn get_order_history(
        &self,
        cx: &Cx,
        input: GetOrderHistoryInput,
    ) -> Result<OrderHistoryReply, GetOrderHistoryError> {
        let (id, order_id) = (OrderId(input.order_id), input.order_id);
        let failed = |error: StoreError| {
            unavailable(cx, &error);
            GetOrderHistoryError::LedgerUnavailable
        };
        let missing = || GetOrderHistoryError::OrderNotFound { order: order_id.to_string() };
        let order = self.order(id).await.map_err(failed)?.ok_or_else(missing)?;
        let payments = self.payments_of(id).await.map_err(failed)?.into_iter().map(order_payment).collect();
        let data = OrderHistory { order: account_order(order, self.now_ms()), payments };
        Ok(OrderHistoryReply { success: true, message: String::new(), data })
    }
}

fn order_payment(payment: PaymentRecord) -> types::OrderPayment {
    let PaymentRecord { id, new, state, claimed_at_ms, resolution, credited, reversed } = payment;
    let NewPayment { source, reference, asset, amount, payer, receipt } = new;
    types::OrderPayment {
        payment_id: id,
        state: match (state, resolution) {
            (PaymentState::Claimed, _) => OrderPaymentState::UnderWay,
            (PaymentState::Paid, _) | (PaymentState::Surplus, Some(Resolution::Credit(_))) => {
                OrderPaymentState::Credited
            }
            (PaymentState::Void, _) => OrderPaymentState::NotReceived,
            (PaymentState::Surplus, None) => OrderPaymentState::SetAside,
            (PaymentState::Surplus, Some(Resolution::Returned)) => OrderPaymentState::GivenBack,
        },
        source,
        reference,
        asset,
        amount,
        payer,
        receipt,
        claimed_at: claimed_at_ms / 1000,
        credited_usd: credited,
        reversed_usd: reversed,
    }
}
