//! `POST /api/user/topup/x402/orders`

use crate::PaymentRail;
use tollgate_api::Cx;
use tollgate_api::generated::ops::x402::{CreateX402Order, CreateX402OrderError, CreateX402OrderInput};
use tollgate_api::generated::types::X402OrderReply;
use tollgate_base::AgentId;

use super::super::X402Payments;
use super::super::create::ChainOrderRequest;
use super::super::sql::AssetFilter;
use super::{agent_of, refused};

impl CreateX402Order for X402Payments {
    async fn create_x402_order(
        &self,
        cx: &Cx,
        input: CreateX402OrderInput,
    ) -> Result<X402OrderReply, CreateX402OrderError> {
        let given = |wish: Option<String>| wish.filter(|wish| !wish.is_empty());
        let wish = AssetFilter { network: given(input.body.network), symbol: given(input.body.symbol) };
        let (account, amount) = (input.caller.account, input.body.amount_usd);
        let agent = agent_of(&input.caller, input.body.agent_wallet_id.map(AgentId));
        let made = self
            .create(ChainOrderRequest { account, agent, rail: PaymentRail::X402, amount: amount.clone(), wish })
            .await;
        let (order, offered) = made.map_err(|why| refused::<CreateX402OrderError>(cx, &amount, why))?;
        let data = self.shown(&order, offered, &cx.headers);
        Ok(X402OrderReply { success: true, message: String::new(), data })
    }
}
