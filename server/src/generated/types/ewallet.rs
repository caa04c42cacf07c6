// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `ewallet`.

use tollgate_macros::Wire;

use crate::api;

/// How much to pay and with which wallet.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:71")]
pub struct EwalletOrderRequest {
    /// What is credited: whole cents, within the bounds of the top-up info and of the wallet. What else is refused,
    /// as the remains of a binary float are (`12.340000000000002`), the refusal tells the nearest amount to.
    pub amount_usd: api::WrittenUsd,
    /// Its code from the top-up info.
    #[wire(max_len = 64)]
    pub wallet: String,
}

/// Answer of order creation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:82")]
pub struct EwalletOrderReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The order.
    pub data: EwalletOrder,
}

/// An order and the page to pay it on.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:89")]
pub struct EwalletOrder {
    /// Name of the order, for polling it.
    pub trade_no: String,
    /// Number of the order.
    #[wire(min = 1)]
    pub order_id: i64,
    /// Where it stands; `pending` in this answer.
    pub status: super::TopupStatus,
    /// What is credited.
    pub amount_usd: api::Usd,
    /// Until when it can be paid, ten minutes after creation.
    pub expires_at: i64,
    /// The page on which the person pays.
    pub checkout_url: String,
}

/// Answer with the state of an order.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:99")]
pub struct EwalletOrderStateReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The state.
    pub data: EwalletOrderState,
}

/// What an order's token shows.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:106")]
pub struct EwalletOrderState {
    /// Where it stands.
    pub status: super::TopupStatus,
    /// What it was made for; once it has succeeded, what was credited.
    pub amount_usd: api::Usd,
}

/// A notice in the provider's own form. Its signature covers the raw bytes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:117", open)]
pub struct EwalletNotice {
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
