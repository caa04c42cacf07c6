// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_receipts`.

use tollgate_macros::Wire;

use crate::api;

/// A receipt with its account.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: FoundReceipt")]
pub struct FoundReceipt {
    /// Number of the account.
    pub account_id: i64,
    /// The receipt.
    pub receipt: super::Receipt,
}

/// One page of the list of holds.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: HoldPage")]
pub struct HoldPage {
    /// The holds, the oldest first.
    pub holds: Vec<OpenHold>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// Credit that is held for a request under way.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: OpenHold")]
pub struct OpenHold {
    /// Number of the hold.
    pub hold_id: i64,
    /// Number of the account.
    pub account_id: i64,
    /// Number of the key that was shown.
    pub key_id: i64,
    /// Id of the request.
    pub request_id: String,
    /// The model, as the client named it.
    pub model: String,
    /// The amount.
    pub held_usd: api::Usd,
    /// The server that took it, by its name. Null where that is not known any more.
    #[wire(nullable)]
    pub server: Option<String>,
    /// True for what outlives a server, such as a video.
    pub is_durable: bool,
    /// Time at which it was taken.
    pub created_at: String,
    /// Time at which it ends by itself.
    pub expires_at: String,
}

/// Answer of `admin_receipts.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: AccountReceiptListReply")]
pub struct AccountReceiptListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: super::ReceiptPage,
}

/// Answer of `admin_receipts.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: AccountReceiptReply")]
pub struct AccountReceiptReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The receipt.
    pub data: super::Receipt,
}

/// Answer of `admin_receipts.find`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: FoundReceiptReply")]
pub struct FoundReceiptReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The receipt with its account.
    pub data: FoundReceipt,
}

/// Answer of `admin_receipts.holds`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: HoldListReply")]
pub struct HoldListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: HoldPage,
}

/// Answer of `admin_receipts.usage`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_receipts.yaml: AccountUsageReply")]
pub struct AccountUsageReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The sums.
    pub data: super::UsageReport,
}
