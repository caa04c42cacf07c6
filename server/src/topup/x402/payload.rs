//! A signed payment as it comes in: lenient in its shape, since clients differ in what they echo, and strict in its numbers.
//! It is compared with the order's options by meaning, in what it claims and in what was signed.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::base::OrderId;
use crate::chains::EvmAddress;
use crate::chains::evm::{Authorization, Units};

use super::offer::{EvmOffer, Offer};
use super::solana;
use super::terms::unhex;

/// Of what was found, as much is told.
const TOLD_CHARS: usize = 80;

/// A payment that says what an option asks for. Who has signed it is not known yet.
#[derive(Debug)]
pub(super) enum Read<'n> {
    Evm(Claimed<'n>),
    Solana(solana::Claimed<'n>),
}

/// One on an EVM chain.
#[derive(Debug)]
pub(super) struct Claimed<'n> {
    pub(super) offer: EvmOffer<'n>,
    pub(super) signed: Authorization,
    pub(super) signature: String,
}

/// Where a payment differs from what is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) field: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
}

#[derive(Deserialize)]
struct Body {
    #[serde(rename = "x402Version", default)]
    version: Value,
    #[serde(default)]
    accepted: Map<String, Value>,
    #[serde(default)]
    payload: Map<String, Value>,
}

/// Reads a payment of an order for one of these options.
pub(super) fn read<'n>(body: &[u8], order: OrderId, offers: &[Offer<'n>]) -> Result<Read<'n>, Mismatch> {
    let read: Body = serde_json::from_slice(body).map_err(|error| mismatch("body", "an x402 v2 payment", &error))?;
    if read.version != 2 {
        return Err(mismatch("x402Version", "2", &read.version));
    }
    match accepted(&read.accepted, offers)? {
        Offer::Evm(offer) => {
            let signed = authorization(&read.payload, &offer)?;
            let signature = text(&read.payload, "signature", "payload.signature")?.to_owned();
            Ok(Read::Evm(Claimed { offer, signed, signature }))
        }
        Offer::Solana(offer) => {
            let transaction = text(&read.payload, "transaction", "payload.transaction")?;
            solana::Claimed::read(transaction, order, offer).map(Read::Solana)
        }
    }
}

/// The option that is claimed to be paid.
fn accepted<'n>(claimed: &Map<String, Value>, offers: &[Offer<'n>]) -> Result<Offer<'n>, Mismatch> {
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
    let named = |offer: &&&Offer<'n>| offer.is_asset(asset);
    let Some(offer) = of_network.iter().find(named).map(|offer| **offer) else {
        let assets: Vec<Offer<'n>> = of_network.into_iter().copied().collect();
        return Err(mismatch("accepted.asset", &listed(&assets, |offer| offer.asset()), &asset));
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

/// What was signed, for that option.
fn authorization(payload: &Map<String, Value>, offer: &EvmOffer<'_>) -> Result<Authorization, Mismatch> {
    let Some(Value::Object(signed)) = payload.get("authorization") else {
        let found = payload.get("authorization").unwrap_or(&Value::Null);
        return Err(mismatch("payload.authorization", "an EIP-3009 authorization", found));
    };
    let number = |name, field| {
        let written = text(signed, name, field)?;
        written.parse::<Units>().map_err(|expected| mismatch(field, &expected.to_string(), &written))
    };
    let address = |name, field| {
        let written = text(signed, name, field)?;
        written.parse::<EvmAddress>().map_err(|expected| mismatch(field, &expected.to_string(), &written))
    };
    let nonce = text(signed, "nonce", "payload.authorization.nonce")?;
    let signed = Authorization {
        from: address("from", "payload.authorization.from")?,
        to: address("to", "payload.authorization.to")?,
        value: number("value", "payload.authorization.value")?,
        valid_after: number("validAfter", "payload.authorization.validAfter")?,
        valid_before: number("validBefore", "payload.authorization.validBefore")?,
        nonce: unhex(nonce)
            .ok_or_else(|| mismatch("payload.authorization.nonce", "0x and 64 hexadecimal digits", &nonce))?,
    };
    if signed.to != offer.pay_to() {
        return Err(mismatch("payload.authorization.to", &offer.pay_to().checksummed(), &signed.to));
    }
    if signed.value != offer.amount {
        return Err(mismatch("payload.authorization.value", &offer.amount.to_string(), &signed.value));
    }
    Ok(signed)
}

fn text<'v>(map: &'v Map<String, Value>, name: &str, field: &'static str) -> Result<&'v str, Mismatch> {
    let found = map.get(name).unwrap_or(&Value::Null);
    found.as_str().ok_or_else(|| mismatch(field, "a text", found))
}

fn listed(offers: &[Offer<'_>], name: impl Fn(&Offer<'_>) -> String) -> String {
    let mut names: Vec<String> = offers.iter().map(name).collect();
    names.dedup();
    names.join(" or ")
}

/// A difference; of what was found, the beginning.
pub(super) fn mismatch(field: &'static str, expected: &str, found: &impl ToString) -> Mismatch {
    let found = found.to_string();
    let told = match found.char_indices().nth(TOLD_CHARS) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found,
    };
    Mismatch { field, expected: expected.to_owned(), found: told }
}
