//! `GET /v1/dashboard/billing/subscription`.

use super::{AccountService, sql};
use tollgate_api::generated::ops::billing::{GetSubscription, GetSubscriptionError, GetSubscriptionInput};
use tollgate_api::generated::types::Subscription;
use tollgate_api::{Cx, Rest};
use tollgate_base::Usd;

/// The limit that tools of format O take for no limit at all.
const UNLIMITED: Usd = Usd::from_nanos(100_000_000 * 1_000_000_000);

impl GetSubscription for AccountService {
    async fn get_subscription(
        &self,
        cx: &Cx,
        input: GetSubscriptionInput,
    ) -> Result<Subscription, GetSubscriptionError> {
        let terms = sql::keys::billing_terms(self.store.readers(), input.caller.key).await.map_err(|error| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "a key's budget could not be read");
            GetSubscriptionError::LedgerUnavailable
        })?;
        let limit = terms.budget.unwrap_or(UNLIMITED);
        Ok(Subscription {
            object: "billing_subscription",
            hard_limit_usd: limit,
            soft_limit_usd: limit,
            system_hard_limit_usd: limit,
            // Rounded up: a key is not said to have ended before it has.
            access_until: terms.expires_at_ms.map_or(0, |at| at.div_euclid(1000) + i64::from(at.rem_euclid(1000) > 0)),
            rest: Rest::default(),
        })
    }
}
