//! Comparing the ledger with chains and provider: what reached `pay_to` on each chain, and the provider's status of each order,
//! against the payments of the ledger.
//!
//! May import the rails beside it. Cannot: credit anybody, or move an order; what differs is told to a person. Invariants: a chain
//! or provider that was not asked whole is told as such and never as one without differences; a transfer that any node tells counts
//! as come, and a credit counts as backed where every node that answers tells its transfer, so that one node which lies hides
//! nothing; what comes while it is compared is in the ledger before it is on the chain, and the chain is read first.
//!
//! Start reading at [`Reconciler::compare`]; the daily comparison of a server is in [`daily`].

mod chain;
mod daily;
mod matching;
mod provider;
mod report;
mod report_text;
mod settlements;
mod sql;
mod stats;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use tollgate_base::with_causes;
use tollgate_store::{ReadPool, StoreError};

use super::Topups;
use super::ewallet::Checkouts;
use super::x402::X402Payments;

pub use report::{Discrepancy, DiscrepancyKind, Reconciliation, SourceReport};
pub use settlements::{SettlementReport, SettlementReportError};
pub use stats::ReconcilerStats;

/// The span that is compared by default: two days, so that each moment is in two daily comparisons.
pub const WINDOW_MS: i64 = 48 * 3_600_000;

/// The furthest that a comparison looks back by itself, in milliseconds.
const LOOK_BACK_MAX_MS: i64 = 30 * 86_400_000;
/// The time in which one source has to be compared. One that does not end must not keep the others from being compared.
const SOURCE_TIME: Duration = Duration::from_secs(40 * 60);

/// Compares the ledger with chains and provider. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Reconciler(Arc<ReconcilerInner>);

#[derive(Debug)]
struct ReconcilerInner {
    topups: Topups,
    x402: X402Payments,
    checkouts: Checkouts,
}

impl Reconciler {
    /// A comparison of the ledger of these top-ups.
    #[must_use]
    pub fn new(topups: Topups, x402: X402Payments, checkouts: Checkouts) -> Self {
        Self(Arc::new(ReconcilerInner { topups, x402, checkouts }))
    }

    /// Compares everything since a time in unix milliseconds, also with the provider's own list of settlements, where there is one.
    ///
    /// # Errors
    /// When the store fails as a whole. That a chain or a provider does not answer is no error but what its report says.
    pub async fn compare(
        &self,
        since_ms: i64,
        settlements: Option<&SettlementReport>,
    ) -> Result<Reconciliation, StoreError> {
        let until_ms = self.topups().now_ms();
        let mut sources = Vec::new();
        for source in self.sources() {
            sources.push(self.compare_source(&source, since_ms).await);
        }
        if let Some(settlements) = settlements {
            sources.push(self.compare_settlements(settlements).await?);
        }
        for (source, count) in sql::credited_by_source(self.readers(), since_ms).await? {
            if !self.sources().contains(&source) {
                let why = format!("{count} payments of it were credited, and the configuration does not have it");
                sources.push(SourceReport::unread(&source, why));
            }
        }
        Ok(Reconciliation { since_ms, until_ms, sources })
    }

    /// The chains and the provider of the configuration.
    fn sources(&self) -> Vec<String> {
        let chains = self.0.x402.chains().map(|(id, _)| id.to_owned());
        chains.chain(self.0.checkouts.provider().map(str::to_owned)).collect()
    }

    /// Compares one source. An error becomes a part of its report, so that the others are compared.
    async fn compare_source(&self, source: &str, since_ms: i64) -> SourceReport {
        let compared = async {
            match self.0.checkouts.provider() == Some(source) {
                true => self.compare_provider(source, since_ms).await,
                false => self.compare_chain(source, since_ms).await,
            }
        };
        in_time(source, compared).await
    }

    fn topups(&self) -> &Topups {
        &self.0.topups
    }

    fn readers(&self) -> &ReadPool {
        self.topups().store.readers()
    }
}

async fn in_time(source: &str, compared: impl Future<Output = Result<SourceReport, StoreError>>) -> SourceReport {
    match timeout(SOURCE_TIME, compared).await {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => SourceReport::unread(source, with_causes(&error)),
        Err(_) => {
            let minutes = SOURCE_TIME.as_secs() / 60;
            SourceReport::unread(source, format!("the comparison did not end within {minutes} minutes"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_source_that_does_not_end_or_whose_store_fails_is_unread() {
        let report = in_time("chain", std::future::pending()).await;
        assert!(report.unread.is_some_and(|why| why.contains("did not end within 40 minutes")));
        let failed = StoreError::Unreadable { what: "a payment", found: "x".to_owned() };
        let report = in_time("chain", async { Err(failed) }).await;
        assert!(report.unread.is_some() && report.source == "chain");
    }
}
