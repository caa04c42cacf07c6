//! Histograms: the counts of numbers in buckets.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts by bucket, and the sum of the numbers; they only grow. A reader beside a writer may see the one without the other.
#[derive(Debug)]
pub struct Histogram {
    /// The largest number of each bucket but the last, which has none.
    bounds: &'static [u64],
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Histogram {
    pub(super) fn over(bounds: &'static [u64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds, counts, sum: AtomicU64::new(0) }
    }

    pub(super) fn observe(&self, number: u64) {
        let class = self.bounds.partition_point(|bound| *bound < number);
        self.counts[class].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(number, Ordering::Relaxed);
    }

    /// The largest number of each bucket, and the count of numbers in it.
    pub fn buckets(&self) -> impl Iterator<Item = (Option<u64>, u64)> {
        let bounds = self.bounds.iter().copied().map(Some).chain([None]);
        bounds.zip(self.counts.iter().map(|count| count.load(Ordering::Relaxed)))
    }

    /// The sum of all the numbers.
    pub fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_falls_into_the_class_that_ends_with_it() {
        let spread = Histogram::over(&[1, 10]);
        for number in [0, 1, 2, 10, 11, 1_000] {
            spread.observe(number);
        }
        assert_eq!(spread.buckets().collect::<Vec<_>>(), [(Some(1), 2), (Some(10), 2), (None, 2)]);
        assert_eq!(spread.sum(), 1_024);
    }
}
