//! `GET /admin/ledger`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::segment;
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{ShowLedger, ShowLedgerError, ShowLedgerInput};
use tollgate_api::generated::ops::admin_jobs::{ListJobs, ListJobsInput};
use tollgate_api::generated::ops::admin_receipts::{
    FindReceipt, FindReceiptError, FindReceiptInput, ListAccountReceipts, ListAccountReceiptsError,
    ListAccountReceiptsInput, ListHolds, ListHoldsInput,
};
use tollgate_api::generated::ops::admin_service::{ListSeals, ListSealsInput};
use tollgate_api::generated::types::{Job, JobKind, OpenHold, Receipt, ReceiptStatus, Seal};
use tollgate_api::{Cx, OperatorCaller, ProxyReply};
use tollgate_pages::ReceiptSearch;

const STATUSES: [ReceiptStatus; 3] = ReceiptSearch::STATUSES;
/// The holds, jobs and seals that the page shows.
const SHOWN: i64 = 10;

#[derive(Template)]
#[template(path = "ledger.html")]
struct LedgerPage {
    t: &'static Texts,
    frame: Frame,
    search: ReceiptSearch,
    /// A request that there is no receipt of; empty where none was looked for.
    request: String,
    /// Of the account; none where none is named.
    receipts: Option<Vec<Receipt>>,
    /// The next page; empty on the last one.
    next: String,
    /// The same list as CSV; empty where no account is named.
    csv: String,
    holds: Vec<OpenHold>,
    jobs: Vec<Job>,
    seals: Vec<Seal>,
    is_file: bool,
}

impl LedgerPage {
    /// The kinds of work that this ledger takes and the caller may ask for, with a word on each.
    fn job_forms(&self) -> Vec<(&'static JobKind, &'static str)> {
        let (t, powers) = (self.t, &self.frame.powers);
        let forms = [
            (powers.audits, &JobKind::Audit, t.job_audit_hint),
            (powers.comparisons, &JobKind::Reconciliation, t.job_reconciliation_hint),
            (powers.backups && self.is_file, &JobKind::Backup, t.job_backup_hint),
            (powers.archives && !self.is_file, &JobKind::Archive, t.job_archive_hint),
        ];
        forms.into_iter().filter(|(may, ..)| *may).map(|(_, kind, hint)| (kind, hint)).collect()
    }
}

/// The search of a request.
fn search(input: &mut ShowLedgerInput) -> ReceiptSearch {
    let search = ReceiptSearch {
        account: input.account.take().unwrap_or_default(),
        key: input.key_id.take().unwrap_or_default(),
        model: input.model.take().unwrap_or_default(),
        tag: input.tag.take().unwrap_or_default(),
        status: input.status.take().and_then(|word| word.parse().ok()),
        from: input.from.take().unwrap_or_default(),
        to: input.to.take().unwrap_or_default(),
        ..ReceiptSearch::default()
    };
    search.cleaned()
}

/// The list that a search is for, where it names an account.
fn list(search: &ReceiptSearch, caller: OperatorCaller, after: Option<String>) -> Option<ListAccountReceiptsInput> {
    let [from, to] = search.times();
    Some(ListAccountReceiptsInput {
        caller,
        csv: false,
        account_id: search.account.parse().ok()?,
        limit: None,
        after,
        key_id: search.key_id(),
        model: search.model(),
        tag: search.tag(),
        status: search.status,
        from,
        to,
    })
}

impl ShowLedger for Admin {
    async fn show_ledger(&self, cx: &Cx, mut input: ShowLedgerInput) -> Result<ProxyReply, ShowLedgerError> {
        let request = input.request.take().map(|request| request.trim().to_owned()).unwrap_or_default();
        if !request.is_empty() {
            let find = FindReceiptInput { caller: input.caller.clone(), request_id: request.clone() };
            match FindReceipt::find_receipt(&self.credit, cx, find).await {
                Ok(_) => return Ok(reply::see_other(&format!("/admin/receipts/{}", segment(&request)))),
                // The page says so.
                Err(FindReceiptError::ReceiptNotFound { .. }) => {}
                Err(_) => return Err(ShowLedgerError::LedgerUnavailable),
            }
        }
        let frame = self.frame(&input.caller, Section::Ledger);
        let search = search(&mut input);
        let after = input.after.take().filter(|after| !after.is_empty());
        let caller = || input.caller.clone();
        let page = match list(&search, caller(), after) {
            None => None,
            Some(list) => match self.credit.list_account_receipts(cx, list).await {
                Ok(page) => Some(page.data),
                // A page after a receipt that the account does not have is an empty one.
                Err(ListAccountReceiptsError::ReceiptNotFound { .. }) => None,
                Err(_) => return Err(ShowLedgerError::LedgerUnavailable),
            },
        };
        let (receipts, next) = page.map(|page| (page.receipts, page.next)).unzip();
        let place = |after: String| search.page("/admin/ledger", &[("account", &search.account), ("after", &after)]);
        let next = next.flatten().map(place).unwrap_or_default();
        let csv = search.csv(&format!("/api/admin/accounts/{}/receipts", search.account));
        let csv = if search.account.is_empty() { String::new() } else { csv };
        let limit = Some(SHOWN);
        let holds = ListHoldsInput { caller: caller(), csv: false, limit, after: None, account_id: None };
        let holds = self.credit.list_holds(cx, holds).await.map_err(|_| ShowLedgerError::LedgerUnavailable)?.data.holds;
        let jobs = ListJobsInput { caller: caller(), csv: false, limit, after: None, kind: None };
        let jobs = self.jobs.list_jobs(cx, jobs).await.map_err(|_| ShowLedgerError::LedgerUnavailable)?.data.jobs;
        let seals = ListSealsInput { caller: caller(), csv: false, limit, after: None };
        let seals = self.credit.list_seals(cx, seals).await.map_err(|_| ShowLedgerError::LedgerUnavailable)?.data.seals;
        let is_file = self.jobs.is_file();
        let t = frame.t;
        Ok(reply::page(&LedgerPage { t, frame, search, request, receipts, next, csv, holds, jobs, seals, is_file }))
    }
}
