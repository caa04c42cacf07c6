//! Permit2 and the protocol's contract that settles by it: their addresses, calls, events and signing domain.

use alloy::primitives::{Address, U256, address};
use alloy::sol_types::{Eip712Domain, SolCall};

use crate::EvmAddress;

/// Permit2, on every chain.
pub(super) const PERMIT2: Address = address!("000000000022D473030F116dDEE9F6B43aC78BA3");
/// The protocol's contract for exact payments, on every chain. It sends what is permitted to whom the payer named, and
/// nowhere else, whoever calls it.
pub(super) const PROXY: Address = address!("402085c248EeA27D92E8b30b2C58ed07f9E20001");

pub(super) mod contract {
    #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
    alloy::sol! {
        struct TokenPermissions {
            address token;
            uint256 amount;
        }

        struct Witness {
            address to;
            uint256 validAfter;
        }

        /// The signed struct. Its name, and the names and order of its members, are part of the digest.
        struct PermitWitnessTransferFrom {
            TokenPermissions permitted;
            address spender;
            uint256 nonce;
            uint256 deadline;
            Witness witness;
        }

        struct PermitTransferFrom {
            TokenPermissions permitted;
            uint256 nonce;
            uint256 deadline;
        }

        /// The token's own permit (ERC-2612), which the contract tries first.
        struct EIP2612Permit {
            uint256 value;
            uint256 deadline;
            bytes32 r;
            bytes32 s;
            uint8 v;
        }

        function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature) external;
        function settleWithPermit(
            EIP2612Permit permit2612,
            PermitTransferFrom permit,
            address owner,
            Witness witness,
            bytes signature
        ) external;
        function PERMIT2() external view returns (address);
        function nonceBitmap(address owner, uint256 word) external view returns (uint256);
        function allowance(address owner, address spender) external view returns (uint256);

        event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);
    }
}
use contract::{PermitTransferFrom, Witness, settleCall, settleWithPermitCall};

/// The domain that permits are signed under.
pub(super) fn domain(chain: u64) -> Eip712Domain {
    Eip712Domain::new(Some("Permit2".into()), None, Some(U256::from(chain)), Some(PERMIT2), None)
}

/// The address of the contract that a payer has to name.
#[must_use]
pub fn permit2_spender() -> EvmAddress {
    EvmAddress(PROXY.into())
}

/// The place of a nonce in the contract's bitmap of used ones: the word, and the bit in it.
pub(super) fn nonce_position(nonce: &[u8; 32]) -> (U256, U256) {
    let nonce = U256::from_be_bytes(*nonce);
    (nonce >> 8, U256::from(1) << (nonce & U256::from(0xff)))
}

/// The payment that a transaction carries out, where it is one of the two calls of that contract.
/// Whoever sends it, and whatever comes with it, the permit that moves the money is in it.
pub(super) fn settlement(to: Option<Address>, input: &[u8]) -> Option<(PermitTransferFrom, Address, Witness)> {
    if to != Some(PROXY) {
        return None;
    }
    let plain = settleCall::abi_decode(input).map(|call| (call.permit, call.owner, call.witness));
    let permitted = || settleWithPermitCall::abi_decode(input).map(|call| (call.permit, call.owner, call.witness));
    plain.or_else(|_| permitted()).ok()
}
