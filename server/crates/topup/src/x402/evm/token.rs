//! The token of an open payment, and the authorization that was signed for it.

use crate::x402::settle_error::SettleError;
use crate::x402::sql::PendingPayment;
use tollgate_chains::evm::{EvmNetwork, EvmToken, TransferAuthorization};

/// The token of a payment and the authorization that was signed.
pub(in crate::x402) fn token_of<'n>(
    evm: &'n EvmNetwork,
    kept: &PendingPayment,
) -> Result<(&'n EvmToken, TransferAuthorization), SettleError> {
    let gone = || SettleError::NoToken(kept.new.asset.clone());
    let (address, signed) = kept.terms.read().ok_or_else(gone)?;
    let is_paid_so = |token: &&EvmToken| token.address == address && kept.terms.is_for(token);
    let token = evm.config().tokens.iter().find(is_paid_so).ok_or_else(gone)?;
    Ok((token, signed))
}
