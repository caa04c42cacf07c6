//! `GET /admin/receipts/{request_id}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{ShowReceipt, ShowReceiptError, ShowReceiptInput};
use tollgate_api::generated::ops::admin_receipts::{FindReceipt, FindReceiptError, FindReceiptInput};
use tollgate_api::generated::types::{Receipt, ReceiptPrices, ReceiptUsage};
use tollgate_api::{Cx, ProxyReply};
use tollgate_base::PicoUsd;

#[derive(Template)]
#[template(path = "receipt.html")]
struct ReceiptPage {
    t: &'static Texts,
    frame: Frame,
    account_id: i64,
    receipt: Receipt,
    used: Vec<UsedTokens>,
}

/// Tokens of one kind, with their price.
#[derive(Debug)]
struct UsedTokens {
    of: &'static str,
    count: i64,
    /// USD for a million.
    price: String,
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
        let used = receipt.usage.as_ref().map(|usage| used(t, usage, &receipt.prices)).unwrap_or_default();
        Ok(reply::page(&ReceiptPage { t, frame, account_id: found.data.account_id, receipt, used }))
    }
}

/// The kinds of tokens that were used.
fn used(t: &'static Texts, usage: &ReceiptUsage, prices: &ReceiptPrices) -> Vec<UsedTokens> {
    let kinds = [
        (t.prompt, usage.prompt_tokens, prices.prompt_picousd),
        (t.cached, usage.cached_tokens, prices.cached_picousd),
        (t.cache_write, usage.cache_write_tokens, prices.cache_write_picousd),
        (t.cache_write_long, usage.cache_write_long_tokens, prices.cache_write_long_picousd),
        (t.completion, usage.completion_tokens, prices.completion_picousd),
        (t.reasoning, usage.reasoning_tokens, prices.reasoning_picousd),
    ];
    let used = kinds.into_iter().filter(|(_, count, _)| *count > 0);
    let price = |picos: i64| PicoUsd::new(picos).map(|price| price.to_string()).unwrap_or_default();
    used.map(|(of, count, picos)| UsedTokens { of, count, price: price(picos) }).collect()
}
