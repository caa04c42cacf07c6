//! `POST /api/user/topup/crypto/orders` and `GET /api/user/topup/crypto/orders/{trade_no}`

use http::HeaderMap;

use crate::handlers::order::to_status;
use crate::orders::amount::{AcceptedAmounts, AmountRefused, PLACES_MAX};
use crate::x402::evm::typed_data;
use crate::x402::offers::{PaymentOffer, PaymentOffers};
use crate::{CreditOrder, OpenRefused, PaymentRail};
use tollgate_api::generated::errors::code;
use tollgate_api::generated::limits;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_api::generated::ops::crypto::{
    CreateCryptoOrder, CreateCryptoOrderError, CreateCryptoOrderInput, GetCryptoOrder, GetCryptoOrderError,
    GetCryptoOrderInput,
};
use tollgate_api::generated::types::{CryptoOrder, CryptoOrderReply, CryptoToken, X402Option};
use tollgate_api::{Cx, Json, WrittenUsd, raise};
use tollgate_base::draw_bytes;
use tollgate_chains::{EvmAddress, SolanaAddress, WalletAddress};

use super::super::X402Payments;
use super::super::create::{ChainOrderRefused, ChainOrderRequest};
use super::super::solana::SolanaOffer;
use super::super::sql::AssetFilter;
use super::{agent_of, no_chain, some, unavailable};

/// The wait before the next order of an account that has too many.
const WAIT_SECONDS: u32 = 60;
/// The path of the page on which people pay.
const PAGE: &str = "/topup/crypto";

impl CreateCryptoOrder for X402Payments {
    async fn create_crypto_order(
        &self,
        cx: &Cx,
        input: CreateCryptoOrderInput,
    ) -> Result<CryptoOrderReply, CreateCryptoOrderError> {
        let given = |wish: Option<String>| wish.filter(|wish| !wish.is_empty());
        let payer = payer(given(input.body.payer)).map_err(raise)?;
        let wish = AssetFilter { network: given(input.body.network), symbol: given(input.body.symbol) };
        let (account, amount) = (input.caller.account, input.body.amount_usd);
        let agent = agent_of(&input.caller, None);
        let made = self
            .create(ChainOrderRequest { account, agent, rail: PaymentRail::Crypto, amount: amount.clone(), wish })
            .await;
        let (order, offered) = made.map_err(|why| refused(cx, &amount, why))?;
        Ok(self.for_a_person(cx, &order, offered, payer).await)
    }
}

impl GetCryptoOrder for X402Payments {
    async fn get_crypto_order(
        &self,
        cx: &Cx,
        input: GetCryptoOrderInput,
    ) -> Result<CryptoOrderReply, GetCryptoOrderError> {
        let failed = |error| unavailable::<GetCryptoOrderError>(cx, &error);
        let payer = payer(input.payer.filter(|payer| !payer.is_empty())).map_err(raise)?;
        let found = self.topups().find(input.caller.account, &input.trade_no).await.map_err(failed)?;
        let found = found.filter(|order| order.rail == PaymentRail::Crypto);
        let order = found.ok_or(GetCryptoOrderError::OrderNotFound { order: input.trade_no })?;
        let offered = self.offers_of(&order).await.map_err(failed)?;
        Ok(self.for_a_person(cx, &order, offered, payer).await)
    }
}

impl X402Payments {
    /// The address of the page of an order, for a client that has sent these headers.
    #[must_use]
    pub fn page_url(&self, trade_no: &str, client: &HeaderMap) -> String {
        page_under(&self.reached_at(client), trade_no)
    }

    /// An order in the words of the spec, with what the payer is to sign for it.
    async fn for_a_person(
        &self,
        cx: &Cx,
        order: &CreditOrder,
        PaymentOffers { offers, left_out }: PaymentOffers<'_>,
        payer: Option<WalletAddress>,
    ) -> CryptoOrderReply {
        let (now_ms, base_url) = (self.topups().now_ms(), self.reached_at(&cx.headers));
        let state = order.state_at(now_ms);
        let is_payable = state == State::Pending && !offers.is_empty();
        let challenge = is_payable.then(|| self.challenge(order, &offers, &base_url, now_ms));
        let (first, option) = (offers.first(), challenge.as_ref().and_then(|challenge| challenge.accepts.first()));
        let (typed_data, transaction) = match (payer, first.zip(option)) {
            (Some(WalletAddress::Evm(payer)), Some((_, option))) => (to_sign(option, payer, order), None),
            (Some(WalletAddress::Solana(payer)), Some((PaymentOffer::Solana(offer), _))) => {
                (None, transaction(cx, offer, payer, order).await)
            }
            (Some(WalletAddress::Solana(_)), Some((PaymentOffer::Evm(_), _))) | (None, _) | (_, None) => (None, None),
        };
        let data = CryptoOrder {
            trade_no: order.trade_no.clone(),
            order_id: order.id.0,
            status: to_status(state),
            amount_usd: order.amount,
            expires_at: order.expires_at_ms / 1000,
            page_url: page_under(&base_url, &order.trade_no),
            left_out: some(left_out),
            challenge,
            typed_data,
            transaction,
            tokens: offers.iter().map(token).collect(),
        };
        CryptoOrderReply { success: true, message: String::new(), data }
    }
}

fn page_under(base_url: &str, trade_no: &str) -> String {
    format!("{base_url}{PAGE}?order={trade_no}")
}

fn token(offer: &PaymentOffer<'_>) -> CryptoToken {
    let chain = offer.chain();
    CryptoToken {
        network: chain.id(),
        network_name: chain.display_name().to_owned(),
        symbol: offer.symbol().to_owned(),
    }
}

/// The typed data that an EVM wallet signs. It is valid as long as the order, and until a payment of its last second has reached a
/// block.
fn to_sign(option: &X402Option, payer: EvmAddress, order: &CreditOrder) -> Option<Json> {
    let lead = i64::try_from(limits::PAYMENT_LEAD.as_secs()).unwrap_or_default();
    let data = typed_data(option, payer, order.expires_at_ms / 1000 + 1 + lead, &draw_bytes())?;
    Json::of(&data).ok()
}

/// The transaction that a Solana wallet signs, valid while its block is recent.
async fn transaction(cx: &Cx, offer: &SolanaOffer<'_>, payer: SolanaAddress, order: &CreditOrder) -> Option<String> {
    let unsigned = offer.unsigned(order.id, &payer).await;
    unsigned.unwrap_or_else(|error| {
        let (request_id, error) = (cx.request_id, &error as &dyn std::error::Error);
        tracing::warn!(%request_id, error, "no recent block is known for a payment on a chain");
        None
    })
}

fn payer(given: Option<String>) -> Result<Option<WalletAddress>, code::BadField> {
    let Some(found) = given else { return Ok(None) };
    match found.parse() {
        Ok(payer) => Ok(Some(payer)),
        Err(why) => {
            let why: tollgate_chains::WalletParseError = why;
            Err(code::BadField { field: "payer".to_owned(), expected: why.to_string(), found })
        }
    }
}

fn refused(cx: &Cx, amount: &WrittenUsd, why: ChainOrderRefused) -> CreateCryptoOrderError {
    let any = |wanted: Option<String>, what: &str| wanted.unwrap_or_else(|| format!("any {what}"));
    match why {
        ChainOrderRefused::Open(OpenRefused::Off(rail)) => {
            CreateCryptoOrderError::RailDisabled { rail: rail.to_string() }
        }
        ChainOrderRefused::NoChain(networks) => raise(no_chain(cx, &networks)),
        ChainOrderRefused::Amount(_, refused) => invalid_amount(refused),
        ChainOrderRefused::Open(OpenRefused::Amount(bounds)) => {
            invalid_amount(AcceptedAmounts { bounds, places: PLACES_MAX }.refuse(amount))
        }
        ChainOrderRefused::Waiting(count) | ChainOrderRefused::Open(OpenRefused::TooMany(count)) => {
            cx.retry_after(WAIT_SECONDS);
            let limit = format!("{count} orders wait for a wallet, of {} that may", limits::CRYPTO_ORDERS);
            CreateCryptoOrderError::RateLimited { limit }
        }
        ChainOrderRefused::Open(OpenRefused::Cap(exceeded)) => {
            let (amount_usd, window) = (amount.nearest(PLACES_MAX), exceeded.of.to_string());
            CreateCryptoOrderError::X402SpendCapExceeded { amount_usd, cap_usd: exceeded.cap, window }
        }
        // Its key was good a moment ago.
        ChainOrderRefused::NoAgent(_) => CreateCryptoOrderError::KeyDisabled,
        ChainOrderRefused::Open(OpenRefused::Store(error)) => unavailable(cx, &error),
        ChainOrderRefused::Unsupported(wish) => CreateCryptoOrderError::X402UnsupportedAsset {
            network: any(wish.network, "network"),
            symbol: any(wish.symbol, "token"),
        },
    }
}

fn invalid_amount(AmountRefused { taken, nearest }: AmountRefused) -> CreateCryptoOrderError {
    CreateCryptoOrderError::InvalidAmount { allowed: taken.allowed(), nearest_usd: nearest }
}
