//! The daily comparison of a running service: one of its servers makes it, and reports each difference once a day.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::sleep;

use crate::commit::{Step, commit};
use tollgate_base::draw_id;
use tollgate_credit::Ledger;
use tollgate_store::{AuditEntry, StoreError, record};

use super::{Discrepancy, LOOK_BACK_MAX_MS, Reconciler, SourceReport, WINDOW_MS, sql};

const DAY_MS: i64 = 86_400_000;
/// The pause between two checks whether a comparison is due.
const LOOK: Duration = Duration::from_secs(600);
/// The bound of the random delay before the first look, in milliseconds. So servers which are started together ask chains and
/// provider at different times.
const FIRST_LOOK_MS: u64 = 3_600_000;
/// The pause after a source could not be compared, in milliseconds.
const AGAIN_MS: i64 = 3_600_000;
/// The overlap with the comparison before, in milliseconds, for transfers that were not deep enough then. The settled block of a
/// node is half a day old at most, and its clock and ours may differ.
const OVERLAP_MS: i64 = 13 * 3_600_000;
/// The most findings of one source that are reported one by one within a day. One line tells how many more there are.
const TOLD_MAX: usize = 50;

/// The times at which failed sources are compared again, in the memory of this server.
#[derive(Debug, Default)]
struct RetryTimes(BTreeMap<String, i64>);

impl Reconciler {
    /// Compares each chain and the provider once a day, for ever, if this server is the longest running one.
    pub async fn compare_for_ever(&self, credit: &Ledger) {
        let offset = u64::try_from(draw_id(1)).unwrap_or_default() % FIRST_LOOK_MS;
        sleep(Duration::from_millis(offset)).await;
        let (started_ms, mut retries) = (self.topups().now_ms(), RetryTimes::default());
        loop {
            if let Err(error) = self.look(credit, started_ms, &mut retries).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "the ledger could not be compared with chains and provider; again in a moment");
            }
            sleep(LOOK).await;
        }
    }

    /// Compares the sources that are due now, as a server does each ten minutes. Returns how many it has compared.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn compare_due(&self, credit: &Ledger) -> Result<usize, StoreError> {
        self.look(credit, self.topups().now_ms(), &mut RetryTimes::default()).await
    }

    async fn look(&self, credit: &Ledger, started_ms: i64, retries: &mut RetryTimes) -> Result<usize, StoreError> {
        if !credit.is_first_up().await? {
            return Ok(0);
        }
        let mut compared = 0;
        for source in self.sources() {
            match self.look_at(&source, started_ms, retries).await {
                Ok(is_compared) => compared += usize::from(is_compared),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(source, error, "a comparison could not be made or noted; again in a moment");
                }
            }
        }
        Ok(compared)
    }

    /// Compares one source if that is due. True if it was.
    async fn look_at(&self, source: &str, started_ms: i64, retries: &mut RetryTimes) -> Result<bool, StoreError> {
        let now_ms = self.topups().now_ms();
        let whole_ms = sql::compared_last(self.readers(), source).await?;
        let last_ms = sql::compared_at_all(self.readers(), source).await?;
        let is_retried = retries.0.get(source).is_some_and(|due_ms| now_ms < *due_ms);
        if is_retried || !is_due(now_ms, last_ms, whole_ms.unwrap_or(started_ms)) {
            return Ok(false);
        }
        let mut since_ms = whole_ms.map_or(i64::MAX, |whole_ms| whole_ms - OVERLAP_MS).min(now_ms - WINDOW_MS);
        if let Some(last_ms) = last_ms {
            // A payment that was under way may have been given up since: its transfer is in the span once more.
            let under_way_ms = sql::under_way_at(self.readers(), source, last_ms).await?;
            since_ms = since_ms.min(under_way_ms.map_or(i64::MAX, |under_way_ms| under_way_ms - OVERLAP_MS));
        }
        let report = self.compare_source(source, since_ms.max(now_ms - LOOK_BACK_MAX_MS)).await;
        if report.unread.is_some() {
            retries.0.insert(source.to_owned(), now_ms + AGAIN_MS);
        }
        self.topups().compared().note(&report);
        self.report_findings(&report, now_ms, whole_ms.unwrap_or(started_ms)).await?;
        Ok(true)
    }

    /// Raises alarms for findings that nobody was told of within a day. They are written to the audit log, where the next server
    /// finds them.
    async fn report_findings(&self, report: &SourceReport, now_ms: i64, last_ms: i64) -> Result<(), StoreError> {
        let told: BTreeSet<String> = sql::told_since(self.readers(), now_ms - DAY_MS).await?.into_iter().collect();
        let fresh = report.findings.iter().map(|finding| (subject(report, finding), finding));
        let mut fresh: Vec<(String, &Discrepancy)> = fresh.filter(|(subject, _)| !told.contains(subject)).collect();
        let told_of_it = told.iter().filter(|subject| is_of(subject, &report.source)).count();
        let (all, room) = (fresh.len() + report.unnamed, TOLD_MAX.saturating_sub(told_of_it));
        fresh.truncate(room);
        let more = if room > 0 { all - fresh.len() } else { 0 };
        let unread = format!("{} unread", report.source);
        let is_silent = !report.is_whole() && now_ms - last_ms >= WINDOW_MS && !told.contains(&unread);
        let mut lines: Vec<(&str, &str, String)> = Vec::new();
        lines.extend(
            fresh.iter().map(|(subject, finding)| ("reconciliation.finding", subject.as_str(), detail(finding))),
        );
        if is_silent {
            lines.push(("reconciliation.finding", unread.as_str(), why_not_whole(report)));
        }
        if report.unread.is_none() {
            if let Some(under_way_ms) = report.oldest_under_way_ms {
                lines.push(("reconciliation.under_way", report.source.as_str(), under_way_ms.to_string()));
            }
            let action = if report.is_whole() { "reconciliation.compared" } else { "reconciliation.partly" };
            lines.push((action, report.source.as_str(), summary(report)));
        }
        // If this server ends here, the next one raises the alarms once more.
        fresh.iter().for_each(|(_, finding)| raise_alarm(report, finding));
        raise_source_alarms(report, more, is_silent);
        if lines.is_empty() {
            return Ok(());
        }
        let mut transaction = self.topups().store.begin().await?;
        for (action, subject, detail) in &lines {
            let entry = AuditEntry::new(now_ms, "server", action, subject).detail(detail);
            record(&mut transaction, &entry).await?;
        }
        commit(transaction, Step::Reconcile, "a comparison with the world outside").await
    }
}

/// True if a comparison is due: a day after the last one, or an hour after one that was not whole. The latter ends when its alarm
/// was raised.
fn is_due(now_ms: i64, last_ms: Option<i64>, whole_ms: i64) -> bool {
    let Some(last_ms) = last_ms else { return true };
    let is_part = last_ms > whole_ms && now_ms - whole_ms < WINDOW_MS + DAY_MS;
    now_ms - last_ms >= if is_part { AGAIN_MS } else { DAY_MS }
}

/// True if a reported finding is of this source. The name of one source may begin with that of another.
fn is_of(subject: &str, source: &str) -> bool {
    subject.strip_prefix(source).is_some_and(|rest| rest.starts_with(' '))
}

fn why_not_whole(report: &SourceReport) -> String {
    report.unread.clone().unwrap_or_else(|| report.silent.join("; "))
}

/// The text that identifies a finding in the audit log.
fn subject(report: &SourceReport, finding: &Discrepancy) -> String {
    format!("{} {} {}", report.source, finding.kind, finding.reference)
}

fn detail(finding: &Discrepancy) -> String {
    let usd = finding.usd.map_or_else(|| "an unknown amount".to_owned(), |usd| format!("{usd} USD"));
    format!("{usd}: {}", finding.kind.meaning())
}

fn summary(report: &SourceReport) -> String {
    let SourceReport { matched, under_way, findings, .. } = report;
    format!("{matched} the same, {under_way} under way, {} differ", findings.len())
}

fn raise_alarm(report: &SourceReport, finding: &Discrepancy) {
    let Discrepancy { kind, reference, came, asset, usd, payer, payment, order, account, shown_by, said, .. } = finding;
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

fn raise_source_alarms(report: &SourceReport, more: usize, is_silent: bool) {
    let source = report.source.as_str();
    if more > 0 {
        tracing::error!(
            target: "alarm", alarm = "reconciliation", source, more,
            "more differences than are told one by one: `tollgate audit --chains` has all of them"
        );
    }
    if is_silent {
        tracing::error!(
            target: "alarm", alarm = "reconciliation", source, why = why_not_whole(report),
            "for two days the ledger could not be compared whole with this chain or payment provider: see to what does not answer"
        );
    }
    match &report.unread {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_told_from_one_whose_name_begins_with_it() {
        assert!(is_of("eip155:1 not_credited 0xab", "eip155:1") && is_of("eip155:1 unread", "eip155:1"));
        assert!(!is_of("eip155:137 not_credited 0xab", "eip155:1") && !is_of("eip155:10 unread", "eip155:1"));
    }

    #[test]
    fn what_was_compared_in_part_is_due_within_the_hour_until_it_has_rung() {
        let (day, hour) = (DAY_MS, AGAIN_MS);
        for (now_ms, last_ms, whole_ms, expected) in [
            (5, None, 0, true),
            (10 * day, Some(10 * day - hour), 10 * day - hour, false),
            (10 * day, Some(9 * day), 9 * day, true),
            (10 * day, Some(10 * day - hour), 9 * day, true),
            (10 * day, Some(10 * day - hour + 1), 9 * day, false),
            (10 * day, Some(10 * day - hour), 7 * day, false),
            (10 * day, Some(9 * day), 7 * day, true),
        ] {
            assert_eq!(is_due(now_ms, last_ms, whole_ms), expected, "{now_ms} {last_ms:?} {whole_ms}");
        }
    }
}
