//! `GET /api/user/topup/order/{trade_no}`

use crate::orders::sql;
use crate::payments::quarantine::{SET_ASIDE, UNDECIDED};
use crate::{CreditOrder, Topups};
use tollgate_api::Cx;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_api::generated::ops::topup::{GetTopupOrder, GetTopupOrderError, GetTopupOrderInput};
use tollgate_api::generated::types::{self, TopupFailure, TopupOrderReply, TopupStatus, X402OrderStatus};
use tollgate_base::{AccountId, Usd};
use tollgate_store::StoreError;

use super::info::wire;

impl GetTopupOrder for Topups {
    async fn get_topup_order(&self, cx: &Cx, input: GetTopupOrderInput) -> Result<TopupOrderReply, GetTopupOrderError> {
        let unread = |error: StoreError| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "an order could not be read");
            GetTopupOrderError::LedgerUnavailable
        };
        let found = self.find(input.caller.account, &input.trade_no).await.map_err(unread)?;
        let order = found.ok_or(GetTopupOrderError::OrderNotFound { order: input.trade_no })?;
        let (id, is_on_chain) = (order.id, order.rail.is_on_chain());
        let debt_paid = self.debt_paid(&order).await.map_err(unread)?;
        let mut data = shown(order, debt_paid, self.now_ms());
        // An expired order is more than that if it has money in quarantine: nobody is to pay a second time.
        if data.status == TopupStatus::Expired && is_on_chain && self.is_set_aside(id).await.map_err(unread)? {
            data.failure = Some(TopupFailure { code: SET_ASIDE.to_owned(), detail: UNDECIDED.to_owned() });
        }
        Ok(TopupOrderReply { success: true, message: String::new(), data })
    }
}

/// The most open orders in one answer. On two rails there is no bound of those that wait.
const OPEN_MAX: i64 = 100;

impl Topups {
    /// The account's orders that can be paid or are being settled, in the words of the spec. An order that an operator has credited
    /// is neither, whatever its row says.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn open_of(&self, account: AccountId) -> Result<Vec<types::SelfOrder>, StoreError> {
        let orders = sql::open_of(self.store.readers(), account, self.now_ms(), OPEN_MAX).await?;
        let open = |order: CreditOrder| types::SelfOrder {
            order_id: order.id.0,
            trade_no: order.trade_no,
            rail: wire(order.rail),
            status: to_status(order.state),
            amount_usd: order.amount,
            expires_at: order.expires_at_ms / 1000,
            agent_id: order.agent.map(|agent| agent.0),
        };
        Ok(orders.into_iter().map(open).collect())
    }
}

/// An order in the words of the spec. One whose time is over is shown as expired, whether or not that was written down.
fn shown(order: CreditOrder, debt_paid: Usd, now_ms: i64) -> types::TopupOrder {
    let status = order.state_at(now_ms);
    let credited = order.credited();
    let failed = order.failed.filter(|_| status == State::Failed);
    types::TopupOrder {
        trade_no: order.trade_no,
        order_id: order.id.0,
        rail: wire(order.rail),
        status: to_status(status),
        x402_status: if order.rail.is_on_chain() { x402_status(status) } else { None },
        amount_usd: order.amount,
        created_at: order.created_at_ms / 1000,
        expires_at: order.expires_at_ms / 1000,
        settled_at: credited.and_then(|(_, at_ms)| at_ms).map(|at_ms| at_ms / 1000),
        balance_added: credited.map_or(Usd::ZERO, |(amount, _)| amount),
        debt_paid_usd: debt_paid,
        reference: order.receipt,
        failure: failed.map(|failed| TopupFailure { code: failed.code, detail: failed.detail }),
    }
}

/// A state in the words of the pay operation. None where it has no word for it.
const fn x402_status(state: State) -> Option<X402OrderStatus> {
    match state {
        State::Pending => Some(X402OrderStatus::Pending),
        State::Settling => Some(X402OrderStatus::CreditPending),
        State::Success => Some(X402OrderStatus::Settled),
        State::Failed | State::Expired => None,
    }
}

/// A state in the words of the spec.
pub(crate) const fn to_status(state: State) -> TopupStatus {
    match state {
        State::Pending => TopupStatus::Pending,
        State::Settling => TopupStatus::Settling,
        State::Success => TopupStatus::Success,
        State::Failed => TopupStatus::Failed,
        State::Expired => TopupStatus::Expired,
    }
}
