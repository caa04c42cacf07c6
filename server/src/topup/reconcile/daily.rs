//! The daily comparison of a running service: one of its servers makes it, and tells each difference once a day.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::sleep;

use crate::base::draw_id;
use crate::credit::Credit;
use crate::store::{Entry, StoreError, record};
use crate::topup::commit::{Step, commit};

use super::{Finding, Reconciler, SourceReport, WINDOW_MS, sql};

const DAY_MS: i64 = 86_400_000;
/// Between two looks whether a comparison is due.
const LOOK: Duration = Duration::from_secs(600);
/// The first look comes at a random moment within so long after the start, so that servers which are started together ask chains
/// and provider at different times.
const FIRST_LOOK_MS: u64 = 3_600_000;
/// After a source could not be compared.
const AGAIN_MS: i64 = 3_600_000;
/// The next comparison begins so long before the one before it ended: what was not deep enough then is in it.
const OVERLAP_MS: i64 = 3_600_000;
/// A service that was away for longer does not look back further by itself.
const LOOK_BACK_MAX_MS: i64 = 30 * DAY_MS;
/// Findings of one source that are told one by one within a day; one line tells how many more there are.
const TOLD_MAX: usize = 50;

/// When each source is compared again, in the memory of this server.
#[derive(Debug, Default)]
struct Retries(BTreeMap<String, i64>);

impl Reconciler {
    /// Compares each chain and the provider once a day, where this server is the one of those that are up which has been for the
    /// longest, for ever.
    pub async fn compare_for_ever(&self, credit: &Credit) {
        let offset = u64::try_from(draw_id(1)).unwrap_or_default() % FIRST_LOOK_MS;
        sleep(Duration::from_millis(offset)).await;
        let (started_ms, mut retries) = (self.topups().now_ms(), Retries::default());
        loop {
            if let Err(error) = self.look(credit, started_ms, &mut retries).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "the ledger could not be compared with chains and provider; again in a moment");
            }
            sleep(LOOK).await;
        }
    }

    /// Compares what is due now, as a server does each ten minutes; how many sources it has compared.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn compare_due(&self, credit: &Credit) -> Result<usize, StoreError> {
        self.look(credit, self.topups().now_ms(), &mut Retries::default()).await
    }

    async fn look(&self, credit: &Credit, started_ms: i64, retries: &mut Retries) -> Result<usize, StoreError> {
        if !credit.is_first_up().await? {
            return Ok(0);
        }
        let mut reports = Vec::new();
        for source in self.sources() {
            let now_ms = self.topups().now_ms();
            let last_ms = sql::compared_last(self.readers(), &source).await?;
            let is_due = last_ms.is_none_or(|last_ms| now_ms - last_ms >= DAY_MS);
            if !is_due || retries.0.get(&source).is_some_and(|due_ms| now_ms < *due_ms) {
                continue;
            }
            let since_ms = last_ms.map_or(i64::MAX, |last_ms| last_ms - OVERLAP_MS).min(now_ms - WINDOW_MS);
            let report = self.compare_source(&source, since_ms.max(now_ms - LOOK_BACK_MAX_MS)).await?;
            if report.unread.is_some() {
                retries.0.insert(source, now_ms + AGAIN_MS);
            }
            self.tell(&report, now_ms, last_ms.unwrap_or(started_ms)).await?;
            reports.push(report);
        }
        if !reports.is_empty() {
            self.topups().compared().note(&reports);
        }
        Ok(reports.len())
    }

    /// Rings for what nobody was told of within a day, and notes it where the next server finds it.
    async fn tell(&self, report: &SourceReport, now_ms: i64, last_ms: i64) -> Result<(), StoreError> {
        let told: BTreeSet<String> = sql::told_since(self.readers(), now_ms - DAY_MS).await?.into_iter().collect();
        let fresh = report.findings.iter().map(|finding| (subject(report, finding), finding));
        let mut fresh: Vec<(String, &Finding)> = fresh.filter(|(subject, _)| !told.contains(subject)).collect();
        let told_of_it = told.iter().filter(|subject| subject.starts_with(&report.source)).count();
        let (all, room) = (fresh.len() + report.unnamed, TOLD_MAX.saturating_sub(told_of_it));
        fresh.truncate(room);
        let more = if room > 0 { all - fresh.len() } else { 0 };
        let unread = format!("{} unread", report.source);
        let is_silent = report.unread.is_some() && now_ms - last_ms >= WINDOW_MS && !told.contains(&unread);
        let mut lines: Vec<(&str, &str, String)> = Vec::new();
        lines.extend(
            fresh.iter().map(|(subject, finding)| ("reconciliation.finding", subject.as_str(), detail(finding))),
        );
        match &report.unread {
            None => lines.push(("reconciliation.compared", report.source.as_str(), summary(report))),
            Some(why) if is_silent => lines.push(("reconciliation.finding", unread.as_str(), why.clone())),
            Some(_) => {}
        }
        // A server that ends here is followed by one that rings once more.
        fresh.iter().for_each(|(_, finding)| ring(report, finding));
        ring_for_source(report, more, is_silent);
        if lines.is_empty() {
            return Ok(());
        }
        let mut transaction = self.topups().store.begin().await?;
        for (action, subject, detail) in &lines {
            let entry = Entry { at_ms: now_ms, actor: "server", action, subject, detail };
            record(&mut transaction, &entry).await?;
        }
        commit(transaction, Step::Reconcile, "a comparison with the world outside").await
    }
}

/// By which a finding is told from every other.
fn subject(report: &SourceReport, finding: &Finding) -> String {
    format!("{} {} {}", report.source, finding.kind, finding.reference)
}

fn detail(finding: &Finding) -> String {
    let usd = finding.usd.map_or_else(|| "an unknown amount".to_owned(), |usd| format!("{usd} USD"));
    format!("{usd}: {}", finding.kind.meaning())
}

fn summary(report: &SourceReport) -> String {
    let SourceReport { matched, under_way, findings, .. } = report;
    format!("{matched} the same, {under_way} under way, {} differ", findings.len())
}

fn ring(report: &SourceReport, finding: &Finding) {
    let Finding { kind, reference, came, asset, usd, payer, payment, order, account, shown_by, said, .. } = finding;
    let (shown, asked) = shown_by;
    let came = came.map(|came| came.to_string());
    tracing::error!(
        target: "alarm", alarm = "reconciliation",
        kind = %kind, source = report.source, reference, amount = came, asset, usd = usd.map(|usd| usd.to_string()),
        payer = payer.as_deref(), payment_id = payment, order = order.map(|order| order.to_string()),
        account = account.map(|account| account.to_string()), shown_by = shown, asked, said = said.as_deref(),
        "{}: {}", kind.meaning(), kind.remedy()
    );
}

fn ring_for_source(report: &SourceReport, more: usize, is_silent: bool) {
    let source = report.source.as_str();
    if more > 0 {
        tracing::error!(
            target: "alarm", alarm = "reconciliation", source, more,
            "more differences than are told one by one: `tollgate audit --chains` has all of them"
        );
    }
    match &report.unread {
        Some(why) if is_silent => tracing::error!(
            target: "alarm", alarm = "reconciliation", source, why,
            "for two days the ledger could not be compared with this chain or payment provider: see to what does not answer"
        ),
        Some(why) => tracing::warn!(source, why, "the ledger could not be compared with this source; again in an hour"),
        None => {
            let SourceReport { matched, under_way, findings, .. } = report;
            let differ = findings.len();
            tracing::info!(source, matched, under_way, differ, "the ledger was compared with this source");
        }
    }
    for node in &report.silent {
        tracing::warn!(source, node, "a node did not answer where the ledger was compared with its chain");
    }
}
