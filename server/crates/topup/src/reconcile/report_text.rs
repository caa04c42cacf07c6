//! The report of a comparison, for people.

use std::fmt;

use super::report::{Discrepancy, DiscrepancyKind, Reconciliation, SourceReport};
use tollgate_base::{rfc3339, text_table};

impl fmt::Display for Reconciliation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (since, until) = (rfc3339(self.since_ms), rfc3339(self.until_ms));
        write!(f, "compared with the chains and the payment provider since {since}, until {until}:")?;
        if self.sources.is_empty() {
            f.write_str("\nthe configuration has neither chains nor a payment provider")?;
        }
        for line in self.sources.iter().flat_map(lines_of) {
            write!(f, "\n{line}")?;
        }
        let found = || self.sources.iter().flat_map(|report| report.findings.iter().map(move |found| (report, found)));
        let rows: Vec<Vec<String>> = found().map(|(report, finding)| row(report, finding)).collect();
        if !rows.is_empty() {
            let head =
                ["DIFFERENCE", "AT", "SOURCE", "USD", "AMOUNT", "PAYMENT", "ORDER", "ACCOUNT", "SHOWN BY", "REFERENCE"];
            write!(f, "\n{}", text_table(&head, &rows))?;
        }
        for kind in DiscrepancyKind::ALL.into_iter().filter(|kind| found().any(|(_, finding)| finding.kind == *kind)) {
            write!(f, "\n{kind}: {}. Next: {}", kind.meaning(), kind.remedy())?;
        }
        Ok(())
    }
}

fn lines_of(report: &SourceReport) -> Vec<String> {
    let SourceReport { source, unread, silent, matched, under_way, small, small_usd, findings, unnamed, .. } = report;
    let mut lines: Vec<String> = unread.iter().map(|why| format!("{source}: NOT COMPARED: {why}")).collect();
    if unread.is_none() {
        let differ = findings.len() + unnamed;
        lines.push(format!("{source}: {matched} the same, {under_way} under way, {differ} differ"));
        lines.extend(silent.iter().map(|node| format!("{source}: NOT WHOLE: {node}")));
    }
    if *small > 0 {
        lines.push(format!(
            "{source}: {small} transfers of less than an order, {small_usd} USD together, are credited to nobody"
        ));
    }
    lines.extend(
        findings
            .iter()
            .filter_map(|finding| finding.said.as_ref().map(|said| format!("{source}: {}: {said}", finding.reference))),
    );
    lines
}

fn row(report: &SourceReport, finding: &Discrepancy) -> Vec<String> {
    let text = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let (shown, asked) = finding.shown_by;
    vec![
        finding.kind.to_string(),
        text(finding.at_ms.map(rfc3339)),
        report.source.clone(),
        text(finding.usd.map(|usd| usd.to_string())),
        text(finding.came.map(|came| format!("{came} of {}", finding.asset))),
        text(finding.payment.map(|payment| payment.to_string())),
        text(finding.order.map(|order| order.to_string())),
        text(finding.account.map(|account| account.to_string())),
        format!("{shown} of {asked}"),
        finding.reference.clone(),
    ]
}
