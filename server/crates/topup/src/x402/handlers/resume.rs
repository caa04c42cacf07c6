//! `POST /api/user/topup/x402/orders/{orderId}/resume`

use crate::PaymentRail;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_api::generated::ops::x402::{ResumeX402Order, ResumeX402OrderError, ResumeX402OrderInput};
use tollgate_api::generated::types::X402OrderReply;
use tollgate_api::{Cx, WrittenUsd};
use tollgate_base::OrderId;

use super::super::create::ChainOrderRequest;
use super::super::{X402Payments, sql};
use super::{agent_of, refused, unavailable};

impl ResumeX402Order for X402Payments {
    async fn resume_x402_order(
        &self,
        cx: &Cx,
        input: ResumeX402OrderInput,
    ) -> Result<X402OrderReply, ResumeX402OrderError> {
        let failed = |error| unavailable::<ResumeX402OrderError>(cx, &error);
        let topups = self.topups();
        let (id, account) = (OrderId(input.order_id), input.caller.account);
        let old = topups.own(account, id).await.map_err(failed)?.filter(|old| old.rail == PaymentRail::X402);
        let old = old.ok_or_else(|| ResumeX402OrderError::OrderNotFound { order: id.to_string() })?;
        let state = old.state_at(topups.now_ms());
        let is_over = match state {
            State::Expired | State::Failed => true,
            State::Pending | State::Settling | State::Success => false,
        };
        // If its money is in quarantine, nobody is to pay a second time.
        let over = is_over && !topups.is_set_aside(id).await.map_err(failed)?;
        if !over {
            let status = state.to_string();
            return Err(ResumeX402OrderError::OrderNotPending { order_id: id.0, status });
        }
        let wish = sql::wished(topups.store.readers(), id).await.map_err(failed)?;
        let (agent, amount) = (agent_of(&input.caller, old.agent), WrittenUsd::from(old.amount));
        let made = self
            .create(ChainOrderRequest { account, agent, rail: PaymentRail::X402, amount: amount.clone(), wish })
            .await;
        let (order, offered) = made.map_err(|why| refused::<ResumeX402OrderError>(cx, &amount, why))?;
        let data = self.shown(&order, offered, &cx.headers);
        Ok(X402OrderReply { success: true, message: String::new(), data })
    }
}
