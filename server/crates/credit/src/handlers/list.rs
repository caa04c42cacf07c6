//! `GET /api/user/self/receipts`, and for operators `/api/admin/accounts/{account_id}/receipts`.

use super::{receipt_reply, unreadable};
use crate::{KeySelection, Ledger, ReceiptQuery, ReceiptState, ResolutionKind};
use tollgate_api::Cx;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::admin_receipts::{
    ListAccountReceipts, ListAccountReceiptsError, ListAccountReceiptsInput,
};
use tollgate_api::generated::ops::receipts::{ListReceipts, ListReceiptsError, ListReceiptsInput};
use tollgate_api::generated::types::{AccountReceiptListReply, ReceiptListReply, ReceiptPage, ReceiptStatus};
use tollgate_base::{AccountId, KeyId, Moment, PoolId};

/// The most receipts on a page where no limit is asked for.
const LIMIT: u32 = 20;

impl ListReceipts for Ledger {
    async fn list_receipts(&self, cx: &Cx, input: ListReceiptsInput) -> Result<ReceiptListReply, ListReceiptsError> {
        let ListReceiptsInput { caller, csv, limit, after, key_id, team_id, member_id, model, tag, status, from, to } =
            input;
        let keys = KeySelection { key: key_id.map(KeyId), team: team_id.map(PoolId), member: member_id.map(PoolId) };
        let seen = self.keys_seen_by(&caller).await.map_err(|error| {
            unreadable(cx, &error);
            ListReceiptsError::LedgerUnavailable
        })?;
        let keys = keys.within(seen);
        let account = caller.account;
        let asked = AskedPage { account, csv, limit, after, keys, seen, model, tag, status, from, to };
        let data = self.receipt_page(cx, asked).await.map_err(|refused| match refused {
            PageRefusal::NotFound(request_id) => ListReceiptsError::ReceiptNotFound { request_id },
            PageRefusal::Ledger => ListReceiptsError::LedgerUnavailable,
        })?;
        Ok(ReceiptListReply { success: true, message: String::new(), data })
    }
}

impl ListAccountReceipts for Ledger {
    async fn list_account_receipts(
        &self,
        cx: &Cx,
        input: ListAccountReceiptsInput,
    ) -> Result<AccountReceiptListReply, ListAccountReceiptsError> {
        let ListAccountReceiptsInput { csv, account_id, limit, after, key_id, model, tag, status, from, to, .. } =
            input;
        let account = AccountId(account_id);
        let keys = KeySelection { key: key_id.map(KeyId), ..KeySelection::default() };
        // Operators see all of them.
        let seen = KeySelection::default();
        let asked = AskedPage { account, csv, limit, after, keys, seen, model, tag, status, from, to };
        let data = self.receipt_page(cx, asked).await.map_err(|refused| match refused {
            PageRefusal::NotFound(request_id) => ListAccountReceiptsError::ReceiptNotFound { request_id },
            PageRefusal::Ledger => ListAccountReceiptsError::LedgerUnavailable,
        })?;
        Ok(AccountReceiptListReply { success: true, message: String::new(), data })
    }
}

/// A page of receipts, as a request asks for it.
struct AskedPage {
    account: AccountId,
    csv: bool,
    limit: Option<i64>,
    after: Option<String>,
    keys: KeySelection,
    seen: KeySelection,
    model: Option<String>,
    tag: Option<String>,
    status: Option<ReceiptStatus>,
    from: Option<Moment>,
    to: Option<Moment>,
}

/// The reasons for which there is no page.
enum PageRefusal {
    /// The page begins after a receipt that the caller may not see.
    NotFound(String),
    Ledger,
}

impl Ledger {
    async fn receipt_page(&self, cx: &Cx, asked: AskedPage) -> Result<ReceiptPage, PageRefusal> {
        let AskedPage { account, csv, limit, after, keys, seen, model, tag, status, from, to } = asked;
        let not_found = || PageRefusal::NotFound(after.clone().unwrap_or_default());
        let ask = ReceiptQuery {
            account,
            limit: limit
                .map_or(if csv { limits::RECEIPTS_AS_CSV } else { LIMIT }, |limit| u32::try_from(limit).unwrap_or(1)),
            // What is no mark names no receipt either.
            after: after.as_deref().map(str::parse).transpose().map_err(|_| not_found())?,
            keys,
            seen,
            model,
            tag,
            standing: status.map(standing),
            from,
            to,
        };
        let page = self.receipts(&ask).await.map_err(|error| {
            unreadable(cx, &error);
            PageRefusal::Ledger
        })?;
        let page = page.ok_or_else(not_found)?;
        Ok(ReceiptPage {
            receipts: page.receipts.into_iter().map(receipt_reply).collect(),
            next: page.next.map(|mark| mark.to_string()),
        })
    }
}

fn standing(status: ReceiptStatus) -> ReceiptState {
    match status {
        ReceiptStatus::Held => ReceiptState::Held,
        ReceiptStatus::Settled => ReceiptState::Ended(ResolutionKind::Settled),
        ReceiptStatus::Released => ReceiptState::Ended(ResolutionKind::Released),
    }
}
