// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `crypto`.

use tollgate_macros::Wire;

use crate::api;

/// An amount to pay and, at wish, a chain and a token to pay with.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/crypto.yaml: CryptoOrderRequest")]
pub struct CryptoOrderRequest {
    /// Amount that is paid and credited, within the bounds of the top-up info, with no more decimal places than the
    /// token has. A refusal tells the nearest amount.
    pub amount_usd: api::WrittenUsd,
    /// CAIP-2 id of a chain. Absent or empty means every configured one.
    #[wire(optional)]
    pub network: Option<String>,
    /// Symbol of a token. Absent or empty means every configured one.
    #[wire(optional)]
    pub symbol: Option<String>,
    /// Address of the wallet that is to sign. Absent or empty means none yet.
    #[wire(optional)]
    pub payer: Option<String>,
}

/// An order, what to sign for it, and the page that helps with it.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/crypto.yaml: CryptoOrder")]
pub struct CryptoOrder {
    /// Its state; `pending` when it is made.
    pub status: super::TopupStatus,
    /// The page on which a wallet can sign.
    pub page_url: String,
    /// Chains that were asked for and on which it cannot be paid. Absent where there are none.
    #[wire(optional)]
    pub left_out: Option<Vec<super::X402LeftOut>>,
    /// The options; a wallet signs one of them. Absent once it cannot be paid.
    #[wire(optional)]
    pub challenge: Option<super::X402Challenge>,
    /// Names of each option for people, in the order of the challenge.
    pub tokens: Vec<CryptoToken>,
    /// Typed data that the payer signs for the first option, as EVM wallets take it (`eth_signTypedData_v4`), with a
    /// fresh nonce. Only where the payer was named and the option is of an EVM chain.
    #[wire(optional)]
    pub typed_data: Option<api::Json>,
    /// Transaction that the payer signs for the first option, as Solana wallets take it (`solana:signTransaction`):
    /// without signatures, in base64. It names a recent block and is good for about a minute. Only where the payer
    /// was named, the option is of Solana, and the chain answers.
    #[wire(optional)]
    pub transaction: Option<String>,
    /// Number of the order.
    #[wire(min = 1)]
    pub order_id: i64,
    /// Name of the order; it is polled by its name or its number.
    pub trade_no: String,
    /// Amount that it was made for.
    pub amount_usd: api::Usd,
    /// Until when it can be paid, ten minutes after creation.
    pub expires_at: i64,
}

/// A token of a chain.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/crypto.yaml: CryptoToken")]
pub struct CryptoToken {
    /// CAIP-2 id of the chain.
    pub network: String,
    /// Name of the chain for people.
    pub network_name: String,
    /// Name of the token for people.
    pub symbol: String,
}

/// Answer of `crypto.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/crypto.yaml: CryptoOrderReply")]
pub struct CryptoOrderReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The order.
    pub data: CryptoOrder,
}
