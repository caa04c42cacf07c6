// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_payments`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// One page of the list of orders.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: OrderPage")]
pub struct OrderPage {
    /// The orders, the newest first.
    pub orders: Vec<AccountOrder>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// A top-up order of an account.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: AccountOrder")]
pub struct AccountOrder {
    /// Number of the order.
    pub order_id: i64,
    /// Name of the order, which payment providers know it by too.
    pub trade_no: String,
    /// The account that is credited.
    pub account_id: i64,
    /// The agent that has to pay it. Null where it is bound to none.
    #[wire(nullable)]
    pub agent_id: Option<i64>,
    /// The rail.
    pub rail: super::Rail,
    /// Its state.
    pub status: super::TopupStatus,
    /// The amount that is paid and credited.
    pub amount_usd: api::Usd,
    /// Credit that operators gave for payments of it. Null where they gave none.
    #[wire(nullable)]
    pub resolved_usd: Option<api::Usd>,
    /// The payment's name for people: a transaction on chain, or the provider's number.
    #[wire(nullable)]
    pub receipt: Option<String>,
    /// Code of the failure. Null where it has not failed.
    #[wire(nullable)]
    pub failure: Option<String>,
    /// Time at which it was made.
    pub created_at: i64,
    /// End of its validity.
    pub expires_at: i64,
    /// Time of the credit. Null where there is none.
    #[wire(nullable)]
    pub settled_at: Option<i64>,
}

/// An order with its payments.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: OrderHistory")]
pub struct OrderHistory {
    /// The order.
    pub order: AccountOrder,
    /// The payments for it, the oldest first.
    pub payments: Vec<OrderPayment>,
}

/// The state of a payment for an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_payments.yaml: OrderPaymentState")]
pub enum OrderPaymentState {
    /// It is claimed by its order, and not confirmed yet.
    #[wire(name = "under_way")]
    UnderWay,
    /// It came and was credited, by itself or by an operator.
    #[wire(name = "credited")]
    Credited,
    /// It did not come.
    #[wire(name = "not_received")]
    NotReceived,
    /// It came, and an operator has to decide on it.
    #[wire(name = "set_aside")]
    SetAside,
    /// It came, and its payer has it back.
    #[wire(name = "given_back")]
    GivenBack,
}

/// A payment for an order.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: OrderPayment")]
pub struct OrderPayment {
    /// Number of the payment.
    pub payment_id: i64,
    /// Its state.
    pub state: OrderPaymentState,
    /// A chain by its CAIP-2 id, or a payment provider by its name in the configuration.
    pub source: String,
    /// Name of the payment there.
    pub reference: String,
    /// The token's address, or the currency.
    pub asset: String,
    /// The amount in the smallest units of the asset.
    pub amount: String,
    /// The payer, where it is known.
    #[wire(nullable)]
    pub payer: Option<String>,
    /// A transaction on chain, or the provider's number, where it is known.
    #[wire(nullable)]
    pub receipt: Option<String>,
    /// Time at which its order claimed it.
    pub claimed_at: i64,
    /// The credit that it brought. Null where it brought none.
    #[wire(nullable)]
    pub credited_usd: Option<api::Usd>,
    /// Part of the credit that has gone back.
    pub reversed_usd: api::Usd,
}

/// A payment that was set aside, because a person has to look at it.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: SetAsidePayment")]
pub struct SetAsidePayment {
    /// Number of the payment.
    pub payment_id: i64,
    /// Number of its order.
    pub order_id: i64,
    /// The account of that order.
    pub account_id: i64,
    /// The rail of the order.
    pub rail: super::Rail,
    /// The amount of the order.
    pub order_usd: api::Usd,
    /// A chain by its CAIP-2 id, or a payment provider by its name in the configuration.
    pub source: String,
    /// Name of the payment there.
    pub reference: String,
    /// The token's address, or the currency.
    pub asset: String,
    /// The amount in the smallest units of the asset.
    pub amount: String,
    /// The payer, where it is known.
    #[wire(nullable)]
    pub payer: Option<String>,
    /// A transaction on chain, or the provider's number, where it is known.
    #[wire(nullable)]
    pub receipt: Option<String>,
    /// Time at which it was set aside.
    pub since: i64,
}

/// A decision on a payment.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: ResolutionRequest")]
pub struct ResolutionRequest {
    /// True if it is credited, false if it was given back.
    pub credit: bool,
    /// The amount to be credited, at most that of the order. Absent means that of the order.
    #[wire(optional, min = 0, max = 1000000000)]
    pub usd: Option<api::Usd>,
    /// The reason, for the log of changes.
    #[wire(min_len = 1, max_len = 500)]
    pub reason: String,
}

/// A decision on a payment.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: PaymentResolution")]
pub struct PaymentResolution {
    /// Number of the payment.
    pub payment_id: i64,
    /// Number of its order.
    pub order_id: i64,
    /// The account that is credited or would have been.
    pub account_id: i64,
    /// The amount that was credited. Null where it was given back.
    #[wire(nullable)]
    pub credited_usd: Option<api::Usd>,
    /// Number of the credit's transfer in the ledger. Null where it was given back.
    #[wire(nullable)]
    pub transfer: Option<i64>,
    /// Part of it that paid what the account owed.
    pub debt_paid_usd: api::Usd,
    /// True if the same had been decided before.
    pub repeated: bool,
}

/// The party that gave money back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_payments.yaml: ReversalKind")]
pub enum ReversalKind {
    /// The operator, to the payer.
    #[wire(name = "refund")]
    Refund,
    /// The payment provider or the chain, on anybody's request.
    #[wire(name = "chargeback")]
    Chargeback,
}

/// Money that went back.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: ReversalRequest")]
pub struct ReversalRequest {
    /// The party that gave it back.
    pub kind: ReversalKind,
    /// The amount. Absent means all that has not gone back before.
    #[wire(optional, min = 0, max = 1000000000)]
    pub usd: Option<api::Usd>,
    /// The reason, which is kept with the reversal.
    #[wire(min_len = 1, max_len = 500)]
    pub reason: String,
}

/// Money that went back, as it was booked.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: PaymentReversal")]
pub struct PaymentReversal {
    /// Number of the payment.
    pub payment_id: i64,
    /// Number of its order.
    pub order_id: i64,
    /// The account.
    pub account_id: i64,
    /// Number of the reversal in the ledger.
    pub reversal: i64,
    /// The amount.
    pub reversed_usd: api::Usd,
    /// Part that was available and was taken.
    pub taken_usd: api::Usd,
    /// Part that the account owes now.
    pub debt_usd: api::Usd,
    /// Credit of the payment.
    pub payment_credited_usd: api::Usd,
    /// Part of it that has gone back by now, this included.
    pub payment_reversed_usd: api::Usd,
    /// True if it was booked before with the same key.
    pub repeated: bool,
}

/// Answer of `admin_payments.orders`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: OrderListReply")]
pub struct OrderListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: OrderPage,
}

/// Answer of `admin_payments.order`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: OrderHistoryReply")]
pub struct OrderHistoryReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The order and its payments.
    pub data: OrderHistory,
}

/// Answer of `admin_payments.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: SetAsidePaymentListReply")]
pub struct SetAsidePaymentListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The payments.
    pub data: Vec<SetAsidePayment>,
}

/// Answer of `admin_payments.resolve`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: PaymentResolutionReply")]
pub struct PaymentResolutionReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The decision.
    pub data: PaymentResolution,
}

/// Answer of `admin_payments.reverse`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_payments.yaml: PaymentReversalReply")]
pub struct PaymentReversalReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The reversal.
    pub data: PaymentReversal,
}
