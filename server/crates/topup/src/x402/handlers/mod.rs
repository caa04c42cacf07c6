//! The generated operation traits, filled in.

mod config;
mod create;
mod crypto;
mod handshake;
mod list;
mod pay;
mod resume;

use http::{HeaderMap, header};

use crate::orders::amount::{AcceptedAmounts, AmountRefused, PLACES_MAX};
use tollgate_api::generated::errors::code;
use tollgate_api::generated::types::{self, X402OrderStatus};
use tollgate_api::{Cx, Declares, WrittenUsd, raise};
use tollgate_base::{AgentId, Caller, CallerCredential, Usd};
use tollgate_store::StoreError;

use super::super::{CreditOrder, OpenRefused};
use super::X402Payments;
use super::create::ChainOrderRefused;
use super::offers::PaymentOffers;

/// The cache rule for the client alone that paid.
const PRIVATE: &str = "private";
/// The cache rule of answers that nobody may keep.
const NO_STORE: &str = "no-store";
/// The wait before the next try with a chain that does not answer.
const CHAIN_AGAIN_SECONDS: u32 = 5;

impl X402Payments {
    /// An order that waits, in the words of the spec.
    fn shown(&self, order: &CreditOrder, offered: PaymentOffers<'_>, client: &HeaderMap) -> types::X402Order {
        let challenge = self.challenge(order, &offered.offers, &self.reached_at(client), self.topups().now_ms());
        types::X402Order {
            order_id: order.id.0,
            trade_no: order.trade_no.clone(),
            status: X402OrderStatus::Pending,
            expires_at: order.expires_at_ms / 1000,
            amount_usd: order.amount,
            challenge,
            left_out: some(offered.left_out),
        }
    }

    /// The address under which the client reaches this service. It is the configured one, or else the one of this request, over
    /// plain HTTP.
    fn reached_at(&self, client: &HeaderMap) -> String {
        if let Some(url) = &self.0.public_url {
            return url.clone();
        }
        let host = client.get(header::HOST).and_then(|host| host.to_str().ok());
        host.map_or_else(String::new, |host| format!("http://{host}"))
    }
}

/// The agent that is to pay: the one whose key it is, whatever was asked for.
fn agent_of(caller: &Caller, asked: Option<AgentId>) -> Option<AgentId> {
    match caller.by {
        CallerCredential::Agent(agent, _) => Some(agent),
        CallerCredential::Key(_) | CallerCredential::Session(_) => asked,
    }
}

/// The error of an order that was not made, in the codes that creation and renewal share.
fn refused<E>(cx: &Cx, amount: &WrittenUsd, why: ChainOrderRefused) -> E
where
    E: Declares<code::X402Disabled>
        + Declares<code::X402ChainUnavailable>
        + Declares<code::X402UnsupportedAsset>
        + Declares<code::X402InvalidAmount>
        + Declares<code::X402PendingCap>
        + Declares<code::X402SpendCapExceeded>
        + Declares<code::AgentNotFound>
        + Declares<code::LedgerUnavailable>,
{
    let any = |wanted: Option<String>, what: &str| wanted.unwrap_or_else(|| format!("any {what}"));
    match why {
        ChainOrderRefused::Open(OpenRefused::Off(_)) => raise(code::X402Disabled {}),
        ChainOrderRefused::NoChain(networks) => raise(no_chain(cx, &networks)),
        ChainOrderRefused::Amount(networks, refused) => raise(invalid_amount(&networks, refused)),
        ChainOrderRefused::Open(OpenRefused::Amount(bounds)) => {
            raise(invalid_amount(&[], AcceptedAmounts { bounds, places: PLACES_MAX }.refuse(amount)))
        }
        ChainOrderRefused::Open(OpenRefused::TooMany(count)) | ChainOrderRefused::Waiting(count) => {
            raise(code::X402PendingCap { count })
        }
        ChainOrderRefused::Open(OpenRefused::Cap(exceeded)) => {
            let amount_usd = amount.nearest(PLACES_MAX);
            raise(code::X402SpendCapExceeded { amount_usd, cap_usd: exceeded.cap, window: exceeded.of.to_string() })
        }
        ChainOrderRefused::NoAgent(agent) => raise(code::AgentNotFound { agent_id: agent.0 }),
        ChainOrderRefused::Open(OpenRefused::Store(error)) => unavailable(cx, &error),
        ChainOrderRefused::Unsupported(wish) => raise(code::X402UnsupportedAsset {
            network: any(wish.network, "network"),
            symbol: any(wish.symbol, "token"),
        }),
    }
}

/// A list that is left out where it is empty.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    Some(list).filter(|list| !list.is_empty())
}

/// The error of chains none of which can be used now.
fn no_chain(cx: &Cx, networks: &[String]) -> code::X402ChainUnavailable {
    cx.retry_after(CHAIN_AGAIN_SECONDS);
    code::X402ChainUnavailable { networks: networks.join(", ") }
}

fn invalid_amount(networks: &[String], AmountRefused { taken, nearest }: AmountRefused) -> code::X402InvalidAmount {
    let networks = if networks.is_empty() { "any network".to_owned() } else { networks.join(", ") };
    code::X402InvalidAmount {
        networks,
        min_usd: taken.bounds.min.unwrap_or(Usd::ZERO),
        max_usd: taken.bounds.max.unwrap_or(Usd::MAX),
        decimal_places: taken.places.into(),
        nearest_usd: nearest,
    }
}

/// The error of a store that failed.
fn unavailable<E: Declares<code::LedgerUnavailable>>(cx: &Cx, error: &StoreError) -> E {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error = error as &dyn std::error::Error, "orders could not be read or written");
    raise(code::LedgerUnavailable {})
}
