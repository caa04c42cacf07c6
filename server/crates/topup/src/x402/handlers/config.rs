//! `GET /api/user/topup/x402/config`

use crate::PaymentRail;
use tollgate_api::Cx;
use tollgate_api::generated::ops::x402::{GetX402Config, GetX402ConfigError, GetX402ConfigInput};
use tollgate_api::generated::types::{X402Config, X402ConfigReply, X402Network};
use tollgate_base::Usd;

use super::super::X402Payments;

impl GetX402Config for X402Payments {
    async fn get_x402_config(&self, _: &Cx, _: GetX402ConfigInput) -> Result<X402ConfigReply, GetX402ConfigError> {
        let config = self.topups().config();
        let bounds = config.bounds(PaymentRail::X402);
        let networks: Vec<X402Network> = config.networks(PaymentRail::X402);
        let usual = networks.first().cloned();
        let (network, pay_to) = usual.map_or_else(Default::default, |usual| (usual.network, usual.pay_to));
        let data = X402Config {
            enabled: config.x402.enabled,
            min_topup_usd: bounds.min.unwrap_or(Usd::ZERO),
            max_topup_usd: bounds.max,
            network,
            pay_to,
            networks,
        };
        Ok(X402ConfigReply { success: true, message: String::new(), data })
    }
}
