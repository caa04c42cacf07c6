//! What a payer has signed, as it is kept.

use serde::{Deserialize, Serialize};

use crate::chains::EvmAddress;
use crate::chains::evm::Authorization;

/// A signed payment. Solana's form has a variant of its own beside this one.
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

    /// The token and what was signed. None where the text is none of ours.
    pub(super) fn read(&self) -> Option<(EvmAddress, Authorization)> {
        let Self::Authorization { token, from, to, value, valid_after, valid_before, nonce } = self;
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
