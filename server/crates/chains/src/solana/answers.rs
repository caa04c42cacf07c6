//! The answers of nodes, as far as they are looked at.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::SolanaAddress;
use crate::rpc::printable;

use super::{SolanaSignature, SolanaToken, TokenProgram};

/// The size of a mint without rules of its own, and of an account.
const MINT_BYTES: usize = 82;
const ACCOUNT_BYTES: usize = 165;
/// The place of the kind, in the newer program.
/// Behind the bytes of an account stands what it is, and then its rules, each with kind and length.
const KIND_OF_ACCOUNT_AT: usize = 165;
const KIND_MINT: u8 = 1;
const RULE_FEE: u16 = 1;
const RULE_CALLS_ANOTHER: u16 = 14;
/// Initialised, and not frozen.
const USABLE: u8 = 1;

/// An answer with the slot that it is of.
#[derive(Debug, Deserialize)]
pub(super) struct SlotValue<T> {
    pub(super) context: ResponseSlot,
    pub(super) value: T,
}

#[derive(Debug, Deserialize)]
pub(super) struct ResponseSlot {
    pub(super) slot: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LatestBlockhash {
    pub(super) blockhash: String,
    pub(super) last_valid_block_height: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EpochInfo {
    pub(super) absolute_slot: u64,
    pub(super) block_height: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct SimulationWire {
    pub(super) err: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignatureStatusWire {
    slot: u64,
    confirmations: Option<u64>,
    err: Option<Value>,
    confirmation_status: Option<String>,
}

/// The status of a transaction that is in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureStatus {
    /// The slot of its block.
    pub slot: u64,
    /// The number of blocks on top of its own, where that is confirmed.
    pub confirmed: Option<u64>,
    /// True if it cannot be taken back.
    pub is_final: bool,
    /// The reason why it was not carried out, where it was not.
    pub failed: Option<String>,
}

impl From<SignatureStatusWire> for SignatureStatus {
    fn from(wire: SignatureStatusWire) -> Self {
        let SignatureStatusWire { slot, confirmations, err, confirmation_status } = wire;
        let (is_final, is_confirmed) = match confirmation_status.as_deref() {
            Some("finalized") => (true, true),
            Some("confirmed") => (false, true),
            _ => (false, false),
        };
        let confirmed = is_confirmed.then_some(confirmations.unwrap_or_default());
        Self { slot, confirmed, is_final, failed: err.map(|err| err.to_string()) }
    }
}

/// An account and what is in it.
#[derive(Debug, Deserialize)]
pub(super) struct SolanaAccount {
    owner: String,
    data: (String, String),
}

impl SolanaAccount {
    /// The data of the account, whoever it belongs to.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        BASE64.decode(self.data.0.as_bytes()).ok()
    }

    fn bytes_of(&self, program: TokenProgram) -> Option<Vec<u8>> {
        if self.owner.parse() != Ok(program.address()) {
            return None;
        }
        self.bytes()
    }
}

/// The mint of a token.
#[derive(Debug)]
pub(super) struct TokenMint;

/// The reasons why a token cannot be taken as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenMintError {
    /// There is no such mint.
    #[error("there is no such mint, or its program is another")]
    None,
    /// It has other decimals.
    #[error("its mint has {found} decimals, and not {written}")]
    Decimals {
        /// The decimals that the mint has.
        found: u8,
        /// The decimals that the configuration has.
        written: u8,
    },
    /// Less comes than is sent.
    #[error("its mint takes a fee of each transfer")]
    TakesFee,
    /// A transfer calls a program of somebody else's.
    #[error("its mint has each transfer call another program")]
    CallsAnother,
}

impl TokenMint {
    /// Compares a mint with what is written of a token.
    pub(super) fn read(account: Option<&SolanaAccount>, token: &SolanaToken) -> Result<Self, TokenMintError> {
        let bytes = account.and_then(|account| account.bytes_of(token.program)).ok_or(TokenMintError::None)?;
        let (plain, rest) = bytes.split_at_checked(MINT_BYTES).ok_or(TokenMintError::None)?;
        let &[found, initialised] = plain[44..].first_chunk().ok_or(TokenMintError::None)?;
        if initialised != USABLE {
            return Err(TokenMintError::None);
        }
        if found != token.decimals {
            return Err(TokenMintError::Decimals { found, written: token.decimals });
        }
        let rules = match token.program {
            TokenProgram::Token => &[],
            TokenProgram::Token2022 if rest.is_empty() => &[],
            TokenProgram::Token2022 => match rest.get(KIND_OF_ACCOUNT_AT - MINT_BYTES..) {
                Some([KIND_MINT, rules @ ..]) => rules,
                _ => return Err(TokenMintError::None),
            },
        };
        without_rules_of_transfers(rules).map(|()| Self)
    }
}

/// Refuses rules of transfers that are in use: some mints have such rules and do not use them.
fn without_rules_of_transfers(mut rules: &[u8]) -> Result<(), TokenMintError> {
    while let Some((&[kind_low, kind_high, length_low, length_high], rest)) = rules.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([length_low, length_high]));
        let (rule, after) = rest.split_at_checked(length).ok_or(TokenMintError::None)?;
        match u16::from_le_bytes([kind_low, kind_high]) {
            // Two keys, what was kept back, and the fee until an epoch and from then on: epoch, most, hundredths of a percent.
            RULE_FEE if rule.len() != 108 || rule[88..90] != [0, 0] || rule[106..] != [0, 0] => {
                return Err(TokenMintError::TakesFee);
            }
            // A key, and the program.
            RULE_CALLS_ANOTHER if rule.len() != 64 || rule[32..] != [0; 32] => {
                return Err(TokenMintError::CallsAnother);
            }
            _ => rules = after,
        }
    }
    Ok(())
}

/// An account in which somebody has a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TokenAccount {
    pub(super) mint: SolanaAddress,
    pub(super) owner: SolanaAddress,
}

impl TokenAccount {
    /// Reads a token account. None where it is none, or frozen.
    pub(super) fn read(account: &SolanaAccount, program: TokenProgram) -> Option<Self> {
        let bytes = account.bytes_of(program)?;
        let bytes: &[u8; ACCOUNT_BYTES] = bytes.first_chunk()?;
        let key = |from: usize| bytes[from..].first_chunk().map(|key| SolanaAddress(*key));
        if bytes[108] != USABLE { None } else { Some(Self { mint: key(0)?, owner: key(32)? }) }
    }
}

/// A transaction by its name, among those of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignatureWire {
    #[serde(deserialize_with = "signature")]
    pub(super) signature: String,
    #[serde(default)]
    pub(super) err: Option<Value>,
    #[serde(default, deserialize_with = "memo")]
    pub(super) memo: Option<String>,
    /// Unix seconds.
    #[serde(default)]
    pub(super) block_time: Option<u64>,
}

/// A signature as a node writes it, which names a transaction to people and in questions: nothing else is taken for one.
fn signature<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    let parsed: Result<SolanaSignature, _> = text.parse();
    parsed.map(|_| text).map_err(|_| D::Error::custom("a signature that is none"))
}

fn memo<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.map(|memo| printable(&memo)))
}

/// A transaction that is in a block.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SolanaTransactionWire {
    #[serde(default)]
    pub(super) slot: u64,
    /// Unix seconds.
    #[serde(default)]
    pub(super) block_time: Option<u64>,
    transaction: (String, String),
    meta: Option<TransactionMeta>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TransactionMeta {
    err: Option<Value>,
    pre_token_balances: Option<Vec<TokenBalance>>,
    post_token_balances: Option<Vec<TokenBalance>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenBalance {
    account_index: usize,
    mint: String,
    #[serde(default)]
    owner: Option<String>,
    ui_token_amount: UiTokenAmount,
}

#[derive(Debug, Deserialize)]
struct UiTokenAmount {
    amount: String,
}

impl SolanaTransactionWire {
    /// The transaction itself.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        BASE64.decode(self.transaction.0.as_bytes()).ok()
    }

    /// True if nothing was carried out.
    pub(super) fn failed(&self) -> bool {
        self.meta.as_ref().is_some_and(|meta| meta.err.is_some())
    }

    /// The change in each owner's balance of a token.
    /// An account that was made had nothing before, and one that was closed has nothing after.
    pub(super) fn changes(&self, mint: &SolanaAddress) -> BTreeMap<SolanaAddress, i128> {
        let mut changes = BTreeMap::new();
        let Some(meta) = &self.meta else { return changes };
        for (balances, sign) in [(&meta.pre_token_balances, -1), (&meta.post_token_balances, 1)] {
            for balance in balances.iter().flatten().filter(|balance| balance.mint.parse() == Ok(*mint)) {
                let owner = balance.owner.as_ref().and_then(|owner| owner.parse::<SolanaAddress>().ok());
                let (Some(owner), Ok(amount)) = (owner, balance.ui_token_amount.amount.parse::<u64>()) else {
                    continue;
                };
                *changes.entry(owner).or_default() += sign * i128::from(amount);
            }
        }
        changes
    }

    /// The balance of an account in a token before the transaction, and after it.
    /// None where the node does not tell both: a payment makes no accounts, so it was there before.
    pub(super) fn balances(&self, index: usize, mint: &SolanaAddress) -> Option<(u64, u64)> {
        let meta = self.meta.as_ref()?;
        let of = |balances: &Option<Vec<TokenBalance>>| {
            let named = |balance: &&TokenBalance| balance.account_index == index && balance.mint.parse() == Ok(*mint);
            balances.as_ref()?.iter().find(named)?.ui_token_amount.amount.parse::<u64>().ok()
        };
        Some((of(&meta.pre_token_balances)?, of(&meta.post_token_balances)?))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn token(program: TokenProgram) -> SolanaToken {
        SolanaToken { symbol: "USDC".to_owned(), mint: SolanaAddress([1; 32]), decimals: 6, program }
    }

    fn account(program: TokenProgram, bytes: &[u8]) -> SolanaAccount {
        SolanaAccount { owner: program.address().to_string(), data: (BASE64.encode(bytes), "base64".to_owned()) }
    }

    fn mint(program: TokenProgram, rules: &[u8]) -> Result<(), TokenMintError> {
        let mut bytes = vec![0; MINT_BYTES];
        (bytes[44], bytes[45]) = (6, USABLE);
        if !rules.is_empty() {
            bytes.resize(KIND_OF_ACCOUNT_AT, 0);
            bytes.push(KIND_MINT);
            bytes.extend_from_slice(rules);
        }
        TokenMint::read(Some(&account(program, &bytes)), &token(program)).map(|_| ())
    }

    /// One rule of a kind, with a byte other than zero somewhere.
    fn rule(kind: u16, length: usize, set: Option<usize>) -> Vec<u8> {
        let mut rule = [kind.to_le_bytes(), u16::try_from(length).unwrap().to_le_bytes()].concat();
        rule.extend((0..length).map(|at| u8::from(set == Some(at))));
        rule
    }

    #[test]
    fn a_mint_is_as_it_is_written_and_leaves_transfers_alone() {
        let newer = TokenProgram::Token2022;
        assert_eq!((mint(TokenProgram::Token, &[]), mint(newer, &[])), (Ok(()), Ok(())));
        let both = [rule(18, 64, Some(3)), rule(1, 108, Some(2)), rule(14, 64, Some(2))].concat();
        assert_eq!(mint(newer, &both), Ok(()), "keys of who could set a fee are no fee");
        for at in [88, 107] {
            let fee = [rule(18, 64, None), rule(1, 108, Some(at))].concat();
            assert_eq!(mint(newer, &fee), Err(TokenMintError::TakesFee), "{at}");
        }
        assert_eq!(mint(newer, &rule(14, 64, Some(40))), Err(TokenMintError::CallsAnother));
        assert_eq!(mint(newer, &rule(1, 108, None)[..50]), Err(TokenMintError::None), "a rule that is cut off");
        let other = account(TokenProgram::Token, &[0; MINT_BYTES]);
        assert_eq!(TokenMint::read(Some(&other), &token(newer)).unwrap_err(), TokenMintError::None);
        assert_eq!(TokenMint::read(None, &token(newer)).unwrap_err(), TokenMintError::None);
        let mut fewer = [0; MINT_BYTES];
        (fewer[44], fewer[45]) = (5, USABLE);
        let fewer = TokenMint::read(Some(&account(newer, &fewer)), &token(newer)).unwrap_err();
        assert_eq!(fewer, TokenMintError::Decimals { found: 5, written: 6 });
    }

    #[test]
    fn a_frozen_account_is_none() {
        let mut bytes = [2; ACCOUNT_BYTES];
        bytes[..32].fill(1);
        let read = |bytes: &[u8]| TokenAccount::read(&account(TokenProgram::Token, bytes), TokenProgram::Token);
        assert_eq!(read(&bytes), None);
        bytes[108] = USABLE;
        let owned = TokenAccount { mint: SolanaAddress([1; 32]), owner: SolanaAddress([2; 32]) };
        assert_eq!((read(&bytes), read(&bytes[1..])), (Some(owned), None));
    }

    #[test]
    fn what_came_is_read_from_both_balances() {
        let mint = SolanaAddress([1; 32]);
        let read = |err: Value, before: &Value, after: &Value| {
            let balance = |amount: &Value| {
                json!([
                    {"accountIndex": 2, "mint": mint.to_string(), "uiTokenAmount": {"amount": "77"}},
                    {"accountIndex": 3, "mint": mint.to_string(), "uiTokenAmount": {"amount": amount}},
                ])
            };
            let meta = json!({"err": err, "preTokenBalances": balance(before), "postTokenBalances": balance(after)});
            let wire = json!({"transaction": ["", "base64"], "meta": meta});
            let wire = serde_json::from_value::<SolanaTransactionWire>(wire).unwrap();
            (wire.failed(), wire.balances(3, &mint), wire.balances(4, &mint))
        };
        assert_eq!(read(Value::Null, &json!("5"), &json!("12")), (false, Some((5, 12)), None));
        assert_eq!(read(Value::Null, &json!("12"), &json!("5")), (false, Some((12, 5)), None));
        let failed = json!({"InstructionError": [2, {"Custom": 1}]});
        assert_eq!(read(failed, &json!("5"), &json!("5")), (true, Some((5, 5)), None));
        assert_eq!(read(Value::Null, &json!("5"), &json!("12.0")), (false, None, None));
        let bare = json!({"transaction": ["", "base64"], "meta": null});
        let bare = serde_json::from_value::<SolanaTransactionWire>(bare).unwrap();
        assert_eq!((bare.failed(), bare.balances(3, &mint)), (false, None), "one that tells nothing of it");
    }

    #[test]
    fn a_status_says_how_deep_it_lies() {
        let read = |confirmations: Option<u64>, level: Option<&str>| {
            let wire = json!({"slot": 7, "confirmations": confirmations, "err": null, "confirmationStatus": level});
            let status = SignatureStatus::from(serde_json::from_value::<SignatureStatusWire>(wire).unwrap());
            (status.confirmed, status.is_final)
        };
        assert_eq!(read(Some(0), Some("processed")), (None, false));
        assert_eq!(read(Some(4), Some("confirmed")), (Some(4), false));
        assert_eq!(read(None, Some("finalized")), (Some(0), true));
        assert_eq!(read(Some(9), None), (None, false), "a node that does not say so");
    }
}
