//! A payment by Permit2, for tokens that know no authorizations of their own: the payer, who has let Permit2 move the token
//! once, signs that exactly so much goes to exactly that address, through the protocol's own contract, which sees to it.

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::sol_types::{SolCall, SolStruct};

use super::permit2_contract::contract::{
    PermitTransferFrom, PermitWitnessTransferFrom, TokenPermissions, Witness, settleCall,
};
use super::permit2_contract::{PROXY, domain, settlement};
use super::{EvmToken, PaymentSignature, TokenUnits, TransferAuthorization};

impl TransferAuthorization {
    pub(super) fn permit_digest(&self, token: &EvmToken, chain: u64) -> [u8; 32] {
        let PermitTransferFrom { permitted, nonce, deadline } = self.permit(token);
        let data = PermitWitnessTransferFrom { permitted, spender: PROXY, nonce, deadline, witness: self.witness() };
        data.eip712_signing_hash(&domain(chain)).0
    }

    pub(super) fn permit_call(&self, token: &EvmToken, signature: &PaymentSignature) -> Vec<u8> {
        let signature = match signature {
            PaymentSignature::Key(signature) => Bytes::copy_from_slice(&signature.to_bytes()),
            PaymentSignature::Contract(signature) => Bytes::copy_from_slice(signature),
        };
        let (permit, owner, witness) = (self.permit(token), Address::from(self.from.0), self.witness());
        settleCall { permit, owner, witness, signature }.abi_encode()
    }

    /// True if a call of that contract carries out this payment. By whatever signature: the contract has judged that.
    pub(super) fn is_settled_by(&self, token: &EvmToken, to: Option<Address>, input: &[u8]) -> bool {
        let Some((asked, owner, named)) = settlement(to, input) else { return false };
        let signed = self.permit(token);
        let permit = (asked.permitted.token, asked.permitted.amount, asked.nonce, asked.deadline);
        let witness = (owner, named.to, named.validAfter);
        permit == (signed.permitted.token, signed.permitted.amount, signed.nonce, signed.deadline)
            && witness == (Address::from(self.from.0), Address::from(self.to.0), self.valid_after.0)
    }

    fn permit(&self, token: &EvmToken) -> PermitTransferFrom {
        let permitted = TokenPermissions { token: Address::from(token.address.0), amount: self.value.0 };
        PermitTransferFrom { permitted, nonce: U256::from_be_bytes(self.nonce), deadline: self.valid_before.0 }
    }

    fn witness(&self) -> Witness {
        Witness { to: Address::from(self.to.0), validAfter: self.valid_after.0 }
    }
}

impl TokenUnits {
    /// The 32 bytes of the number, as the nonce of a permit.
    #[must_use]
    pub fn to_name(self) -> [u8; 32] {
        B256::from(self.0).0
    }
}

#[cfg(test)]
mod tests {
    use super::super::EvmMethod;
    use super::super::permit2_contract::contract::{EIP2612Permit, settleWithPermitCall};
    use super::super::permit2_contract::{PERMIT2, nonce_position};
    use super::*;
    use crate::EvmAddress;

    fn token() -> EvmToken {
        EvmToken { symbol: "USDT".to_owned(), address: EvmAddress([9; 20]), decimals: 18, method: EvmMethod::Permit2 }
    }

    fn signed() -> TransferAuthorization {
        TransferAuthorization {
            from: EvmAddress([1; 20]),
            to: EvmAddress([2; 20]),
            value: "5000000000000000000".parse().unwrap(),
            valid_after: "0".parse().unwrap(),
            valid_before: "99".parse().unwrap(),
            nonce: [7; 32],
        }
    }

    #[test]
    fn the_type_is_that_of_the_protocol() {
        let expected = "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,\
            uint256 deadline,Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";
        assert_eq!(PermitWitnessTransferFrom::eip712_encode_type(), expected);
    }

    #[test]
    fn a_name_is_one_bit_of_one_word() {
        let mut nonce = [0; 32];
        (nonce[30], nonce[31]) = (3, 5);
        assert_eq!(nonce_position(&nonce), (U256::from(3), U256::from(32)));
        assert_eq!(nonce_position(&[0xff; 32]), (U256::MAX >> 8, U256::from(1) << 255));
    }

    #[test]
    fn a_call_carries_out_the_payment_that_it_names_and_no_other() {
        let call = signed().permit_call(&token(), &PaymentSignature::Contract(vec![1, 2, 3]));
        let by = |signed: TransferAuthorization| signed.is_settled_by(&token(), Some(PROXY), &call);
        assert!(by(signed()));
        assert!(!signed().is_settled_by(&token(), Some(PERMIT2), &call), "another contract");
        assert!(!signed().is_settled_by(&token(), None, &call), "one that is made");
        assert!(!signed().is_settled_by(&token(), Some(PROXY), &call[..100]));
        assert!(!signed().is_settled_by(&token(), Some(PROXY), &[]));
        // Anybody may send it by the other entry too, with a permit of the token's own that is worth nothing.
        let permit2612 =
            EIP2612Permit { value: U256::from(1), deadline: U256::ZERO, r: B256::ZERO, s: B256::ZERO, v: 0 };
        let (permit, owner) = (signed().permit(&token()), Address::from(signed().from.0));
        let (witness, signature) = (signed().witness(), Bytes::new());
        let other = settleWithPermitCall { permit2612, permit, owner, witness, signature }.abi_encode();
        assert!(signed().is_settled_by(&token(), Some(PROXY), &other));
        assert!(!signed().is_settled_by(&token(), Some(PERMIT2), &other));
        let other = EvmAddress([8; 20]);
        assert!(!signed().is_settled_by(&EvmToken { address: other, ..token() }, Some(PROXY), &call));
        for wrong in [
            TransferAuthorization { from: other, ..signed() },
            TransferAuthorization { to: other, ..signed() },
            TransferAuthorization { value: "5".parse().unwrap(), ..signed() },
            TransferAuthorization { valid_after: "1".parse().unwrap(), ..signed() },
            TransferAuthorization { valid_before: "98".parse().unwrap(), ..signed() },
            TransferAuthorization { nonce: [8; 32], ..signed() },
        ] {
            assert!(!by(wrong), "{wrong:?}");
        }
    }
}
