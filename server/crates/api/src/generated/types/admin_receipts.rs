// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_receipts`.

use tollgate_macros::Wire;


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
