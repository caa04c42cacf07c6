//! The ways to pay an order: the options of its challenge.

use serde_json::json;

use tollgate_api::generated::types::{X402Challenge, X402LeftOut, X402LeftOutReason, X402Option, X402Resource};
use tollgate_api::{Json, Rest};
use tollgate_base::Usd;
use tollgate_chains::WalletAddress;
use tollgate_chains::evm::{EvmMethod, TokenUnits};

use super::super::{CreditOrder, PaymentRail};
use super::X402Payments;
use super::evm::EvmOffer;
use super::network::{ChainClient, PaymentNetwork};
use super::solana::SolanaOffer;
use super::sql::AssetFilter;

/// One way to pay an order.
#[derive(Debug, Clone, Copy)]
pub(super) enum PaymentOffer<'n> {
    Evm(EvmOffer<'n>),
    Solana(SolanaOffer<'n>),
}

impl PaymentOffer<'_> {
    /// The CAIP-2 id of its chain.
    pub(super) fn network(&self) -> &str {
        match self {
            Self::Evm(offer) => &offer.network.id,
            Self::Solana(offer) => &offer.network.id,
        }
    }

    /// The address of its token, as it is shown.
    pub(super) fn asset(&self) -> String {
        match self {
            Self::Evm(offer) => offer.token.address.checksummed(),
            Self::Solana(offer) => offer.token.mint.to_string(),
        }
    }

    /// True if a text is the address of its token.
    pub(super) fn is_asset(&self, text: &str) -> bool {
        match self {
            Self::Evm(offer) => text.parse() == Ok(offer.token.address),
            Self::Solana(offer) => text.parse() == Ok(offer.token.mint),
        }
    }

    /// The address that is paid, as it is shown.
    pub(super) fn paid(&self) -> String {
        match self {
            Self::Evm(offer) => offer.pay_to().checksummed(),
            Self::Solana(offer) => offer.pay_to().to_string(),
        }
    }

    /// True if a text is the address that is paid.
    pub(super) fn is_paid(&self, text: &str) -> bool {
        match self {
            Self::Evm(offer) => text.parse() == Ok(offer.pay_to()),
            Self::Solana(offer) => text.parse() == Ok(offer.pay_to()),
        }
    }

    /// The amount in the smallest units of the token.
    pub(super) fn amount(&self) -> String {
        match self {
            Self::Evm(offer) => offer.amount.to_string(),
            Self::Solana(offer) => offer.amount.to_string(),
        }
    }
}

impl AssetFilter {
    /// True if a token of a chain is what was asked for.
    pub(super) fn allows(&self, network: &str, symbol: &str) -> bool {
        self.network.as_deref().is_none_or(|wanted| wanted == network)
            && self.symbol.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(symbol))
    }
}

/// The ways to pay an order, and the chains on which it cannot be paid.
#[derive(Debug, Clone, Default)]
pub(super) struct PaymentOffers<'n> {
    pub(super) offers: Vec<PaymentOffer<'n>>,
    pub(super) left_out: Vec<X402LeftOut>,
}

impl X402Payments {
    /// The ways to pay an order, with the wanted chains that are not among them.
    pub(super) fn offered(
        &self,
        (rail, amount): (PaymentRail, Usd),
        wish: &AssetFilter,
        noted: &[(String, u64)],
        payer: Option<&WalletAddress>,
    ) -> PaymentOffers<'_> {
        let offers = self.offers(amount, wish, noted, payer);
        let is_offered = |network: &&&PaymentNetwork| offers.iter().any(|offer| offer.network() == network.id);
        let wanted = self.wanted(wish, payer);
        let left_out = wanted.iter().filter(|network| !is_offered(network)).map(|network| {
            let was_asked = noted.iter().any(|(id, _)| *id == network.id);
            let least = self.topups().config().bounds_on(rail, &network.config).min.filter(|least| amount < *least);
            let (reason, min_usd) = match (was_asked, least) {
                (true, _) => (X402LeftOutReason::TooPrecise, None),
                (false, Some(least)) => (X402LeftOutReason::BelowMinimum, Some(least)),
                (false, None) => (X402LeftOutReason::Unavailable, None),
            };
            X402LeftOut { network: network.id.clone(), reason, min_usd }
        });
        PaymentOffers { left_out: left_out.collect(), offers }
    }

    /// The chains that have a wanted token, and on which the payer, if that is fixed, has a wallet.
    pub(super) fn wanted(&self, wish: &AssetFilter, payer: Option<&WalletAddress>) -> Vec<&PaymentNetwork> {
        let wanted = |network: &&PaymentNetwork| {
            payer.is_none_or(|payer| payer.chain() == network.family())
                && network.config.symbols().iter().any(|symbol| wish.allows(&network.id, symbol))
        };
        self.networks().iter().filter(wanted).collect()
    }

    /// The ways to pay an amount with the wanted tokens that can hold it. Their chains had a block when the order was made, and the
    /// payer, if that is fixed, has a wallet on them.
    pub(super) fn offers(
        &self,
        amount: Usd,
        wish: &AssetFilter,
        noted: &[(String, u64)],
        payer: Option<&WalletAddress>,
    ) -> Vec<PaymentOffer<'_>> {
        let mut offers = Vec::new();
        for network in self.networks() {
            if payer.is_some_and(|payer| payer.chain() != network.family()) {
                continue;
            }
            let Some((_, since)) = noted.iter().find(|(id, _)| *id == network.id) else { continue };
            match &network.chain {
                ChainClient::Evm(evm) => {
                    for token in evm.config().tokens.iter().filter(|token| wish.allows(&network.id, &token.symbol)) {
                        if let Some(amount) = TokenUnits::of_usd(amount, token.decimals) {
                            offers.push(PaymentOffer::Evm(EvmOffer { network, evm, token, amount, since: *since }));
                        }
                    }
                }
                ChainClient::Solana(solana) => {
                    offers.extend(SolanaOffer::all(network, solana, amount, wish, *since).map(PaymentOffer::Solana));
                }
            }
        }
        offers
    }

    /// The challenge of an order, with the time that is left for it.
    pub(super) fn challenge(
        &self,
        order: &CreditOrder,
        offers: &[PaymentOffer<'_>],
        base_url: &str,
        now_ms: i64,
    ) -> X402Challenge {
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
            accepts: offers.iter().map(|offer| option(offer, order, &url, seconds_left)).collect(),
            rest: Rest::default(),
        }
    }
}

fn option(offer: &PaymentOffer<'_>, order: &CreditOrder, url: &str, seconds_left: i64) -> X402Option {
    let extra = match offer {
        PaymentOffer::Evm(offer) => match &offer.token.method {
            EvmMethod::Eip3009 { name, version } => json!({"name": name, "version": version}),
            EvmMethod::Permit2 => json!({"assetTransferMethod": "permit2"}),
        },
        PaymentOffer::Solana(offer) => offer.extra(order.id),
    };
    X402Option {
        scheme: "exact",
        network: offer.network().to_owned(),
        amount: offer.amount(),
        max_amount_required: offer.amount(),
        resource: url.to_owned(),
        pay_to: offer.paid(),
        max_timeout_seconds: seconds_left,
        asset: offer.asset(),
        extra: Json::of(&extra).expect("an object of texts can be written"),
        rest: Rest::default(),
    }
}
