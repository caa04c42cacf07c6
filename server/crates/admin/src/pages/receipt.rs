//! `GET /admin/receipts/{request_id}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{ShowReceipt, ShowReceiptError, ShowReceiptInput};
use tollgate_api::generated::ops::admin_receipts::{FindReceipt, FindReceiptError, FindReceiptInput};
use tollgate_api::generated::types::Receipt;
use tollgate_api::{Cx, ProxyReply};
use tollgate_pages::tokens::{UsedTokens, used};

#[derive(Template)]
#[template(path = "receipt.html")]
struct ReceiptPage {
    t: &'static Texts,
    frame: Frame,
    account_id: Option<i64>,
    receipt: Receipt,
    used: Vec<UsedTokens>,
}

impl ShowReceipt for Admin {
    async fn show_receipt(&self, cx: &Cx, input: ShowReceiptInput) -> Result<ProxyReply, ShowReceiptError> {
        let ShowReceiptInput { caller, request_id } = input;
        let frame = self.frame(&caller, Section::Ledger);
        let found = FindReceipt::find_receipt(&self.credit, cx, FindReceiptInput { caller, request_id }).await;
        let found = found.map_err(|error| match error {
            FindReceiptError::ReceiptNotFound { request_id } => ShowReceiptError::ReceiptNotFound { request_id },
            // It is logged.
            _ => ShowReceiptError::LedgerUnavailable,
        })?;
        let (t, receipt) = (frame.t, found.data.receipt);
        let used = receipt.usage.as_ref().map(|usage| used(usage, &receipt.prices)).unwrap_or_default();
        Ok(reply::page(&ReceiptPage { t, frame, account_id: Some(found.data.account_id), receipt, used }))
    }
}
