//! `GET /api/user/self/receipts`.

use super::{receipt_reply, unreadable};
use crate::{Ledger, ReceiptQuery, ReceiptState, ResolutionKind};
use tollgate_api::Cx;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::receipts::{ListReceipts, ListReceiptsError, ListReceiptsInput};
use tollgate_api::generated::types::{ReceiptListReply, ReceiptPage, ReceiptStatus};
use tollgate_base::KeyId;

/// The most receipts on a page where no limit is asked for.
const LIMIT: u32 = 20;

impl ListReceipts for Ledger {
    async fn list_receipts(&self, cx: &Cx, input: ListReceiptsInput) -> Result<ReceiptListReply, ListReceiptsError> {
        let ListReceiptsInput { caller, csv, limit, after, key_id, model, status, from, to } = input;
        let not_found = || ListReceiptsError::ReceiptNotFound { request_id: after.clone().unwrap_or_default() };
        let ask = ReceiptQuery {
            account: caller.account,
            limit: limit
                .map_or(if csv { limits::RECEIPTS_AS_CSV } else { LIMIT }, |limit| u32::try_from(limit).unwrap_or(1)),
            // What is no request id names no receipt either.
            after: after.as_deref().map(str::parse).transpose().map_err(|_| not_found())?,
            key: key_id.map(KeyId),
            model,
            standing: status.map(standing),
            from,
            to,
        };
        let page = self.receipts(&ask).await.map_err(|error| {
            unreadable(cx, &error);
            ListReceiptsError::LedgerUnavailable
        })?;
        let page = page.ok_or_else(not_found)?;
        let data = ReceiptPage {
            receipts: page.receipts.into_iter().map(receipt_reply).collect(),
            next: page.next.map(|request| request.to_string()),
        };
        Ok(ReceiptListReply { success: true, message: String::new(), data })
    }
}

fn standing(status: ReceiptStatus) -> ReceiptState {
    match status {
        ReceiptStatus::Held => ReceiptState::Held,
        ReceiptStatus::Settled => ReceiptState::Ended(ResolutionKind::Settled),
        ReceiptStatus::Released => ReceiptState::Ended(ResolutionKind::Released),
    }
}
