// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `topup`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// All rails.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/topup.yaml: TopupInfo")]
pub struct TopupInfo {
    /// One entry for each rail, those that are off included.
    pub rails: Vec<TopupRail>,
}

/// One rail.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/topup.yaml: TopupRail")]
pub struct TopupRail {
    /// The rail.
    pub rail: Rail,
    /// True if orders can be made on it now.
    pub enabled: bool,
    /// The least order.
    pub min_usd: api::Usd,
    /// Null means no bound.
    #[wire(nullable)]
    pub max_usd: Option<api::Usd>,
    /// `USD`.
    pub currency: String,
    /// Seconds for which an order can be paid.
    pub validity_seconds: i64,
    /// Of the rails that are paid on chain.
    #[wire(optional)]
    pub networks: Option<Vec<super::X402Network>>,
    /// Of the e-wallet rail.
    #[wire(optional)]
    pub wallets: Option<Vec<EwalletWallet>>,
}

/// A way to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/topup.yaml: Rail")]
pub enum Rail {
    /// A person signs in a wallet.
    #[wire(name = "crypto")]
    Crypto,
    /// An agent signs by program.
    #[wire(name = "x402")]
    X402,
    /// Hosted checkout of an e-wallet.
    #[wire(name = "ewallet")]
    Ewallet,
}

/// An e-wallet that can be chosen.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/topup.yaml: EwalletWallet")]
pub struct EwalletWallet {
    /// Its code.
    pub wallet: String,
    /// Its name for people.
    pub name: String,
    /// Region in which it is used.
    pub region: String,
    /// The least order that it pays. The least of the rail holds too.
    pub min_usd: api::Usd,
}

/// An order, as polled. Where a payment of it was set aside and a person credits it, it is told as `success`,
/// with what was credited.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/topup.yaml: TopupOrder")]
pub struct TopupOrder {
    /// Rail on which it is paid.
    pub rail: Rail,
    /// Its state.
    pub status: TopupStatus,
    /// Status in the words of the pay operation. Only of an order that is paid by it and has not failed or expired.
    #[wire(optional)]
    pub x402_status: Option<super::X402OrderStatus>,
    /// Time at which it was made.
    pub created_at: i64,
    /// Time at which it was credited.
    #[wire(nullable)]
    pub settled_at: Option<i64>,
    /// 0 until it is credited. Where a person has credited it, how much; that may be less than it was made for.
    pub balance_added: api::Usd,
    /// Part of `balance_added` that paid the account's debt, for money that was taken back when it was not there.
    pub debt_paid_usd: api::Usd,
    /// The transaction on chain or the payment provider's reference.
    #[wire(nullable)]
    pub reference: Option<String>,
    /// Only when it failed, or expired while a person has a payment of it.
    #[wire(nullable)]
    pub failure: Option<TopupFailure>,
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

/// State of an order, from the machine `topup_order`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/topup.yaml: TopupStatus")]
pub enum TopupStatus {
    /// It waits for payment.
    #[wire(name = "pending")]
    Pending,
    /// A payment is being confirmed.
    #[wire(name = "settling")]
    Settling,
    /// It is paid and credited.
    #[wire(name = "success")]
    Success,
    /// The payment was rejected for good.
    #[wire(name = "failed")]
    Failed,
    /// It was not paid in time.
    #[wire(name = "expired")]
    Expired,
}

/// Reason for the failure of an order.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/topup.yaml: TopupFailure")]
pub struct TopupFailure {
    /// The reason as a code, for programs.
    pub code: String,
    /// The reason as a sentence, for people.
    pub detail: String,
}

/// Answer of `topup.info`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/topup.yaml: TopupInfoReply")]
pub struct TopupInfoReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The rails.
    pub data: TopupInfo,
}

/// Answer of `topup.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/topup.yaml: TopupOrderReply")]
pub struct TopupOrderReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The order.
    pub data: TopupOrder,
}
