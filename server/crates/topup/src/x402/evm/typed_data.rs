//! The typed data that an EVM wallet signs for an option: domain, types and message (`eth_signTypedData_v4`). A page that hands it
//! on needs to know no token.

use serde_json::{Value, json};

use crate::x402::terms::hex;
use tollgate_api::generated::types::X402Option;
use tollgate_chains::EvmAddress;
use tollgate_chains::evm::TokenUnits;

/// The address of Permit2, on every chain.
const PERMIT2: &str = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
/// The protocol's contract for exact payments by Permit2, on every chain.
const SPENDER: &str = "0x402085c248EeA27D92E8b30b2C58ed07f9E20001";

/// The data that `payer` signs, valid until `valid_before` and named by `nonce`. None for an option of another kind of chain.
pub(in crate::x402) fn typed_data(
    option: &X402Option,
    payer: EvmAddress,
    valid_before: i64,
    nonce: &[u8; 32],
) -> Option<Value> {
    let chain: u64 = option.network.strip_prefix("eip155:")?.parse().ok()?;
    let extra: Value = serde_json::from_str(option.extra.get()).ok()?;
    let is_permit = extra.get("assetTransferMethod").is_some_and(|method| method == "permit2");
    Some(if is_permit {
        permit(option, chain, valid_before, nonce)
    } else {
        authorization(option, &extra, chain, payer, valid_before, nonce)
    })
}

/// The typed data of an EIP-3009 authorization.
fn authorization(
    option: &X402Option,
    extra: &Value,
    chain: u64,
    payer: EvmAddress,
    valid_before: i64,
    nonce: &[u8; 32],
) -> Value {
    json!({
        "domain": {
            "name": extra["name"], "version": extra["version"], "chainId": chain, "verifyingContract": option.asset,
        },
        "types": {
            "EIP712Domain": fields(&["name string", "version string", "chainId uint256", "verifyingContract address"]),
            "TransferWithAuthorization": fields(&[
                "from address", "to address", "value uint256", "validAfter uint256", "validBefore uint256", "nonce bytes32",
            ]),
        },
        "primaryType": "TransferWithAuthorization",
        "message": {
            "from": payer.checksummed(), "to": option.pay_to, "value": option.amount, "validAfter": "0",
            "validBefore": valid_before.to_string(), "nonce": hex(nonce),
        },
    })
}

/// The typed data of a Permit2 authorization. It does not name the payer: the signature does.
fn permit(option: &X402Option, chain: u64, deadline: i64, nonce: &[u8; 32]) -> Value {
    json!({
        "domain": {"name": "Permit2", "chainId": chain, "verifyingContract": PERMIT2},
        "types": {
            "EIP712Domain": fields(&["name string", "chainId uint256", "verifyingContract address"]),
            "PermitWitnessTransferFrom": fields(&[
                "permitted TokenPermissions", "spender address", "nonce uint256", "deadline uint256", "witness Witness",
            ]),
            "TokenPermissions": fields(&["token address", "amount uint256"]),
            "Witness": fields(&["to address", "validAfter uint256"]),
        },
        "primaryType": "PermitWitnessTransferFrom",
        "message": {
            "permitted": {"token": option.asset, "amount": option.amount}, "spender": SPENDER,
            "nonce": TokenUnits::of_bits(*nonce).to_string(), "deadline": deadline.to_string(),
            "witness": {"to": option.pay_to, "validAfter": "0"},
        },
    })
}

/// Members of a type, each "name type".
fn fields(members: &[&str]) -> Value {
    let member = |text: &&str| text.split_once(' ').map(|(name, kind)| json!({"name": name, "type": kind}));
    members.iter().map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_api::{Json, Rest};
    use tollgate_chains::evm::{EvmMethod, EvmToken, TransferAuthorization};
    use tollgate_chains::testing::Holder;

    const COIN: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    const PAY_TO: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

    fn option(network: &str, extra: &Value) -> X402Option {
        X402Option {
            scheme: "exact",
            network: network.to_owned(),
            amount: "5000000".to_owned(),
            max_amount_required: "5000000".to_owned(),
            resource: "http://gateway.example/api/x402/pay/7".to_owned(),
            pay_to: PAY_TO.to_owned(),
            max_timeout_seconds: 600,
            asset: COIN.to_owned(),
            extra: Json::of(extra).unwrap(),
            rest: Rest::default(),
        }
    }

    #[test]
    fn a_wallet_signs_what_the_engine_checks() {
        let from = EvmAddress([0xab; 20]);
        let extra = json!({"name": "USD Coin", "version": "2"});
        let data = typed_data(&option("eip155:8453", &extra), from, 1_800_000_600, &[7; 32]).unwrap();
        let signed = TransferAuthorization {
            from,
            to: PAY_TO.parse().unwrap(),
            value: "5000000".parse().unwrap(),
            valid_after: "0".parse().unwrap(),
            valid_before: "1800000600".parse().unwrap(),
            nonce: [7; 32],
        };
        let method = EvmMethod::Eip3009 { name: "USD Coin".to_owned(), version: "2".to_owned() };
        let token = EvmToken { symbol: "USDC".to_owned(), address: COIN.parse().unwrap(), decimals: 6, method };
        let payer = Holder::evm(1);
        assert_eq!(payer.sign_typed(&data), payer.sign_digest(&signed.digest(&token, 8453)));
        assert_eq!(data["message"]["from"], from.checksummed());
    }

    #[test]
    fn a_permit_names_the_protocols_own_contract() {
        let extra = json!({"assetTransferMethod": "permit2"});
        let data = typed_data(&option("eip155:56", &extra), EvmAddress([1; 20]), 9, &[0xff; 32]).unwrap();
        assert_eq!(data["primaryType"], "PermitWitnessTransferFrom");
        assert_eq!(data["message"]["spender"], SPENDER);
        // The largest number that there is.
        let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(data["message"]["nonce"], largest);
        assert_eq!(Holder::evm(1).sign_typed(&data).len(), 132, "wallets can read it");
    }

    #[test]
    fn other_chains_sign_otherwise() {
        let option = option("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", &json!({"feePayer": "x"}));
        assert_eq!(typed_data(&option, EvmAddress([1; 20]), 9, &[0; 32]), None);
    }
}
