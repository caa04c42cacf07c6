//! The proof of ownership as a signed text, after EIP-4361 and CAIP-122: what wallets show as a sign-in.

use crate::{OwnershipStatement, SignInMessage, SolanaAddress, WalletAddress};

/// The text that the wallet signs: these bytes, without a line break at the end.
#[must_use]
pub fn ownership_text(ownership: &OwnershipStatement<'_>, wallet: &SolanaAddress) -> String {
    let OwnershipStatement { label, audience, nonce, issued_at, solana_network } = ownership;
    let statement = format!("service-agent-ownership: register this wallet as agent \"{label}\".");
    let message = SignInMessage {
        wallet: WalletAddress::Solana(*wallet),
        statement: &statement,
        uri: audience,
        chain: solana_network,
        nonce,
        issued_at_ms: issued_at.saturating_mul(1000),
        expires_at_ms: None,
    };
    message.text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OwnershipProofError, SignerMismatch};

    const WALLET: &str = "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB";
    const SIGNATURE: &str = "NCgiNe4BmmT8H4rArT49xSNJLsisDwNF8qxpuv2GRGiGy4DAio9J1u8MXY6A26Xa6843eRYqfvxg4uKXH7zTcD4";
    const PROOF: OwnershipStatement<'_> = OwnershipStatement {
        label: "bot-1",
        audience: "https://gateway.example",
        nonce: "0123456789abcdef0123456789abcdef",
        issued_at: 1_795_230_000,
        solana_network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    };
    const TEXT: &str = r#"gateway.example wants you to sign in with your Solana account:
GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB

service-agent-ownership: register this wallet as agent "bot-1".

URI: https://gateway.example
Version: 1
Chain ID: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-11-21T03:00:00Z"#;

    fn verify(proof: OwnershipStatement<'_>) -> Result<(), OwnershipProofError> {
        proof.verify(&WALLET.parse().unwrap(), SIGNATURE)
    }

    #[test]
    fn the_published_vector_is_what_wallets_sign() {
        let WalletAddress::Solana(wallet) = WALLET.parse().unwrap() else { panic!("a Solana address") };
        assert_eq!(ownership_text(&PROOF, &wallet), TEXT);
        assert_eq!(verify(PROOF), Ok(()));
    }

    #[test]
    fn a_proof_is_for_all_that_it_names_and_nothing_else() {
        let foreign = Err(OwnershipProofError::Foreign(SignerMismatch));
        assert_eq!(verify(OwnershipStatement { label: "bot-2", ..PROOF }), foreign);
        assert_eq!(verify(OwnershipStatement { audience: "http://gateway.example", ..PROOF }), foreign);
        assert_eq!(verify(OwnershipStatement { nonce: "0123456789abcdef0123456789abcdee", ..PROOF }), foreign);
        assert_eq!(verify(OwnershipStatement { solana_network: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1", ..PROOF }), foreign);
        for issued_at in [1_795_230_001, -1, i64::MIN, i64::MAX] {
            assert_eq!(verify(OwnershipStatement { issued_at, ..PROOF }), foreign, "{issued_at}");
        }
    }
}
