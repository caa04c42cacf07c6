//! Comparing the ledger with the world outside: what reached `pay_to` on each chain, and what the payment provider says of each
//! order, against the payments that the ledger has.
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
mod settlements;
mod sql;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::{Readers, StoreError};

use super::Topups;
use super::checkout::Checkouts;
use super::x402::X402;

pub use report::{Finding, FindingKind, Reconciliation, SourceReport};
pub use settlements::{NotSettlements, Settlements};

/// The span that is compared where nothing is said: two days, so that each moment is in two daily comparisons.
pub const WINDOW_MS: i64 = 48 * 3_600_000;

/// Findings of one source that are named; of more, a node that makes them up is likelier than anything else.
const NAMED_MAX: usize = 1_000;

/// Compares the ledger with chains and provider. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Reconciler(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    topups: Topups,
    x402: X402,
    checkouts: Checkouts,
}

/// The last comparison of this server.
#[derive(Debug, Default)]
pub struct ReconcilerStats {
    /// What differed.
    pub findings: AtomicU64,
    /// Chains and providers that could not be compared.
    pub unread: AtomicU64,
}

impl Reconciler {
    /// A comparison of the ledger of these top-ups.
    #[must_use]
    pub fn new(topups: Topups, x402: X402, checkouts: Checkouts) -> Self {
        Self(Arc::new(Inner { topups, x402, checkouts }))
    }

    /// Compares everything since a time, unix milliseconds; with the provider's own list of what it has settled, where there is one.
    ///
    /// # Errors
    /// When the store fails. That a chain or a provider does not answer is no error but what its report says.
    pub async fn compare(
        &self,
        since_ms: i64,
        settlements: Option<&Settlements>,
    ) -> Result<Reconciliation, StoreError> {
        let until_ms = self.topups().now_ms();
        let mut sources = Vec::new();
        for source in self.sources() {
            sources.push(self.compare_source(&source, since_ms).await?);
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

    async fn compare_source(&self, source: &str, since_ms: i64) -> Result<SourceReport, StoreError> {
        if self.0.checkouts.provider() == Some(source) {
            self.compare_provider(source, since_ms).await
        } else {
            self.compare_chain(source, since_ms).await
        }
    }

    fn topups(&self) -> &Topups {
        &self.0.topups
    }

    fn readers(&self) -> &Readers {
        self.topups().store.readers()
    }
}

impl ReconcilerStats {
    fn note(&self, reports: &[SourceReport]) {
        let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        self.findings
            .store(reports.iter().map(|report| count(report.findings.len() + report.unnamed)).sum(), Ordering::Relaxed);
        let unread = reports.iter().filter(|report| report.unread.is_some()).count();
        self.unread.store(count(unread), Ordering::Relaxed);
    }
}
