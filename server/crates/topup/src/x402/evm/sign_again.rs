//! Signing again for a payment on its way: the fees to offer for the same number, and whether another number is needed.

use crate::x402::sql::RelayerTransaction;
use tollgate_chains::evm::{EvmNetwork, EvmToken, GasFees, RpcError, TransferAuthorization};

/// The fees to offer for a transaction that no block takes, the highest first. A node takes the last of them in the place of what was
/// offered before. From the second raise on the tip is doubled, because the least that a node calls usual may be too little; up to
/// what a unit of gas may cost, it is at once what any node calls usual.
pub(in crate::x402) async fn offers(
    evm: &EvmNetwork,
    before: GasFees,
    signed: usize,
    most: u128,
) -> Result<Vec<GasFees>, RpcError> {
    let raised = before.raised();
    // What a node says of the price may be more than the budget has left, where the least raise is not.
    let usual = raised.max(evm.price().await?.capped(most));
    if signed < 2 {
        return Ok(vec![usual, raised]);
    }
    let told = evm.tip_highest().await.unwrap_or_default().min(raised.most);
    Ok(vec![usual.with_tip(raised.tip.saturating_mul(2).max(told)), usual, raised])
}

/// True if none of our transactions can carry a payment any more: each node that answers says that their numbers are used, none shows one of
/// them in a block, and none says that the payment was carried out. The first node alone could hide that it was, and have us pay for
/// one number after the other.
pub(in crate::x402) async fn is_lost(
    evm: &EvmNetwork,
    token: &EvmToken,
    signed: &TransferAuthorization,
    relayer: &str,
    sends: &[RelayerTransaction],
) -> Result<bool, RpcError> {
    let unused = *evm.sent_range().await?.start();
    if sends.iter().any(|send| send.relayer == relayer && send.nonce >= unused) {
        return Ok(false);
    }
    let hashes: Vec<_> = sends.iter().map(|send| send.signed.hash).collect();
    Ok(evm.receipts_of_any(&hashes).await?.is_empty() && !evm.is_spent_at_any(token, signed).await?)
}
