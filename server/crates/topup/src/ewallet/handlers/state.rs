//! `GET /api/topup/order/{trade_no}`

use crate::ewallet::Checkouts;
use crate::ewallet::order_state::StateRefused;
use crate::handlers::order::to_status;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::ewallet::{
    GetEwalletOrderState, GetEwalletOrderStateError, GetEwalletOrderStateHeaders, GetEwalletOrderStateInput,
};
use tollgate_api::generated::types::{EwalletOrderState, EwalletOrderStateReply};
use tollgate_api::{Cx, Headed};

/// The address that is asked for is a secret, and what it shows is old in a moment.
const NO_STORE: &str = "no-store";

impl GetEwalletOrderState for Checkouts {
    async fn get_ewallet_order_state(
        &self,
        cx: &Cx,
        input: GetEwalletOrderStateInput,
    ) -> Result<
        Headed<EwalletOrderStateReply, GetEwalletOrderStateHeaders>,
        Headed<GetEwalletOrderStateError, GetEwalletOrderStateHeaders>,
    > {
        let token = input.token.unwrap_or_default();
        let found = self.state_of(&input.trade_no, &token, cx.client).await;
        let headers = GetEwalletOrderStateHeaders { cache_control: Some(NO_STORE.to_owned()) };
        match found {
            Ok(found) => {
                let data = EwalletOrderState { status: to_status(found.state), amount_usd: found.amount };
                let value = EwalletOrderStateReply { success: true, message: String::new(), data };
                Ok(Headed { value, headers })
            }
            Err(why) => Err(Headed { value: refused(cx, input.trade_no, why), headers }),
        }
    }
}

fn refused(cx: &Cx, order: String, why: StateRefused) -> GetEwalletOrderStateError {
    match why {
        StateRefused::NotFound => GetEwalletOrderStateError::OrderNotFound { order },
        StateRefused::TooMany(seconds) => {
            cx.retry_after(seconds);
            let limit = format!("{} questions a minute without an order's token", limits::ORDER_TOKEN_REFUSALS);
            GetEwalletOrderStateError::RateLimited { limit }
        }
        StateRefused::Store(error) => {
            let (request_id, error) = (cx.request_id, &error as &dyn std::error::Error);
            tracing::error!(%request_id, error, "the state of an order could not be read");
            GetEwalletOrderStateError::LedgerUnavailable
        }
    }
}
