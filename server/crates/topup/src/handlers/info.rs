//! `GET /api/user/topup/info`

use tollgate_api::Cx;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::topup::{GetTopupInfo, GetTopupInfoError, GetTopupInfoInput};
use tollgate_api::generated::types::{self, EwalletWallet, TopupInfo, TopupInfoReply, TopupRail};
use tollgate_base::Usd;

use super::super::ewallet::WalletOption;
use super::super::{Config, PaymentRail, Topups};

/// The currency in which all rails are priced.
const CURRENCY: &str = "USD";

impl GetTopupInfo for Topups {
    async fn get_topup_info(&self, _: &Cx, _: GetTopupInfoInput) -> Result<TopupInfoReply, GetTopupInfoError> {
        let rails = PaymentRail::ALL.map(|rail| shown(self.config(), rail)).to_vec();
        Ok(TopupInfoReply { success: true, message: String::new(), data: TopupInfo { rails } })
    }
}

fn shown(config: &Config, rail: PaymentRail) -> TopupRail {
    let bounds = config.bounds(rail);
    TopupRail {
        rail: wire(rail),
        enabled: config.is_on(rail),
        min_usd: bounds.min.unwrap_or(Usd::ZERO),
        max_usd: bounds.max,
        currency: CURRENCY.to_owned(),
        validity_seconds: i64::try_from(limits::ORDER_VALIDITY.as_secs()).unwrap_or(i64::MAX),
        networks: match rail {
            PaymentRail::Crypto | PaymentRail::X402 => Some(config.networks(rail)),
            PaymentRail::Ewallet => None,
        },
        wallets: match rail {
            PaymentRail::Ewallet => {
                config.checkout.as_ref().map(|checkout| checkout.wallets.iter().map(offered).collect())
            }
            PaymentRail::Crypto | PaymentRail::X402 => None,
        },
    }
}

fn offered(wallet: &WalletOption) -> EwalletWallet {
    let WalletOption { code, name, region, min_usd } = wallet.clone();
    EwalletWallet { wallet: code, name, region, min_usd }
}

/// A rail in the words of the spec.
pub(super) const fn wire(rail: PaymentRail) -> types::Rail {
    match rail {
        PaymentRail::Crypto => types::Rail::Crypto,
        PaymentRail::X402 => types::Rail::X402,
        PaymentRail::Ewallet => types::Rail::Ewallet,
    }
}
