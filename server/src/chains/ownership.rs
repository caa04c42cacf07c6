//! The proof that a wallet is the caller's: a signature of that wallet over what it is to become.

use super::{
    EvmSignature, OwnershipProofError, SignerMismatch, SolanaSignature, WalletAddress, ownership_digest, ownership_text,
};

/// The statement that the holder of a wallet signs to make it an agent. Its names are those of the request.
#[derive(Debug, Clone, Copy)]
pub struct OwnershipStatement<'a> {
    /// Its name for people. Without line breaks, or it could add lines to the text.
    pub label: &'a str,
    /// The public address of the service, without a slash at its end: a proof for one service is none for another.
    pub audience: &'a str,
    /// The text that is used once.
    pub nonce: &'a str,
    /// The time of the signature, in unix seconds.
    pub issued_at: i64,
    /// The Solana network that the text names, the part of its CAIP-2 id after `solana:`.
    pub solana_network: &'a str,
}

impl OwnershipStatement<'_> {
    /// Checks that `signature` was made by the wallet over exactly this.
    ///
    /// # Errors
    /// When it is no signature, or one of another wallet or over something else.
    pub fn verify(&self, wallet: &WalletAddress, signature: &str) -> Result<(), OwnershipProofError> {
        match wallet {
            WalletAddress::Evm(address) => {
                let signature: EvmSignature = signature.parse()?;
                let digest = ownership_digest(self, address).ok_or(SignerMismatch)?;
                let by = signature.recover(&digest).ok_or(SignerMismatch)?;
                if by == *address { Ok(()) } else { Err(SignerMismatch.into()) }
            }
            WalletAddress::Solana(address) => {
                let signature: SolanaSignature = signature.parse()?;
                Ok(signature.verify(address, ownership_text(self, address).as_bytes())?)
            }
        }
    }
}
