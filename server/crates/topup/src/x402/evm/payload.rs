//! A signed EVM authorization as it comes in, by EIP-3009 or Permit2.

use serde_json::{Map, Value};

use crate::x402::fields::{Mismatch, mismatch, object, text};
use crate::x402::terms::{hex, unhex};
use tollgate_chains::evm::{
    EvmMethod, EvmToken, TokenUnits, TokenUnitsParseError, TransferAuthorization, permit2_spender,
};
use tollgate_chains::{EvmAddress, WalletParseError};

use super::offer::EvmOffer;

/// A payment on an EVM chain that claims to pay an option.
#[derive(Debug)]
pub(in crate::x402) struct SubmittedEvmPayment<'n> {
    pub(in crate::x402) offer: EvmOffer<'n>,
    pub(in crate::x402) signed: TransferAuthorization,
    pub(in crate::x402) signature: String,
}

/// The paths of the signed values in the payload, for error texts.
pub(in crate::x402) struct PayloadPaths {
    pub(in crate::x402) from: &'static str,
    pub(in crate::x402) to: &'static str,
    pub(in crate::x402) value: &'static str,
    pub(in crate::x402) valid_after: &'static str,
    pub(in crate::x402) valid_before: &'static str,
    nonce: &'static str,
}

impl PayloadPaths {
    pub(in crate::x402) const fn of(method: &EvmMethod) -> Self {
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
pub(in crate::x402) fn authorization(payload: &Map<String, Value>) -> Result<TransferAuthorization, Mismatch> {
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
pub(in crate::x402) fn permit(
    payload: &Map<String, Value>,
    offer: &EvmOffer<'_>,
) -> Result<TransferAuthorization, Mismatch> {
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
pub(in crate::x402) fn is_asked_for(signed: &TransferAuthorization, offer: &EvmOffer<'_>) -> Result<(), Mismatch> {
    let names = PayloadPaths::of(&offer.token.method);
    if signed.to != offer.pay_to() {
        return Err(mismatch(names.to, &offer.pay_to().checksummed(), &signed.to));
    }
    if signed.value != offer.amount {
        return Err(mismatch(names.value, &offer.amount.to_string(), &signed.value));
    }
    Ok(())
}

fn number(map: &Map<String, Value>, name: &str, field: &'static str) -> Result<TokenUnits, Mismatch> {
    let written = text(map, name, field)?;
    written.parse().map_err(|expected: TokenUnitsParseError| mismatch(field, &expected.to_string(), &written))
}

fn address(map: &Map<String, Value>, name: &str, field: &'static str) -> Result<EvmAddress, Mismatch> {
    let written = text(map, name, field)?;
    written.parse().map_err(|expected: WalletParseError| mismatch(field, &expected.to_string(), &written))
}

/// The unique name of an authorization: nothing else can be paid under it.
pub(in crate::x402) fn reference(token: &EvmToken, signed: &TransferAuthorization) -> String {
    format!("{}/{}/{}", token.address, signed.from, hex(&signed.nonce))
}
