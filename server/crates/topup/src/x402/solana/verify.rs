//! Verification of a Solana transaction that claims to pay an option: whether it would be carried out, and for how long it can be.

use crate::x402::verify_error::VerifyError;
use tollgate_base::Usd;
use tollgate_chains::solana::{RpcError, SolanaNetwork, SolanaPayment};

use super::offer::SolanaOffer;
use super::payload::SubmittedSolanaPayment;

/// The decimal places of the coin.
const LAMPORT_DECIMALS: u32 = 9;
/// The least number of blocks, some 25 seconds, that still accept a transaction. One with an older blockhash would be simulated
/// with success and carried to the chain too late: it costs its payer nothing, and its fee is reserved until it has certainly
/// lapsed.
const BLOCKS_LEFT_MIN: usize = 60;

/// A verified transaction, ready to be claimed. It is not signed by us yet.
#[derive(Debug)]
pub(in crate::x402) struct VerifiedSolanaPayment<'n> {
    pub(super) offer: SolanaOffer<'n>,
    pub(super) payment: SolanaPayment,
    /// The most that it costs us.
    pub(super) fee: Usd,
    /// A slot before which no node has it.
    pub(super) since_slot: u64,
    /// The last block that accepts it.
    pub(super) last_height: u64,
}

/// Verifies a transaction for an order of an amount. It is simulated as it will be sent, but without our signature: with that on
/// it, a node could send it before it is kept.
pub(in crate::x402) async fn verify(
    claimed: SubmittedSolanaPayment<'_>,
    amount: Usd,
) -> Result<VerifiedSolanaPayment<'_>, VerifyError> {
    let SubmittedSolanaPayment { offer, payment } = claimed;
    let (solana, config) = (offer.solana, offer.solana.config());
    let bounds = offer.network.config.fees;
    if u128::from(payment.fee_lamports()) > bounds.most_for(amount, LAMPORT_DECIMALS) {
        return Err(VerifyError::too_dear());
    }
    let (lamports, fee) = (solana.lamports().await?, payment.fee_lamports());
    if !SolanaNetwork::can_pay(lamports, fee) {
        let fee_payer = config.fee_payer.address();
        tracing::error!(
            target: "alarm", alarm = "relayer", network = offer.network.id, %fee_payer, lamports, fee_lamports = fee,
            "our account on a chain cannot pay for a transaction: payments on it are refused until it is given more"
        );
        return Err(VerifyError::Unreachable(RpcError::Unreachable("our account on it is empty".to_owned())));
    }
    let tried = solana.simulate(&payment.unsigned()).await?;
    if let Some(reason) = tried.refused {
        return Err(VerifyError::Rejected(reason));
    }
    if !solana.is_valid_for(payment.blockhash(), BLOCKS_LEFT_MIN, tried.slot).await? {
        return Err(VerifyError::Rejected(format!(
            "its recent blockhash is too old: fewer than {BLOCKS_LEFT_MIN} blocks more would take it. Sign it anew, with the \
             latest blockhash"
        )));
    }
    let last_height = solana.last_height(tried.slot).await?;
    let fee = bounds.worth(fee.into(), LAMPORT_DECIMALS);
    Ok(VerifiedSolanaPayment { offer, payment, fee, since_slot: tried.slot, last_height })
}
