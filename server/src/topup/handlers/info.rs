//! `GET /api/user/topup/info`

use crate::api::Cx;
use crate::base::Usd;
use crate::generated::limits;
use crate::generated::ops::topup::{GetTopupInfo, GetTopupInfoError, GetTopupInfoInput};
use crate::generated::types::{self, EwalletWallet, TopupInfo, TopupInfoReply, TopupRail};

use super::super::ewallet::Wallet;
use super::super::{Config, Rail, Topups};

/// The currency in which all rails are priced.
const CURRENCY: &str = "USD";

impl GetTopupInfo for Topups {
    async fn get_topup_info(&self, _: &Cx, _: GetTopupInfoInput) -> Result<TopupInfoReply, GetTopupInfoError> {
        let rails = Rail::ALL.map(|rail| shown(self.config(), rail)).to_vec();
        Ok(TopupInfoReply { success: true, message: String::new(), data: TopupInfo { rails } })
    }
}

fn shown(config: &Config, rail: Rail) -> TopupRail {
    let bounds = config.bounds(rail);
    TopupRail {
        rail: wire(rail),
        enabled: config.is_on(rail),
        min_usd: bounds.min.unwrap_or(Usd::ZERO),
        max_usd: bounds.max,
        currency: CURRENCY.to_owned(),
        validity_seconds: i64::try_from(limits::ORDER_VALIDITY.as_secs()).unwrap_or(i64::MAX),
        networks: match rail {
            Rail::Crypto | Rail::X402 => Some(config.networks(rail)),
            Rail::Ewallet => None,
        },
        wallets: match rail {
            Rail::Ewallet => config.checkout.as_ref().map(|checkout| checkout.wallets.iter().map(offered).collect()),
            Rail::Crypto | Rail::X402 => None,
        },
    }
}

fn offered(wallet: &Wallet) -> EwalletWallet {
    let Wallet { code, name, region, min_usd } = wallet.clone();
    EwalletWallet { wallet: code, name, region, min_usd }
}

/// A rail in the words of the spec.
pub(super) const fn wire(rail: Rail) -> types::Rail {
    match rail {
        Rail::Crypto => types::Rail::Crypto,
        Rail::X402 => types::Rail::X402,
        Rail::Ewallet => types::Rail::Ewallet,
    }
}
