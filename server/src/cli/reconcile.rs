//! `tollgate audit --chains`

use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_base::{Clock, Day, Moment, Usd, rfc3339};
use tollgate_credit::LedgerStore;
use tollgate_store::Store;
use tollgate_topup::Topups;
use tollgate_topup::ewallet::Checkouts;
use tollgate_topup::reconcile::{Discrepancy, Reconciler, Reconciliation, SettlementReport, SourceReport, WINDOW_MS};
use tollgate_topup::x402::X402Payments;

const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;

/// The start of the period that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparisonStart {
    /// Unix time in milliseconds.
    At(i64),
    /// So many milliseconds before now.
    Ago(i64),
}

/// The text is no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a day as 2026-11-21, a time as 2026-11-21T03:00:00Z, or so long ago as 36h or 7d")]
pub(super) struct InvalidStart;

/// The provider's report cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("failed to read the report {path}")]
pub(super) struct UnusableReport {
    path: PathBuf,
    source: Box<dyn Error + Send + Sync>,
}

impl FromStr for ComparisonStart {
    type Err = InvalidStart;

    fn from_str(text: &str) -> Result<Self, InvalidStart> {
        let ago = |unit: &str, ms: i64| {
            let count: i64 = text.strip_suffix(unit)?.parse().ok().filter(|count| *count > 0)?;
            count.checked_mul(ms).map(Self::Ago)
        };
        let day = || text.parse::<Day>().ok().map(|day| Self::At(day.number() * DAY_MS));
        let moment = || text.parse::<Moment>().ok().map(|moment| Self::At(moment.unix_ms()));
        ago("h", HOUR_MS).or_else(|| ago("d", DAY_MS)).or_else(day).or_else(moment).ok_or(InvalidStart)
    }
}

impl ComparisonStart {
    fn at_ms(self, now_ms: i64) -> i64 {
        match self {
            Self::At(at_ms) => at_ms,
            Self::Ago(ms) => now_ms.saturating_sub(ms),
        }
    }
}

/// Compares the ledger with the chains and the provider of the configuration.
pub(super) async fn compare(
    settings: &Settings,
    store: Store,
    clock: Clock,
    since: Option<ComparisonStart>,
    settlements: Option<SettlementReport>,
) -> Result<Reconciliation, Box<dyn Error + Send + Sync>> {
    tollgate_net::install_tls();
    let since_ms = since.unwrap_or(ComparisonStart::Ago(WINDOW_MS)).at_ms(clock.now_ms());
    let topups = Topups::new(store.clone(), clock.clone(), settings.topup.clone());
    let x402 = X402Payments::new(topups.clone(), LedgerStore::new(store, clock.clone()), settings.public_url.clone())?;
    let checkouts = Checkouts::new(topups.clone(), clock, settings.public_url.as_deref().unwrap_or_default())?;
    let mut told = Reconciler::new(topups, x402, checkouts).compare(since_ms, settlements.as_ref()).await?;
    if settings.sandbox && settings.topup.checkout.is_none() {
        // The provider of a sandbox is made by its server, and no money moves there.
        told.sources.retain(|report| report.source != crate::app::SANDBOX_PROVIDER);
    }
    Ok(told)
}

/// Reads the report of a provider.
pub(super) fn read(path: &Path) -> Result<SettlementReport, UnusableReport> {
    let unusable = |source: Box<dyn Error + Send + Sync>| UnusableReport { path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(|error| unusable(error.into()))?;
    SettlementReport::read(&text).map_err(|error| unusable(error.into()))
}

/// For programs.
pub(super) fn to_json(told: &Reconciliation) -> Value {
    json!({
        "clean": told.is_clean(),
        "since": rfc3339(told.since_ms),
        "until": rfc3339(told.until_ms),
        "sources": told.sources.iter().map(source).collect::<Vec<_>>(),
        "findings": findings(told).map(|(report, finding)| described(report, finding)).collect::<Vec<_>>(),
    })
}

fn source(report: &SourceReport) -> Value {
    let SourceReport { source, unread, silent, matched, under_way, small, small_usd, findings, unnamed, .. } = report;
    json!({
        "source": source, "compared": unread.is_none(), "why": unread, "silent_nodes": silent, "matched": matched,
        "under_way": under_way, "small_transfers": small, "small_usd": small_usd, "findings": findings.len() + unnamed,
    })
}

fn described(report: &SourceReport, finding: &Discrepancy) -> Value {
    let Discrepancy { kind, reference, came, asset, usd, payer, at_ms, payment, order, account, shown_by, said } =
        finding;
    let (shown, asked) = shown_by;
    let usd: &Option<Usd> = usd;
    json!({
        "kind": kind.as_str(), "source": report.source, "reference": reference, "amount": came.map(|came| came.to_string()),
        "asset": asset, "usd": usd, "payer": payer, "at": at_ms.map(rfc3339), "payment_id": payment,
        "order_id": order.map(|order| order.0), "account": account.map(|account| account.0), "shown_by": shown,
        "asked": asked, "said": said, "next": kind.remedy(),
    })
}

fn findings(told: &Reconciliation) -> impl Iterator<Item = (&SourceReport, &Discrepancy)> {
    told.sources.iter().flat_map(|report| report.findings.iter().map(move |finding| (report, finding)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_days_moments_and_spans() {
        for (text, expected) in [
            ("48h", Ok(ComparisonStart::Ago(172_800_000))),
            ("7d", Ok(ComparisonStart::Ago(604_800_000))),
            ("1970-01-02", Ok(ComparisonStart::At(86_400_000))),
            ("1970-01-01T00:00:01Z", Ok(ComparisonStart::At(1_000))),
            ("0h", Err(InvalidStart)),
            ("-1d", Err(InvalidStart)),
            ("yesterday", Err(InvalidStart)),
            ("9223372036854775807d", Err(InvalidStart)),
        ] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }
}
