//! The text that a wallet signs to sign in: EIP-4361, and on Solana the same with its name.

use alloy::primitives::eip191_hash_message;

use super::{EvmSignature, OwnershipProofError, SignerMismatch, SolanaSignature, WalletAddress};
use tollgate_base::rfc3339;

/// The text that a wallet signs to sign in. None of its parts has a line break: each would begin another line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInMessage<'a> {
    /// The wallet that signs.
    pub wallet: WalletAddress,
    /// The sentence for people that says what the signature is for.
    pub statement: &'a str,
    /// The public address of the service, without a slash at its end; its host and port are the domain.
    pub uri: &'a str,
    /// The number of the EVM chain, or of the Solana network the part of its CAIP-2 id after `solana:`.
    pub chain: &'a str,
    /// The number that is used once.
    pub nonce: &'a str,
    /// The time of the text, in unix milliseconds.
    pub issued_at_ms: i64,
    /// The time from which it is good no more, in unix milliseconds; absent where the text names none.
    pub expires_at_ms: Option<i64>,
}

impl SignInMessage<'_> {
    /// The text: these bytes are signed, without a line break at the end.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { wallet, statement, uri, chain, nonce, issued_at_ms, expires_at_ms } = self;
        let (family, address) = match wallet {
            WalletAddress::Evm(address) => ("Ethereum", address.checksummed()),
            WalletAddress::Solana(address) => ("Solana", address.to_string()),
        };
        let (domain, issued_at) = (authority(uri), rfc3339(*issued_at_ms));
        let expires = expires_at_ms.map(|at_ms| format!("\nExpiration Time: {}", rfc3339(at_ms))).unwrap_or_default();
        format!(
            "{domain} wants you to sign in with your {family} account:\n\
             {address}\n\
             \n\
             {statement}\n\
             \n\
             URI: {uri}\n\
             Version: 1\n\
             Chain ID: {chain}\n\
             Nonce: {nonce}\n\
             Issued At: {issued_at}{expires}"
        )
    }

    /// Checks that `signature` was made by the key of the wallet over exactly this.
    ///
    /// # Errors
    /// When it is no signature in its one form, or one of another wallet or over something else.
    pub fn verify(&self, signature: &str) -> Result<(), OwnershipProofError> {
        match &self.wallet {
            WalletAddress::Evm(address) => {
                let signature: EvmSignature = signature.parse()?;
                let digest = eip191_hash_message(self.text());
                let by = signature.recover(&digest.0).ok_or(SignerMismatch)?;
                if by == *address { Ok(()) } else { Err(SignerMismatch.into()) }
            }
            WalletAddress::Solana(address) => {
                let signature: SolanaSignature = signature.parse()?;
                Ok(signature.verify(address, self.text().as_bytes())?)
            }
        }
    }
}

/// The host of an address, and its port where it has one.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split_once('/').map_or(rest, |(authority, _)| authority)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SignatureParseError;
    use crate::testing::Holder;

    const EVM: &str = "gateway.example wants you to sign in with your Ethereum account:
0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf

Sign in.

URI: https://gateway.example
Version: 1
Chain ID: 1
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-11-21T03:00:00Z
Expiration Time: 2026-11-21T03:05:00Z";

    fn message(holder: &Holder) -> SignInMessage<'static> {
        SignInMessage {
            wallet: holder.wallet(),
            statement: "Sign in.",
            uri: "https://gateway.example",
            chain: "1",
            nonce: "0123456789abcdef0123456789abcdef",
            issued_at_ms: 1_795_230_000_000,
            expires_at_ms: Some(1_795_230_300_000),
        }
    }

    #[test]
    fn the_text_is_that_of_the_standard() {
        assert_eq!(message(&Holder::evm(1)).text(), EVM);
        let solana = Holder::solana(1);
        let text = EVM
            .replace("Ethereum", "Solana")
            .replace("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf", &solana.wallet().to_string());
        assert_eq!(message(&solana).text(), text);
    }

    #[test]
    fn a_signature_is_for_all_that_the_text_says_and_nothing_else() {
        let foreign = Err(OwnershipProofError::Foreign(SignerMismatch));
        for [holder, other] in [[Holder::evm(1), Holder::evm(2)], [Holder::solana(1), Holder::solana(2)]] {
            let message = message(&holder);
            let signature = holder.sign_text(&message.text());
            assert_eq!(message.verify(&signature), Ok(()));
            assert_eq!(message.verify(&other.sign_text(&message.text())), foreign);
            for changed in [
                SignInMessage { wallet: other.wallet(), ..message },
                SignInMessage { statement: "Sign in!", ..message },
                SignInMessage { uri: "https://gateway.example.org", ..message },
                SignInMessage { uri: "http://gateway.example", ..message },
                SignInMessage { chain: "10", ..message },
                SignInMessage { nonce: "0123456789abcdef0123456789abcdee", ..message },
                SignInMessage { issued_at_ms: message.issued_at_ms + 1000, ..message },
                SignInMessage { expires_at_ms: None, ..message },
            ] {
                assert_eq!(changed.verify(&signature), foreign, "{changed:?}");
            }
        }
    }

    #[test]
    fn a_signature_of_another_family_or_of_a_contract_is_none() {
        let form = Err(OwnershipProofError::Form(SignatureParseError::Form));
        let (evm, solana) = (Holder::evm(1), Holder::solana(1));
        let texts = (message(&evm).text(), message(&solana).text());
        assert_eq!(message(&evm).verify(&solana.sign_text(&texts.0)), form);
        assert_eq!(message(&solana).verify(&evm.sign_text(&texts.1)), form);
        let signature = evm.sign_text(&texts.0);
        let long = format!("{signature}{}6492{}", "00".repeat(96), "6492".repeat(15));
        for text in [&signature[..130], &signature[2..], long.as_str(), ""] {
            assert_eq!(message(&evm).verify(text), form, "{text}");
        }
    }

    #[test]
    fn the_domain_is_host_and_port() {
        for (url, named) in [
            ("https://gateway.example", "gateway.example"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("https://example.com/tollgate", "example.com"),
        ] {
            assert_eq!(authority(url), named);
        }
    }
}
