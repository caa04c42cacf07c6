// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `ewallet`.

use tollgate_macros::Wire;

use crate::api;

/// How much to pay and with which wallet.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:35")]
pub struct EwalletOrderRequest {
    /// What is credited, within the bounds of the top-up info and of the wallet.
    pub amount_usd: api::Usd,
    /// Its code from the top-up info.
    #[wire(max_len = 64)]
    pub wallet: String,
}

/// Answer of order creation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:41")]
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
#[wire(spec = "spec/operations/ewallet.yaml:48")]
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

/// A notice in the provider's own form. Its signature covers the raw bytes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/ewallet.yaml:58", open)]
pub struct EwalletNotice {
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
