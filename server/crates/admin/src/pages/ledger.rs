//! `GET /admin/ledger`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::{link, segment, start_of};
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
use tollgate_api::{Cx, Day, OperatorCaller, ProxyReply};

const STATUSES: [ReceiptStatus; 3] = [ReceiptStatus::Held, ReceiptStatus::Settled, ReceiptStatus::Released];
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

/// A search for receipts, with its values as they were typed.
#[derive(Debug, Default)]
struct ReceiptSearch {
    account: String,
    key: String,
    model: String,
    status: Option<ReceiptStatus>,
    from: String,
    to: String,
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

impl ReceiptSearch {
    /// Values that are none are left out.
    fn read(input: &mut ShowLedgerInput) -> Self {
        let number = |text: Option<String>| text.filter(|text| text.parse::<i64>().is_ok_and(|it| it > 0));
        let day = |text: Option<String>| text.filter(|text| text.parse::<Day>().is_ok()).unwrap_or_default();
        Self {
            account: number(input.account.take()).unwrap_or_default(),
            key: number(input.key_id.take()).unwrap_or_default(),
            model: input.model.take().unwrap_or_default(),
            status: input.status.take().and_then(|word| word.parse().ok()),
            from: day(input.from.take()),
            to: day(input.to.take()),
        }
    }

    fn list(&self, caller: OperatorCaller, after: Option<String>) -> Option<ListAccountReceiptsInput> {
        Some(ListAccountReceiptsInput {
            caller,
            csv: false,
            account_id: self.account.parse().ok()?,
            limit: None,
            after,
            key_id: self.key.parse().ok(),
            model: Some(self.model.clone()).filter(|model| !model.is_empty()),
            status: self.status,
            from: start_of(&self.from).parse().ok(),
            to: start_of(&self.to).parse().ok(),
        })
    }

    /// The address of a page of this list, or of the list as CSV.
    fn link(&self, path: &str, days: [&str; 2], more: &[(&str, &str)]) -> String {
        let status = self.status.as_ref().map(ReceiptStatus::as_str).unwrap_or_default();
        let words = [("key_id", self.key.as_str()), ("model", &self.model), ("status", status)];
        link(path, &[&words[..], &[("from", days[0]), ("to", days[1])], more].concat())
    }
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
        let search = ReceiptSearch::read(&mut input);
        let after = input.after.take().filter(|after| !after.is_empty());
        let caller = || input.caller.clone();
        let page = match search.list(caller(), after) {
            None => None,
            Some(list) => match self.credit.list_account_receipts(cx, list).await {
                Ok(page) => Some(page.data),
                // A page after a receipt that the account does not have is an empty one.
                Err(ListAccountReceiptsError::ReceiptNotFound { .. }) => None,
                Err(_) => return Err(ShowLedgerError::LedgerUnavailable),
            },
        };
        let (receipts, next) = page.map(|page| (page.receipts, page.next)).unzip();
        let days = [search.from.as_str(), &search.to];
        let place =
            |after: String| search.link("/admin/ledger", days, &[("account", &search.account), ("after", &after)]);
        let next = next.flatten().map(place).unwrap_or_default();
        let times = days.map(start_of);
        let path = format!("/api/admin/accounts/{}/receipts", search.account);
        let csv = search.link(&path, [&times[0], &times[1]], &[("format", "csv")]);
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
