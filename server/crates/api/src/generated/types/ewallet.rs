// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `ewallet`.

use tollgate_macros::Wire;

use crate::api;

/// An amount to pay, and the wallet to pay with.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml: EwalletOrderRequest")]
pub struct EwalletOrderRequest {
    /// Amount to be credited: whole cents, within the bounds of the top-up info and of the wallet. Others are
    /// refused, such as the remains of a binary float (`12.340000000000002`); the refusal tells the nearest amount.
    pub amount_usd: api::WrittenUsd,
    /// Its code from the top-up info.
    #[wire(max_len = 64)]
    pub wallet: String,
}

/// An order and the page to pay it on.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml: EwalletOrder")]
pub struct EwalletOrder {
    /// Its state; `pending` in this answer.
    pub status: super::TopupStatus,
    /// The page on which the person pays.
    pub checkout_url: String,
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

/// State of an order, as its token shows it.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml: EwalletOrderState")]
pub struct EwalletOrderState {
    /// Its state.
    pub status: super::TopupStatus,
    /// Amount that it was made for; once it has succeeded, the amount that was credited.
    pub amount_usd: api::Usd,
}

/// A notice in the provider's own form. Its signature covers the raw bytes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml: EwalletNotice", open)]
pub struct EwalletNotice {
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Answer of `ewallet.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml: EwalletOrderReply")]
pub struct EwalletOrderReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The order.
    pub data: EwalletOrder,
}

/// Answer of `ewallet.state`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml: EwalletOrderStateReply")]
pub struct EwalletOrderStateReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The state.
    pub data: EwalletOrderState,
}
