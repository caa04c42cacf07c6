//! A signed Solana transaction as it comes in.

use crate::base::OrderId;
use crate::chains::solana::{Part, SolanaPayment};

use super::super::payload::{Mismatch, mismatch};
use super::offer::{SolanaOffer, memo};

/// A payment that does what an option asks for, and nothing else, by its signer.
#[derive(Debug)]
pub(in crate::topup::x402) struct Claimed<'n> {
    pub(super) offer: SolanaOffer<'n>,
    pub(in crate::topup::x402) payment: SolanaPayment,
}

impl<'n> Claimed<'n> {
    /// Reads a transaction for an option of an order.
    pub(in crate::topup::x402) fn read(text: &str, order: OrderId, offer: SolanaOffer<'n>) -> Result<Self, Mismatch> {
        let payment = SolanaPayment::read(text, &offer.ask(&memo(order)));
        let payment = payment.map_err(|differs| mismatch(field(differs.part), &differs.expected, &differs.found))?;
        Ok(Self { offer, payment })
    }
}

/// The path of a part of a transaction, for error texts.
const fn field(part: Part) -> &'static str {
    match part {
        Part::Bytes => "payload.transaction",
        Part::FeePayer => "payload.transaction.feePayer",
        Part::Signatures => "payload.transaction.signatures",
        Part::Instructions => "payload.transaction.instructions",
        Part::Fee => "payload.transaction.fee",
        Part::Transfer => "payload.transaction.transfer",
        Part::Mint => "payload.transaction.mint",
        Part::Source => "payload.transaction.source",
        Part::Destination => "payload.transaction.destination",
        Part::Authority => "payload.transaction.authority",
        Part::Amount => "payload.transaction.amount",
        Part::Decimals => "payload.transaction.decimals",
        Part::Memo => "payload.transaction.memo",
    }
}
