//! Tokens: what their contracts are asked, and the domain under which payments in them are signed.

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::Eip712Domain;

use super::permit2_contract;
use crate::EvmAddress;

pub(super) mod contract {
    #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
    alloy::sol! {
        function decimals() external view returns (uint8);
        function DOMAIN_SEPARATOR() external view returns (bytes32);
        function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);

        event Transfer(address indexed from, address indexed to, uint256 value);
        event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
        event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
    }

    /// The call with the parts of a signature, as every version of such tokens has it.
    pub(in crate::evm) mod by_parts {
        #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
        alloy::sol! {
            function transferWithAuthorization(
                address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
                uint8 v, bytes32 r, bytes32 s
            ) external;
        }
    }

    /// The call with the bytes of a signature, for payers that are contracts.
    pub(in crate::evm) mod by_bytes {
        #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
        alloy::sol! {
            function transferWithAuthorization(
                address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
                bytes signature
            ) external;
        }
    }
}

/// The way in which payments in a token are signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvmMethod {
    /// The token itself takes a signed authorization. Its EIP-712 name and version.
    Eip3009 {
        /// The name that the contract has, which is not always the one that people know.
        name: String,
        /// The version that the contract has.
        version: String,
    },
    /// The token takes none, and Permit2 moves it.
    Permit2,
}

/// A token that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvmToken {
    /// The symbol that people call it by.
    pub symbol: String,
    /// Its contract.
    pub address: EvmAddress,
    /// Decimal places of its unit.
    pub decimals: u8,
    /// The way in which payments in it are signed.
    pub method: EvmMethod,
}

impl EvmToken {
    /// The domain that its payments are signed under.
    pub(super) fn domain(&self, chain: u64) -> Eip712Domain {
        let (name, version) = match &self.method {
            EvmMethod::Eip3009 { name, version } => (name, version),
            EvmMethod::Permit2 => return permit2_contract::domain(chain),
        };
        Eip712Domain::new(
            Some(name.clone().into()),
            Some(version.clone().into()),
            Some(U256::from(chain)),
            Some(Address::from(self.address.0)),
            None,
        )
    }

    /// The contract that carries payments in it out.
    #[must_use]
    pub fn settlement_contract(&self) -> EvmAddress {
        match &self.method {
            EvmMethod::Eip3009 { .. } => self.address,
            EvmMethod::Permit2 => permit2_contract::permit2_spender(),
        }
    }

    /// The digest of that domain, which the contract tells too.
    pub(super) fn separator(&self, chain: u64) -> B256 {
        self.domain(chain).separator()
    }
}
