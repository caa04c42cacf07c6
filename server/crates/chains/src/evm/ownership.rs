//! The proof of ownership as EIP-712 typed data.
//!
//! The domain has no chain id: the request names no chain, the key is the same on each, and wallets refuse typed data for
//! another chain than the one they are on.

use alloy::primitives::{Address, U256};
use alloy::sol_types::{Eip712Domain, SolStruct, eip712_domain};

use crate::{EvmAddress, OwnershipStatement};

const DOMAIN: Eip712Domain = eip712_domain! { name: "service-agent-ownership", version: "1", };

mod typed {
    #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
    alloy::sol! {
        /// The signed struct. Its name, and the names and order of its members, are part of the digest.
        struct AgentOwnership {
            address agent_addr;
            string label;
            string audience;
            string nonce;
            uint256 issued_at;
        }
    }
}

/// The digest that the wallet signs. None for a time before 1970, which the type cannot say.
#[must_use]
pub fn ownership_digest(ownership: &OwnershipStatement<'_>, wallet: &EvmAddress) -> Option<[u8; 32]> {
    let data = typed::AgentOwnership {
        agent_addr: Address::from(wallet.0),
        label: ownership.label.to_owned(),
        audience: ownership.audience.to_owned(),
        nonce: ownership.nonce.to_owned(),
        issued_at: U256::from(u64::try_from(ownership.issued_at).ok()?),
    };
    Some(data.eip712_signing_hash(&DOMAIN).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OwnershipProofError, SignatureParseError, SignerMismatch, WalletAddress};

    const AGENT: &str = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
    const SIGNATURE: &str = "0x2cdc55eaed853a80a8978d80662047a06cc72fb391bd2cb0d32a7c521bea9fa0\
        536e0e437fd989fa10adad9c4b5eeda8dd5dd0d4eef121f202ea04b1b3204d811c";
    const PROOF: OwnershipStatement<'_> = OwnershipStatement {
        label: "bot-1",
        audience: "https://gateway.example",
        nonce: "0123456789abcdef0123456789abcdef",
        issued_at: 1_795_230_000,
        solana_network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    };

    fn verify(proof: OwnershipStatement<'_>) -> Result<(), OwnershipProofError> {
        proof.verify(&AGENT.parse().unwrap(), SIGNATURE)
    }

    #[test]
    fn the_published_vector_is_what_other_libraries_sign() {
        let hex = |bytes: &[u8]| data_encoding::HEXLOWER.encode(bytes);
        let WalletAddress::Evm(agent) = AGENT.parse().unwrap() else { panic!("an EVM address") };
        let typehash = alloy::primitives::keccak256(typed::AgentOwnership::eip712_encode_type().as_bytes());
        assert_eq!(hex(typehash.as_slice()), "6eb37fde3ff64d616590470d92635dcb1d4f808676fb0cf923e41b8e980f4573");
        let separator = DOMAIN.separator();
        assert_eq!(hex(separator.as_slice()), "bb784dc1bab6b3454a1ba689bd39022d286564f1f2c9bc8a92f73df4b2fc4734");
        let digest = ownership_digest(&PROOF, &agent).unwrap();
        assert_eq!(hex(&digest), "62e0ad1e8c7d09262c3e444536e6a8fe6b9b635900a2e803c4d809bb6e868342");
        assert_eq!(verify(PROOF), Ok(()));
    }

    #[test]
    fn a_proof_is_for_all_that_it_names_and_nothing_else() {
        let foreign = Err(OwnershipProofError::Foreign(SignerMismatch));
        assert_eq!(verify(OwnershipStatement { label: "bot-2", ..PROOF }), foreign);
        assert_eq!(verify(OwnershipStatement { audience: "https://gateway.example/", ..PROOF }), foreign);
        assert_eq!(verify(OwnershipStatement { nonce: "0123456789abcdef0123456789abcdee", ..PROOF }), foreign);
        for issued_at in [1_795_230_001, 1_795_230_000_000, -1, i64::MIN, i64::MAX] {
            assert_eq!(verify(OwnershipStatement { issued_at, ..PROOF }), foreign, "{issued_at}");
        }
        let other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8".parse().unwrap();
        assert_eq!(PROOF.verify(&other, SIGNATURE), foreign);
        let solana = "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB".parse().unwrap();
        assert_eq!(PROOF.verify(&solana, SIGNATURE), Err(OwnershipProofError::Form(SignatureParseError::Form)));
    }
}
