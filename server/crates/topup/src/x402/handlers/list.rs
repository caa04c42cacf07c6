//! `GET /api/user/topup/x402/orders`

use tollgate_api::Cx;
use tollgate_api::generated::ops::x402::{ListX402Orders, ListX402OrdersError, ListX402OrdersInput};
use tollgate_api::generated::types::X402OrderListReply;

use super::super::X402Payments;
use super::unavailable;

impl ListX402Orders for X402Payments {
    async fn list_x402_orders(
        &self,
        cx: &Cx,
        input: ListX402OrdersInput,
    ) -> Result<X402OrderListReply, ListX402OrdersError> {
        if !self.topups().config().x402.enabled {
            return Err(ListX402OrdersError::X402Disabled);
        }
        let failed = |error| unavailable::<ListX402OrdersError>(cx, &error);
        let mut data = Vec::new();
        for order in self.waiting(input.caller.account).await.map_err(failed)? {
            let offered = self.offers_of(&order).await.map_err(failed)?;
            // It has none if the chain that it was made for is not configured any more.
            if !offered.offers.is_empty() {
                data.push(self.shown(&order, offered, &cx.headers));
            }
        }
        Ok(X402OrderListReply { success: true, message: String::new(), data })
    }
}
