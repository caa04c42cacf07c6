//! `GET /api/user/topup/order/{trade_no}`

use crate::api::Cx;
use crate::base::Usd;
use crate::generated::machines::topup_order::State;
use crate::generated::ops::topup::{GetTopupOrder, GetTopupOrderError, GetTopupOrderInput};
use crate::generated::types::{self, TopupFailure, TopupOrderReply, TopupStatus};

use super::super::{Order, Topups};
use super::info::wire;

impl GetTopupOrder for Topups {
    async fn get_topup_order(&self, cx: &Cx, input: GetTopupOrderInput) -> Result<TopupOrderReply, GetTopupOrderError> {
        let found = self.find(input.caller.account, &input.trade_no).await.map_err(|error| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "an order could not be read");
            GetTopupOrderError::LedgerUnavailable
        })?;
        let order = found.ok_or(GetTopupOrderError::OrderNotFound { order: input.trade_no })?;
        Ok(TopupOrderReply { success: true, message: String::new(), data: shown(order, self.now_ms()) })
    }
}

/// An order in the words of the spec. One whose time is over is shown as expired, whether or not that was written down.
fn shown(order: Order, now_ms: i64) -> types::TopupOrder {
    let is_over = order.state == State::Pending && !order.is_valid(now_ms);
    let status = if is_over { State::Expired } else { order.state };
    let failed = order.failed.filter(|_| status == State::Failed);
    types::TopupOrder {
        trade_no: order.trade_no,
        order_id: order.id.0,
        rail: wire(order.rail),
        status: told(status),
        amount_usd: order.amount,
        created_at: order.created_at_ms / 1000,
        expires_at: order.expires_at_ms / 1000,
        settled_at: order.settled_at_ms.filter(|_| status == State::Success).map(|at_ms| at_ms / 1000),
        balance_added: if status == State::Success { order.amount } else { Usd::ZERO },
        reference: order.receipt,
        failure: failed.map(|failed| TopupFailure { code: failed.code, detail: failed.detail }),
    }
}

/// A state in the words of the spec.
pub(super) const fn told(state: State) -> TopupStatus {
    match state {
        State::Pending => TopupStatus::Pending,
        State::Settling => TopupStatus::Settling,
        State::Success => TopupStatus::Success,
        State::Failed => TopupStatus::Failed,
        State::Expired => TopupStatus::Expired,
    }
}
