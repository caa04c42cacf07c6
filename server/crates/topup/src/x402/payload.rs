//! A signed payment as it comes in: lenient in its shape, since clients differ in what they echo, and strict in its numbers. It is
//! compared with the order's options by meaning, in what it claims and in what was signed.

use serde::Deserialize;
use serde_json::{Map, Value};

use tollgate_base::OrderId;
use tollgate_chains::evm::EvmMethod;

use super::evm::{SubmittedEvmPayment, authorization, is_asked_for, permit};
use super::fields::{Mismatch, mismatch, text};
use super::offers::PaymentOffer;
use super::solana;

/// A payment that claims to pay an option. Its signature is not verified yet.
#[derive(Debug)]
pub(super) enum SubmittedPayment<'n> {
    Evm(SubmittedEvmPayment<'n>),
    Solana(solana::SubmittedSolanaPayment<'n>),
}

#[derive(Deserialize)]
struct PaymentBody {
    #[serde(rename = "x402Version", default)]
    version: Value,
    #[serde(default)]
    accepted: Map<String, Value>,
    #[serde(default)]
    payload: Map<String, Value>,
}

/// Reads a payment of an order for one of these options.
pub(super) fn read<'n>(
    body: &[u8],
    order: OrderId,
    offers: &[PaymentOffer<'n>],
) -> Result<SubmittedPayment<'n>, Mismatch> {
    let read: PaymentBody =
        serde_json::from_slice(body).map_err(|error| mismatch("body", "an x402 v2 payment", &error))?;
    if read.version != 2 {
        return Err(mismatch("x402Version", "2", &read.version));
    }
    match accepted(&read.accepted, offers)? {
        PaymentOffer::Evm(offer) => {
            let signed = match &offer.token.method {
                EvmMethod::Eip3009 { .. } => authorization(&read.payload)?,
                EvmMethod::Permit2 => permit(&read.payload, &offer)?,
            };
            is_asked_for(&signed, &offer)?;
            let signature = text(&read.payload, "signature", "payload.signature")?.to_owned();
            Ok(SubmittedPayment::Evm(SubmittedEvmPayment { offer, signed, signature }))
        }
        PaymentOffer::Solana(offer) => {
            let transaction = text(&read.payload, "transaction", "payload.transaction")?;
            solana::SubmittedSolanaPayment::read(transaction, order, offer).map(SubmittedPayment::Solana)
        }
    }
}

/// The option that a payment claims to pay.
fn accepted<'n>(claimed: &Map<String, Value>, offers: &[PaymentOffer<'n>]) -> Result<PaymentOffer<'n>, Mismatch> {
    let scheme = text(claimed, "scheme", "accepted.scheme")?;
    if scheme != "exact" {
        return Err(mismatch("accepted.scheme", "exact", &scheme));
    }
    let network = text(claimed, "network", "accepted.network")?;
    let of_network: Vec<_> = offers.iter().filter(|offer| offer.network() == network).collect();
    if of_network.is_empty() {
        return Err(mismatch("accepted.network", &listed(offers, |offer| offer.network().to_owned()), &network));
    }
    let asset = text(claimed, "asset", "accepted.asset")?;
    let named = |offer: &&&PaymentOffer<'n>| offer.is_asset(asset);
    let Some(offer) = of_network.iter().find(named).map(|offer| **offer) else {
        let assets: Vec<PaymentOffer<'n>> = of_network.into_iter().copied().collect();
        return Err(mismatch("accepted.asset", &listed(&assets, PaymentOffer::asset), &asset));
    };
    let pay_to = text(claimed, "payTo", "accepted.payTo")?;
    if !offer.is_paid(pay_to) {
        return Err(mismatch("accepted.payTo", &offer.paid(), &pay_to));
    }
    let amount = text(claimed, "amount", "accepted.amount")?;
    // A number has one spelling.
    if amount != offer.amount() {
        return Err(mismatch("accepted.amount", &offer.amount(), &amount));
    }
    Ok(offer)
}

fn listed<'n>(offers: &[PaymentOffer<'n>], name: impl Fn(&PaymentOffer<'n>) -> String) -> String {
    let mut names: Vec<String> = offers.iter().map(name).collect();
    names.dedup();
    names.join(" or ")
}
