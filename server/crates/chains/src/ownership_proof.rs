//! The proof that a wallet is the caller's: a signature of that wallet over what it is to become.

use super::{
    EvmSignature, OwnershipProofError, OwnershipStatement, SignerMismatch, SolanaSignature, WalletAddress,
    ownership_digest, ownership_text,
};

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
