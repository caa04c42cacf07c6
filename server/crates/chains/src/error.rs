//! The errors of signatures and of proofs of ownership.

/// The text is no signature that is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureParseError {
    /// The text is not the bytes of a signature.
    /// The short form of ERC-2098 and the long ones of contracts are among these.
    #[error("not the bytes of a signature")]
    Form,
    /// Its other half of the curve would be as good: whoever saw one could make the other.
    #[error("the `s` of the signature is not in its lower half")]
    HighS,
}

/// The signature was made by another wallet, or over something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the signature is of another wallet, or over something else")]
pub struct SignerMismatch;

/// The reasons why a proof does not show that a wallet is the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OwnershipProofError {
    /// The text is no signature of that chain.
    #[error(transparent)]
    Form(#[from] SignatureParseError),
    /// The signature is well formed, and of another wallet or over something else.
    #[error(transparent)]
    Foreign(#[from] SignerMismatch),
}
