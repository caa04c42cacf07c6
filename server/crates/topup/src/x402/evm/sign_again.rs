//! Signing again for a payment on its way: whether another number is needed.

use crate::x402::sql::RelayerTransaction;
use tollgate_chains::evm::{EvmNetwork, EvmToken, RpcError, TransferAuthorization};

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
