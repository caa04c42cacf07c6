//! The signed terms of a payment, as they are kept.

use serde::{Deserialize, Serialize};

use tollgate_chains::evm::{EvmMethod, EvmToken, TransferAuthorization};
use tollgate_chains::solana::SolanaSignature;
use tollgate_chains::{EvmAddress, SolanaAddress};

/// The terms of a signed payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub(super) enum SignedTerms {
    /// EIP-3009.
    Authorization(AuthorizationText),
    /// Permit2.
    Permit(AuthorizationText),
    /// A transaction of Solana, whose bytes are kept as the call.
    Transaction { mint: String, to: String, amount: String, signature: String, since_slot: u64, last_height: u64 },
}

/// The transfer of a transaction of Solana.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SolanaTransfer {
    pub(super) mint: SolanaAddress,
    /// The token account that is paid.
    pub(super) to: SolanaAddress,
    pub(super) amount: u64,
    /// The transaction's name.
    pub(super) signature: SolanaSignature,
    /// A slot before which it was not sent.
    pub(super) since_slot: u64,
    /// The last block that accepts it.
    pub(super) last_height: u64,
}

/// The signed values of an EVM payment, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AuthorizationText {
    token: String,
    from: String,
    to: String,
    value: String,
    valid_after: String,
    valid_before: String,
    nonce: String,
}

impl SignedTerms {
    pub(super) fn of(token: &EvmToken, signed: &TransferAuthorization) -> Self {
        let words = AuthorizationText {
            token: token.address.to_string(),
            from: signed.from.to_string(),
            to: signed.to.to_string(),
            value: signed.value.to_string(),
            valid_after: signed.valid_after.to_string(),
            valid_before: signed.valid_before.to_string(),
            nonce: hex(&signed.nonce),
        };
        match &token.method {
            EvmMethod::Eip3009 { .. } => Self::Authorization(words),
            EvmMethod::Permit2 => Self::Permit(words),
        }
    }

    pub(super) fn of_transfer(transfer: &SolanaTransfer) -> Self {
        Self::Transaction {
            mint: transfer.mint.to_string(),
            to: transfer.to.to_string(),
            amount: transfer.amount.to_string(),
            signature: transfer.signature.to_string(),
            since_slot: transfer.since_slot,
            last_height: transfer.last_height,
        }
    }

    /// The transfer of a transaction of Solana. None if the text cannot be read, or is of another form.
    pub(super) fn transfer(&self) -> Option<SolanaTransfer> {
        let Self::Transaction { mint, to, amount, signature, since_slot, last_height } = self else { return None };
        Some(SolanaTransfer {
            mint: mint.parse().ok()?,
            to: to.parse().ok()?,
            amount: amount.parse().ok()?,
            signature: signature.parse().ok()?,
            since_slot: *since_slot,
            last_height: *last_height,
        })
    }

    /// The token and the signed authorization. None if the text cannot be read, or is of another form.
    pub(super) fn read(&self) -> Option<(EvmAddress, TransferAuthorization)> {
        let (Self::Authorization(words) | Self::Permit(words)) = self else { return None };
        let signed = TransferAuthorization {
            from: words.from.parse().ok()?,
            to: words.to.parse().ok()?,
            value: words.value.parse().ok()?,
            valid_after: words.valid_after.parse().ok()?,
            valid_before: words.valid_before.parse().ok()?,
            nonce: unhex(&words.nonce)?,
        };
        Some((words.token.parse().ok()?, signed))
    }

    /// True if the token is paid in this form. An authorization means nothing to a permit's token, and the other way round.
    pub(super) fn is_for(&self, token: &EvmToken) -> bool {
        match self {
            Self::Authorization(_) => matches!(token.method, EvmMethod::Eip3009 { .. }),
            Self::Permit(_) => token.method == EvmMethod::Permit2,
            Self::Transaction { .. } => false,
        }
    }
}

/// Writes `0x` and small hexadecimal letters.
pub(super) fn hex(bytes: &[u8; 32]) -> String {
    format!("0x{}", data_encoding::HEXLOWER.encode(bytes))
}

/// Reads `0x` and 64 hexadecimal digits, small or capital.
pub(super) fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix("0x")?;
    data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_is_read_again_and_is_no_authorization() {
        let transfer = SolanaTransfer {
            mint: SolanaAddress([1; 32]),
            to: SolanaAddress([2; 32]),
            amount: u64::MAX,
            signature: SolanaSignature([3; 64]),
            since_slot: 8,
            last_height: 9,
        };
        let kept = serde_json::to_string(&SignedTerms::of_transfer(&transfer)).unwrap();
        assert!(kept.starts_with(r#"{"form":"transaction","#), "{kept}");
        let read: SignedTerms = serde_json::from_str(&kept).unwrap();
        assert_eq!((read.transfer(), read.read()), (Some(transfer), None));
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let signed = TransferAuthorization {
            from: EvmAddress([1; 20]),
            to: EvmAddress([2; 20]),
            value: "5000000".parse().unwrap(),
            valid_after: "0".parse().unwrap(),
            valid_before: "99".parse().unwrap(),
            nonce: [7; 32],
        };
        let address = EvmAddress([3; 20]);
        let eip3009 = EvmMethod::Eip3009 { name: "USD Coin".to_owned(), version: "2".to_owned() };
        let of = |method: &EvmMethod| EvmToken { symbol: String::new(), address, decimals: 6, method: method.clone() };
        for (method, other, form) in
            [(&eip3009, &EvmMethod::Permit2, "authorization"), (&EvmMethod::Permit2, &eip3009, "permit")]
        {
            let text = serde_json::to_string(&SignedTerms::of(&of(method), &signed)).unwrap();
            assert!(text.contains(&format!(r#""form":"{form}","token":"0x0303"#)), "{text}");
            let kept: SignedTerms = serde_json::from_str(&text).unwrap();
            assert_eq!(kept.read(), Some((address, signed)));
            assert!(kept.is_for(&of(method)) && !kept.is_for(&of(other)));
        }
    }
}
