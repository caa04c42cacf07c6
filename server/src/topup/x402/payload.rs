//! A signed payment as it comes in: lenient in its shape, since clients differ in what they echo, and strict in its numbers. It is
//! compared with the order's options by meaning, in what it claims and in what was signed.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::base::OrderId;
use crate::chains::evm::{EvmMethod, TokenUnits, TokenUnitsParseError, TransferAuthorization, permit2_spender};
use crate::chains::{EvmAddress, WalletParseError};

use super::offer::{EvmOffer, PaymentOffer};
use super::solana;
use super::terms::unhex;

/// The most characters of a found value that an error shows.
const TOLD_CHARS: usize = 80;

/// A payment that claims to pay an option. Its signature is not verified yet.
#[derive(Debug)]
pub(super) enum SubmittedPayment<'n> {
    Evm(SubmittedEvmPayment<'n>),
    Solana(solana::SubmittedSolanaPayment<'n>),
}

/// A payment on an EVM chain that claims to pay an option.
#[derive(Debug)]
pub(super) struct SubmittedEvmPayment<'n> {
    pub(super) offer: EvmOffer<'n>,
    pub(super) signed: TransferAuthorization,
    pub(super) signature: String,
}

/// A difference between a payment and what is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) field: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
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

/// The paths of the signed values in the payload, for error texts.
pub(super) struct PayloadPaths {
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) value: &'static str,
    pub(super) valid_after: &'static str,
    pub(super) valid_before: &'static str,
    nonce: &'static str,
}

impl PayloadPaths {
    pub(super) const fn of(method: &EvmMethod) -> Self {
        match method {
            EvmMethod::Eip3009 { .. } => Self {
                from: "payload.authorization.from",
                to: "payload.authorization.to",
                value: "payload.authorization.value",
                valid_after: "payload.authorization.validAfter",
                valid_before: "payload.authorization.validBefore",
                nonce: "payload.authorization.nonce",
            },
            EvmMethod::Permit2 => Self {
                from: "payload.permit2Authorization.from",
                to: "payload.permit2Authorization.witness.to",
                value: "payload.permit2Authorization.permitted.amount",
                valid_after: "payload.permit2Authorization.witness.validAfter",
                valid_before: "payload.permit2Authorization.deadline",
                nonce: "payload.permit2Authorization.nonce",
            },
        }
    }
}

/// The signed authorization of a token with EIP-3009.
fn authorization(payload: &Map<String, Value>) -> Result<TransferAuthorization, Mismatch> {
    let signed = object(payload, "authorization", "payload.authorization", "an EIP-3009 authorization")?;
    let nonce = text(signed, "nonce", "payload.authorization.nonce")?;
    Ok(TransferAuthorization {
        from: address(signed, "from", "payload.authorization.from")?,
        to: address(signed, "to", "payload.authorization.to")?,
        value: number(signed, "value", "payload.authorization.value")?,
        valid_after: number(signed, "validAfter", "payload.authorization.validAfter")?,
        valid_before: number(signed, "validBefore", "payload.authorization.validBefore")?,
        nonce: unhex(nonce)
            .ok_or_else(|| mismatch("payload.authorization.nonce", "0x and 64 hexadecimal digits", &nonce))?,
    })
}

/// The signed Permit2 authorization of any other token. The token itself, and who may carry it out, are parts of it.
fn permit(payload: &Map<String, Value>, offer: &EvmOffer<'_>) -> Result<TransferAuthorization, Mismatch> {
    let names = PayloadPaths::of(&offer.token.method);
    let at = "payload.permit2Authorization";
    let signed = object(payload, "permit2Authorization", at, "a Permit2 authorization")?;
    let permitted = object(signed, "permitted", "payload.permit2Authorization.permitted", "a token and its amount")?;
    let witness = object(signed, "witness", "payload.permit2Authorization.witness", "who is paid, and from when on")?;
    let token = address(permitted, "token", "payload.permit2Authorization.permitted.token")?;
    if token != offer.token.address {
        let expected = offer.token.address.checksummed();
        return Err(mismatch("payload.permit2Authorization.permitted.token", &expected, &token));
    }
    let spender = address(signed, "spender", "payload.permit2Authorization.spender")?;
    if spender != permit2_spender() {
        let expected = permit2_spender().checksummed();
        return Err(mismatch("payload.permit2Authorization.spender", &expected, &spender));
    }
    Ok(TransferAuthorization {
        from: address(signed, "from", names.from)?,
        to: address(witness, "to", names.to)?,
        value: number(permitted, "amount", names.value)?,
        valid_after: number(witness, "validAfter", names.valid_after)?,
        valid_before: number(signed, "deadline", names.valid_before)?,
        nonce: number(signed, "nonce", names.nonce)?.to_name(),
    })
}

/// Checks that the signed authorization pays what the option asks for.
fn is_asked_for(signed: &TransferAuthorization, offer: &EvmOffer<'_>) -> Result<(), Mismatch> {
    let names = PayloadPaths::of(&offer.token.method);
    if signed.to != offer.pay_to() {
        return Err(mismatch(names.to, &offer.pay_to().checksummed(), &signed.to));
    }
    if signed.value != offer.amount {
        return Err(mismatch(names.value, &offer.amount.to_string(), &signed.value));
    }
    Ok(())
}

fn object<'v>(
    map: &'v Map<String, Value>,
    name: &str,
    field: &'static str,
    expected: &str,
) -> Result<&'v Map<String, Value>, Mismatch> {
    let found = map.get(name).unwrap_or(&Value::Null);
    found.as_object().ok_or_else(|| mismatch(field, expected, found))
}

fn number(map: &Map<String, Value>, name: &str, field: &'static str) -> Result<TokenUnits, Mismatch> {
    let written = text(map, name, field)?;
    written.parse().map_err(|expected: TokenUnitsParseError| mismatch(field, &expected.to_string(), &written))
}

fn address(map: &Map<String, Value>, name: &str, field: &'static str) -> Result<EvmAddress, Mismatch> {
    let written = text(map, name, field)?;
    written.parse().map_err(|expected: WalletParseError| mismatch(field, &expected.to_string(), &written))
}

fn text<'v>(map: &'v Map<String, Value>, name: &str, field: &'static str) -> Result<&'v str, Mismatch> {
    let found = map.get(name).unwrap_or(&Value::Null);
    found.as_str().ok_or_else(|| mismatch(field, "a text", found))
}

fn listed<'n>(offers: &[PaymentOffer<'n>], name: impl Fn(&PaymentOffer<'n>) -> String) -> String {
    let mut names: Vec<String> = offers.iter().map(name).collect();
    names.dedup();
    names.join(" or ")
}

/// A difference, with the beginning of the value that was found.
pub(super) fn mismatch(field: &'static str, expected: &str, found: &impl ToString) -> Mismatch {
    let found = found.to_string();
    let told = match found.char_indices().nth(TOLD_CHARS) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found,
    };
    Mismatch { field, expected: expected.to_owned(), found: told }
}
