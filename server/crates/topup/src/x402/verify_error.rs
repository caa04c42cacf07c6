//! The reasons for which a payment is not accepted.

use tollgate_chains::evm::RpcError;

use super::fields::Mismatch;

/// The characters of a chain's reason that are passed on.
const REASON_CHARS: usize = 200;

/// The reason for which a payment is not accepted. Nothing was sent.
#[derive(Debug)]
pub(super) enum VerifyError {
    /// It is not what is asked for.
    Mismatch(Mismatch),
    /// The chain would not carry it out.
    Rejected(String),
    /// The chain could not be asked.
    Unreachable(RpcError),
    /// The authorization is used up, and the nodes do not show by what: its money may be with us.
    Unshown(RpcError),
}

impl VerifyError {
    /// The refusal of a payment whose fee would eat up too much of it.
    pub(super) fn too_dear() -> Self {
        Self::Rejected("the chain's fee would be more than a tenth of the order: pay a larger one, or later".to_owned())
    }
}

impl From<RpcError> for VerifyError {
    fn from(error: RpcError) -> Self {
        match error {
            // A contract's reason is for the payer. Other refusals of a node are its own matter: a bound of its operator, in words
            // that are for us.
            RpcError::Refused { ref message, .. } if error.is_revert() => {
                Self::Rejected(message.chars().take(REASON_CHARS).collect())
            }
            RpcError::Unreachable(_) | RpcError::Refused { .. } | RpcError::Behind | RpcError::Disagreed(_) => {
                Self::Unreachable(error)
            }
        }
    }
}
