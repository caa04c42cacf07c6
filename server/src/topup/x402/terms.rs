//! What a payer has signed, as it is kept.

use serde::{Deserialize, Serialize};

use crate::chains::evm::Authorization;
use crate::chains::solana::SolanaSignature;
use crate::chains::{EvmAddress, SolanaAddress};

/// A signed payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub(super) enum Terms {
    /// EIP-3009.
    Authorization {
        token: String,
        from: String,
        to: String,
        value: String,
        valid_after: String,
        valid_before: String,
        nonce: String,
    },
    /// A transaction of Solana's, whose bytes are kept as the call.
    Transaction { mint: String, to: String, amount: String, signature: String, last_height: u64 },
}

/// What a transaction of Solana's is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer {
    pub(super) mint: SolanaAddress,
    /// The account of the token that is paid into.
    pub(super) to: SolanaAddress,
    pub(super) amount: u64,
    /// The transaction's name.
    pub(super) signature: SolanaSignature,
    /// The last block that takes it.
    pub(super) last_height: u64,
}

impl Terms {
    pub(super) fn of(token: &EvmAddress, signed: &Authorization) -> Self {
        Self::Authorization {
            token: token.to_string(),
            from: signed.from.to_string(),
            to: signed.to.to_string(),
            value: signed.value.to_string(),
            valid_after: signed.valid_after.to_string(),
            valid_before: signed.valid_before.to_string(),
            nonce: hex(&signed.nonce),
        }
    }

    pub(super) fn of_transfer(transfer: &Transfer) -> Self {
        Self::Transaction {
            mint: transfer.mint.to_string(),
            to: transfer.to.to_string(),
            amount: transfer.amount.to_string(),
            signature: transfer.signature.to_string(),
            last_height: transfer.last_height,
        }
    }

    /// What a transaction of Solana's is to do. None where the text is none of ours, or of another form.
    pub(super) fn transfer(&self) -> Option<Transfer> {
        let Self::Transaction { mint, to, amount, signature, last_height } = self else { return None };
        Some(Transfer {
            mint: mint.parse().ok()?,
            to: to.parse().ok()?,
            amount: amount.parse().ok()?,
            signature: signature.parse().ok()?,
            last_height: *last_height,
        })
    }

    /// The token and what was signed. None where the text is none of ours, or of another form.
    pub(super) fn read(&self) -> Option<(EvmAddress, Authorization)> {
        let Self::Authorization { token, from, to, value, valid_after, valid_before, nonce } = self else {
            return None;
        };
        let signed = Authorization {
            from: from.parse().ok()?,
            to: to.parse().ok()?,
            value: value.parse().ok()?,
            valid_after: valid_after.parse().ok()?,
            valid_before: valid_before.parse().ok()?,
            nonce: unhex(nonce)?,
        };
        Some((token.parse().ok()?, signed))
    }
}

/// `0x` and small letters.
pub(super) fn hex(bytes: &[u8; 32]) -> String {
    format!("0x{}", data_encoding::HEXLOWER.encode(bytes))
}

/// `0x` and 64 digits, small or capital.
pub(super) fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix("0x")?;
    data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_is_read_again_and_is_no_authorization() {
        let transfer = Transfer {
            mint: SolanaAddress([1; 32]),
            to: SolanaAddress([2; 32]),
            amount: u64::MAX,
            signature: SolanaSignature([3; 64]),
            last_height: 9,
        };
        let kept = serde_json::to_string(&Terms::of_transfer(&transfer)).unwrap();
        assert!(kept.starts_with(r#"{"form":"transaction","#), "{kept}");
        let read: Terms = serde_json::from_str(&kept).unwrap();
        assert_eq!((read.transfer(), read.read()), (Some(transfer), None));
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let signed = Authorization {
            from: EvmAddress([1; 20]),
            to: EvmAddress([2; 20]),
            value: "5000000".parse().unwrap(),
            valid_after: "0".parse().unwrap(),
            valid_before: "99".parse().unwrap(),
            nonce: [7; 32],
        };
        let text = serde_json::to_string(&Terms::of(&EvmAddress([3; 20]), &signed)).unwrap();
        let kept: Terms = serde_json::from_str(&text).unwrap();
        assert_eq!(kept.read(), Some((EvmAddress([3; 20]), signed)));
    }
}
