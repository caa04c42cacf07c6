//! The last comparison of each source, as the metrics of this server tell it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::report::SourceReport;

/// The last comparison of each source that this server has made.
#[derive(Debug, Default)]
pub struct ReconcilerStats(Mutex<BTreeMap<String, LastComparison>>);

#[derive(Debug, Clone, Copy)]
struct LastComparison {
    findings: usize,
    is_whole: bool,
}

impl ReconcilerStats {
    /// The number of differences that the last comparison of each source has found, together.
    #[must_use]
    pub fn findings(&self) -> usize {
        self.last().values().map(|last| last.findings).sum()
    }

    /// The number of sources whose last comparison was not whole.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.last().values().filter(|last| !last.is_whole).count()
    }

    pub(super) fn note(&self, report: &SourceReport) {
        let last = LastComparison { findings: report.findings.len() + report.unnamed, is_whole: report.is_whole() };
        self.last().insert(report.source.clone(), last);
    }

    /// The last comparisons; a poisoned lock is taken over, because every number in it is whole.
    fn last(&self) -> MutexGuard<'_, BTreeMap<String, LastComparison>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_comparison_of_each_source_counts() {
        let stats = ReconcilerStats::default();
        stats.note(&SourceReport { unnamed: 3, ..SourceReport::of("a") });
        stats.note(&SourceReport::unread("b", "it is away".to_owned()));
        assert_eq!((stats.findings(), stats.unread()), (3, 1));
        stats.note(&SourceReport::of("a"));
        assert_eq!((stats.findings(), stats.unread()), (0, 1));
    }
}
