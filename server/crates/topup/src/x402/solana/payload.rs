//! A signed Solana transaction as it comes in.

use crate::x402::fields::{Mismatch, mismatch};
use tollgate_base::OrderId;
use tollgate_chains::solana::{SolanaPayment, SolanaPaymentPart};

use super::offer::{SolanaOffer, memo};

/// A payment that does what an option asks for, and nothing else, by its signer.
#[derive(Debug)]
pub(in crate::x402) struct SubmittedSolanaPayment<'n> {
    pub(super) offer: SolanaOffer<'n>,
    pub(in crate::x402) payment: SolanaPayment,
}

impl<'n> SubmittedSolanaPayment<'n> {
    /// Reads a transaction for an option of an order.
    pub(in crate::x402) fn read(text: &str, order: OrderId, offer: SolanaOffer<'n>) -> Result<Self, Mismatch> {
        let payment = SolanaPayment::read(text, &offer.ask(&memo(order)));
        let payment = payment.map_err(|differs| mismatch(field(differs.part), &differs.expected, &differs.found))?;
        Ok(Self { offer, payment })
    }
}

/// The path of a part of a transaction, for error texts.
const fn field(part: SolanaPaymentPart) -> &'static str {
    match part {
        SolanaPaymentPart::Bytes => "payload.transaction",
        SolanaPaymentPart::FeePayer => "payload.transaction.feePayer",
        SolanaPaymentPart::Signatures => "payload.transaction.signatures",
        SolanaPaymentPart::Instructions => "payload.transaction.instructions",
        SolanaPaymentPart::Fee => "payload.transaction.fee",
        SolanaPaymentPart::Transfer => "payload.transaction.transfer",
        SolanaPaymentPart::Mint => "payload.transaction.mint",
        SolanaPaymentPart::Source => "payload.transaction.source",
        SolanaPaymentPart::Destination => "payload.transaction.destination",
        SolanaPaymentPart::Authority => "payload.transaction.authority",
        SolanaPaymentPart::Amount => "payload.transaction.amount",
        SolanaPaymentPart::Decimals => "payload.transaction.decimals",
        SolanaPaymentPart::Memo => "payload.transaction.memo",
    }
}
