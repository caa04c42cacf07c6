//! Whether a transaction that says the right things would be carried out, and for how long it can be.

use crate::chains::SolanaAddress;
use crate::chains::solana::{RpcError, SolanaNetwork, SolanaSigned};

use super::super::judge::NotGood;
use super::offer::SolanaOffer;
use super::payload::Claimed;

/// A transaction that can be claimed. Our signature is on it, and nobody has seen that yet.
#[derive(Debug)]
pub(in crate::topup::x402) struct Good<'n> {
    pub(super) offer: SolanaOffer<'n>,
    pub(super) payer: SolanaAddress,
    pub(super) signed: SolanaSigned,
    /// Nobody has it before this slot.
    pub(super) since_slot: u64,
    /// The last block that takes it.
    pub(super) last_height: u64,
}

/// Judges a transaction, with our signature on it: what is tried is what will be sent.
pub(in crate::topup::x402) async fn judge(claimed: Claimed<'_>) -> Result<Good<'_>, NotGood> {
    let Claimed { offer, payment } = claimed;
    let (solana, config) = (offer.solana, offer.solana.config());
    let (lamports, fee) = (solana.lamports().await?, payment.fee_lamports());
    if !SolanaNetwork::can_pay(lamports, fee) {
        let fee_payer = config.fee_payer.address();
        tracing::error!(
            target: "alarm", alarm = "relayer", network = offer.network.id, %fee_payer, lamports, fee_lamports = fee,
            "our account on a chain cannot pay for a transaction: payments on it are refused until it is given more"
        );
        return Err(NotGood::Unreachable(RpcError::Unreachable("our account on it is empty".to_owned())));
    }
    let signed = config.fee_payer.sign(&payment);
    let tried = solana.simulate(&signed.raw).await?;
    if let Some(reason) = tried.refused {
        return Err(NotGood::Rejected(reason));
    }
    let last_height = solana.last_height(tried.slot).await?;
    Ok(Good { offer, payer: payment.payer(), signed, since_slot: tried.slot, last_height })
}
