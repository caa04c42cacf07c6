// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `x402`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// An amount to pay and, at wish, a chain and a token to pay with.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402OrderRequest")]
pub struct X402OrderRequest {
    /// Within the bounds of the x402 config, with no more decimal places than the token has. What else is refused,
    /// as the remains of a binary float are (`12.340000000000002`), the refusal tells the nearest amount to.
    pub amount_usd: api::WrittenUsd,
    /// CAIP-2 id of a chain. Absent or empty means every configured one.
    #[wire(optional)]
    pub network: Option<String>,
    /// Symbol of a token. Absent or empty means every configured one.
    #[wire(optional)]
    pub symbol: Option<String>,
    /// The agent that is to pay.
    #[wire(optional)]
    pub agent_wallet_id: Option<i64>,
}

/// An order and its challenge.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Order")]
pub struct X402Order {
    /// Its state; `pending` in this answer.
    pub status: X402OrderStatus,
    /// Challenge to pay, made anew for each answer.
    pub challenge: X402Challenge,
    /// Chains that were asked for and on which it cannot be paid. Absent where there are none.
    #[wire(optional)]
    pub left_out: Option<Vec<X402LeftOut>>,
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

/// A chain that is not in the challenge.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402LeftOut")]
pub struct X402LeftOut {
    /// CAIP-2 id of the chain.
    pub network: String,
    /// Reason for leaving it out.
    pub reason: X402LeftOutReason,
    /// The least order on this chain, where the amount is below it.
    #[wire(optional)]
    pub min_usd: Option<api::Usd>,
}

/// Reason for leaving a chain out of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/x402.yaml: X402LeftOutReason")]
pub enum X402LeftOutReason {
    /// It could not be used when the order was made. An order that is made later may have it.
    #[wire(name = "unavailable")]
    Unavailable,
    /// The amount is below the least order on this chain.
    #[wire(name = "below_minimum")]
    BelowMinimum,
    /// None of its tokens can hold the amount to the last digit.
    #[wire(name = "too_precise")]
    TooPrecise,
}

/// State of the order, from the machine `x402_order`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/x402.yaml: X402OrderStatus")]
pub enum X402OrderStatus {
    /// It waits for payment.
    #[wire(name = "pending")]
    Pending,
    /// It is paid; the credit follows when the chain confirms.
    #[wire(name = "credit_pending")]
    CreditPending,
    /// It is paid and credited.
    #[wire(name = "settled")]
    Settled,
}

/// The challenge of an order, in the words of the protocol.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Challenge", open)]
pub struct X402Challenge {
    /// Always 2.
    #[wire(name = "x402Version", min = 2, max = 2)]
    pub x402_version: i64,
    /// Resource that is paid for.
    #[wire(optional)]
    pub resource: Option<X402Resource>,
    /// Any one of these will do.
    #[wire(min_items = 1)]
    pub accepts: Vec<X402Option>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Resource that is paid for.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Resource", open)]
pub struct X402Resource {
    /// Address of the pay operation for this order.
    pub url: String,
    /// A sentence on what is paid for. Absent where there is none.
    #[wire(optional)]
    pub description: Option<String>,
    /// Type of the answer to the payment. Absent means JSON.
    #[wire(name = "mimeType", optional)]
    pub mime_type: Option<String>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// One way to pay.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Option", open)]
pub struct X402Option {
    /// `scheme`.
    #[wire(literal = "exact")]
    pub scheme: &'static str,
    /// CAIP-2 id of the chain.
    pub network: String,
    /// In the token's smallest units.
    pub amount: String,
    /// Equal to `amount`; its older name.
    #[wire(name = "maxAmountRequired")]
    pub max_amount_required: String,
    /// Address of the pay operation for this order.
    pub resource: String,
    /// Address that receives the tokens.
    #[wire(name = "payTo")]
    pub pay_to: String,
    /// Whole seconds that the order has left.
    #[wire(name = "maxTimeoutSeconds", min = 0)]
    pub max_timeout_seconds: i64,
    /// Address of the token.
    pub asset: String,
    /// Values for signing with this token: on EVM chains its EIP-712 name and version; on Solana `feePayer`, who
    /// pays the fee of the transaction and is named in none of its instructions, and `memo`, which it has to carry.
    pub extra: api::Json,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// A signed payment, as the protocol's clients make it.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Payment", open)]
pub struct X402Payment {
    /// Always 2.
    #[wire(name = "x402Version", min = 2, max = 2)]
    pub x402_version: i64,
    /// The option that is paid.
    pub accepted: X402Accepted,
    /// Signed part of the payment.
    pub payload: X402Payload,
    /// Resource that is paid for, as the client echoes it. It is not looked at.
    #[wire(optional)]
    pub resource: Option<api::Json>,
    /// Extensions of the protocol. They are not looked at.
    #[wire(optional)]
    pub extensions: Option<api::Json>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// The option as the client echoes it. It must name the same payment; it may leave out the rest.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Accepted", open)]
pub struct X402Accepted {
    /// Must be `exact`.
    pub scheme: String,
    /// CAIP-2 id of the chain.
    pub network: String,
    /// In the token's smallest units.
    pub amount: String,
    /// Address that receives the tokens.
    #[wire(name = "payTo")]
    pub pay_to: String,
    /// Address of the token.
    pub asset: String,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Signature and authorization on EVM chains, the signed transaction on Solana.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Payload", open)]
pub struct X402Payload {
    /// On EVM chains.
    #[wire(optional)]
    pub signature: Option<String>,
    /// For tokens with EIP-3009.
    #[wire(optional)]
    pub authorization: Option<api::Json>,
    /// For all other EVM tokens.
    #[wire(name = "permit2Authorization", optional)]
    pub permit2_authorization: Option<api::Json>,
    /// On Solana, base64.
    #[wire(optional)]
    pub transaction: Option<String>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Result of the payment.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Settled")]
pub struct X402Settled {
    /// Number of the order.
    #[wire(min = 1)]
    pub order_id: i64,
    /// Name of the order. Where the credit is pending, the order is polled by its name or its number.
    pub trade_no: String,
    /// `settled` or `credit_pending`.
    pub status: X402OrderStatus,
    /// 0 while the credit is pending.
    pub balance_added: api::Usd,
    /// The balance after it, in US dollars.
    pub new_balance: api::Usd,
}

/// Configuration of x402.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Config")]
pub struct X402Config {
    /// True if orders can be made now.
    pub enabled: bool,
    /// The least order on the network that takes the least.
    pub min_topup_usd: api::Usd,
    /// Null means no bound.
    #[wire(nullable)]
    pub max_topup_usd: Option<api::Usd>,
    /// The default chain, by its CAIP-2 id.
    pub network: String,
    /// Address that payments on it go to.
    pub pay_to: String,
    /// The chains on which can be paid.
    pub networks: Vec<X402Network>,
}

/// A chain on which can be paid.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402Network")]
pub struct X402Network {
    /// CAIP-2 id.
    pub network: String,
    /// Address that payments on it go to.
    pub pay_to: String,
    /// Tokens that are taken.
    pub symbols: Vec<String>,
    /// The least order that can be paid on it.
    pub min_usd: api::Usd,
}

/// Answer of `x402.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402OrderReply")]
pub struct X402OrderReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The order.
    pub data: X402Order,
}

/// Answer of `x402.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402OrderListReply")]
pub struct X402OrderListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The orders.
    pub data: Vec<X402Order>,
}

/// Answer of `x402.config`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402ConfigReply")]
pub struct X402ConfigReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// Configuration of x402.
    pub data: X402Config,
}

/// Answer of `x402.pay`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/x402.yaml: X402SettlementReply")]
pub struct X402SettlementReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// Result of the payment.
    pub data: X402Settled,
}
