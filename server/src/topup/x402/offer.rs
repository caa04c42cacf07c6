//! What can be paid for an order: the options of its challenge.

use serde_json::json;

use crate::api::{Json, Rest};
use crate::base::Usd;
use crate::chains::evm::{EvmMethod, EvmNetwork, EvmToken, Units};
use crate::chains::{EvmAddress, WalletAddress};
use crate::generated::types::{X402Challenge, X402Option, X402Resource};

use super::super::Order;
use super::X402;
use super::network::{Chain, Network};
use super::sql::Wish;

/// One way to pay an order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offer<'n> {
    pub(super) network: &'n Network,
    pub(super) evm: &'n EvmNetwork,
    pub(super) token: &'n EvmToken,
    pub(super) amount: Units,
    /// The block of the chain when the order was made.
    pub(super) since: u64,
}

impl Offer<'_> {
    pub(super) fn pay_to(&self) -> EvmAddress {
        self.evm.config().pay_to
    }
}

impl Wish {
    /// Whether a token of a chain is what was asked for.
    pub(super) fn allows(&self, network: &str, symbol: &str) -> bool {
        self.network.as_deref().is_none_or(|wanted| wanted == network)
            && self.symbol.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(symbol))
    }
}

impl X402 {
    /// The ways to pay so much: tokens that were asked for, of chains that had a block when the order was made, that can hold
    /// the amount, and on which its payer, where that is fixed, has a wallet.
    pub(super) fn offers(
        &self,
        amount: Usd,
        wish: &Wish,
        noted: &[(String, u64)],
        payer: Option<&WalletAddress>,
    ) -> Vec<Offer<'_>> {
        let mut offers = Vec::new();
        if payer.is_some_and(|payer| payer.chain() != crate::chains::Chain::Evm) {
            return offers;
        }
        for network in self.networks() {
            let Chain::Evm(evm) = &network.chain;
            let Some((_, since)) = noted.iter().find(|(id, _)| *id == network.id) else { continue };
            for token in evm.config().tokens.iter().filter(|token| wish.allows(&network.id, &token.symbol)) {
                if let Some(amount) = Units::of_usd(amount, token.decimals) {
                    offers.push(Offer { network, evm, token, amount, since: *since });
                }
            }
        }
        offers
    }

    /// The challenge of an order, with the time that is left of it.
    pub(super) fn challenge(&self, order: &Order, offers: &[Offer<'_>], base_url: &str, now_ms: i64) -> X402Challenge {
        let url = format!("{base_url}/api/x402/pay/{}", order.id);
        let seconds_left = (order.expires_at_ms - now_ms).max(0) / 1000;
        X402Challenge {
            x402_version: 2,
            resource: Some(X402Resource {
                url: url.clone(),
                description: Some("Credit top-up".to_owned()),
                mime_type: Some("application/json".to_owned()),
                rest: Rest::default(),
            }),
            accepts: offers.iter().map(|offer| option(offer, &url, seconds_left)).collect(),
            rest: Rest::default(),
        }
    }
}

fn option(offer: &Offer<'_>, url: &str, seconds_left: i64) -> X402Option {
    let EvmMethod::Eip3009 { name, version } = &offer.token.method;
    let extra = Json::of(&json!({"name": name, "version": version}));
    X402Option {
        scheme: "exact",
        network: offer.network.id.clone(),
        amount: offer.amount.to_string(),
        max_amount_required: offer.amount.to_string(),
        resource: url.to_owned(),
        pay_to: offer.pay_to().checksummed(),
        max_timeout_seconds: seconds_left,
        asset: offer.token.address.checksummed(),
        extra: extra.expect("an object of texts can be written"),
        rest: Rest::default(),
    }
}
