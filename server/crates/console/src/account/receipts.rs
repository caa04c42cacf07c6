//! `GET /console/receipts` and `GET /console/receipts/{request_id}`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::pools::NamedPools;
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{
    ShowOwnReceipt, ShowOwnReceiptError, ShowOwnReceiptInput, ShowOwnReceipts, ShowOwnReceiptsError,
    ShowOwnReceiptsInput,
};
use tollgate_api::generated::ops::receipts::{
    GetReceipt, GetReceiptError, GetReceiptInput, ListReceipts, ListReceiptsError, ListReceiptsInput,
};
use tollgate_api::generated::types::{Key, Receipt, ReceiptPage, ReceiptStatus};
use tollgate_api::{Caller, Cx, ProxyReply};
use tollgate_pages::link::segment;
use tollgate_pages::tokens::{UsedTokens, used};
use tollgate_pages::{ReceiptSearch, reply};

const STATUSES: [ReceiptStatus; 3] = ReceiptSearch::STATUSES;

#[derive(Template)]
#[template(path = "account/receipts.html")]
struct OwnReceiptsPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    search: ReceiptSearch,
    /// A request that there is no receipt of; empty where none was looked for.
    request: String,
    /// Those that can be searched for.
    keys: Vec<Key>,
    /// Teams and members that can be searched for.
    pools: NamedPools,
    receipts: Vec<Receipt>,
    /// The next page; empty on the last one.
    next: String,
    /// The same list as CSV.
    csv: String,
}

#[derive(Template)]
#[template(path = "account/receipt.html")]
struct OwnReceiptPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    /// Whose it is needs no word here.
    account_id: Option<i64>,
    receipt: Receipt,
    used: Vec<UsedTokens>,
}

impl ShowOwnReceipts for AccountPages {
    async fn show_own_receipts(
        &self,
        cx: &Cx,
        input: ShowOwnReceiptsInput,
    ) -> Result<ProxyReply, ShowOwnReceiptsError> {
        self.own_receipts(cx, input).await.map_err(|Unreadable| ShowOwnReceiptsError::LedgerUnavailable)
    }
}

impl ShowOwnReceipt for AccountPages {
    async fn show_own_receipt(&self, cx: &Cx, input: ShowOwnReceiptInput) -> Result<ProxyReply, ShowOwnReceiptError> {
        let ShowOwnReceiptInput { caller, request_id } = input;
        let frame = self.frame(cx, &caller, ConsoleSection::Receipts).await;
        let frame = frame.map_err(|Unreadable| ShowOwnReceiptError::LedgerUnavailable)?;
        let found = self.credit.get_receipt(cx, GetReceiptInput { caller, request_id }).await;
        let receipt = found.map_err(|error| match error {
            GetReceiptError::ReceiptNotFound { request_id } => ShowOwnReceiptError::ReceiptNotFound { request_id },
            // It is logged.
            _ => ShowOwnReceiptError::LedgerUnavailable,
        })?;
        let (t, receipt) = (frame.t, receipt.data);
        let used = receipt.usage.as_ref().map(|usage| used(usage, &receipt.prices)).unwrap_or_default();
        Ok(reply::page(&OwnReceiptPage { t, frame, account_id: None, receipt, used }))
    }
}

impl AccountPages {
    async fn own_receipts(&self, cx: &Cx, input: ShowOwnReceiptsInput) -> Result<ProxyReply, Unreadable> {
        let ShowOwnReceiptsInput { caller, request, after, key_id, team_id, member_id, model, tag, status, from, to } =
            input;
        let request = request.map(|request| request.trim().to_owned()).unwrap_or_default();
        if !request.is_empty() {
            let get = GetReceiptInput { caller: caller.clone(), request_id: request.clone() };
            match self.credit.get_receipt(cx, get).await {
                Ok(_) => return Ok(reply::see_other(&format!("/console/receipts/{}", segment(&request)))),
                // The page says so.
                Err(GetReceiptError::ReceiptNotFound { .. }) => {}
                Err(_) => return Err(Unreadable),
            }
        }
        let search = ReceiptSearch {
            account: String::new(),
            key: key_id.unwrap_or_default(),
            team: team_id.unwrap_or_default(),
            member: member_id.unwrap_or_default(),
            model: model.unwrap_or_default(),
            tag: tag.unwrap_or_default(),
            // A word that is none leaves all through.
            status: status.and_then(|word| word.parse().ok()),
            from: from.unwrap_or_default(),
            to: to.unwrap_or_default(),
        };
        let search = search.cleaned();
        let frame = self.frame(cx, &caller, ConsoleSection::Receipts).await?;
        let keys = self.all_keys(cx, &caller).await?;
        let pools = self.named_pools(cx, &caller, frame.powers).await?;
        let ReceiptPage { receipts, next } = self.receipt_page(cx, &caller, &search, after).await?;
        let next = next.map(|after| search.page("/console/receipts", &[("after", &after)])).unwrap_or_default();
        let csv = search.csv("/api/user/self/receipts");
        let t = frame.t;
        Ok(reply::page(&OwnReceiptsPage { t, frame, search, request, keys, pools, receipts, next, csv }))
    }

    /// A page of the receipts that a search finds. One after a receipt that the account does not have is empty.
    async fn receipt_page(
        &self,
        cx: &Cx,
        caller: &Caller,
        search: &ReceiptSearch,
        after: Option<String>,
    ) -> Result<ReceiptPage, Unreadable> {
        let [from, to] = search.times();
        let list = ListReceiptsInput {
            caller: caller.clone(),
            csv: false,
            limit: None,
            after: after.filter(|after| !after.is_empty()),
            key_id: search.key_id(),
            team_id: search.team_id(),
            member_id: search.member_id(),
            model: search.model(),
            tag: search.tag(),
            status: search.status,
            from,
            to,
        };
        match self.credit.list_receipts(cx, list).await {
            Ok(page) => Ok(page.data),
            Err(ListReceiptsError::ReceiptNotFound { .. }) => Ok(ReceiptPage { receipts: Vec::new(), next: None }),
            Err(_) => Err(Unreadable),
        }
    }
}
