//! The memory that bodies of requests may take together, or whole answers of providers: places bound how many requests
//! there are, and this how much they may hold.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// A bound on bytes that are held at the same time. Cheap to clone; clones count together.
#[derive(Debug, Clone)]
pub struct BodyMemory(Arc<Semaphore>);

/// Bytes that are taken; free again when this is dropped.
#[derive(Debug, Default)]
pub struct BodyMemoryPermit(Option<OwnedSemaphorePermit>);

impl BodyMemory {
    /// A bound of so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))))
    }

    /// Takes further bytes. False where there are not as many.
    pub fn try_acquire(&self, bytes: usize, spent: &mut BodyMemoryPermit) -> bool {
        let Ok(bytes) = u32::try_from(bytes) else { return false };
        let Ok(more) = self.0.clone().try_acquire_many_owned(bytes) else { return false };
        spent.add(more);
        true
    }

    /// Takes further bytes, and waits for them until `deadline`, in turn. False where there are not as many by then.
    /// A waiting request keeps its memory: two that wait for each other end at their deadlines.
    pub async fn acquire_until(&self, deadline: Instant, bytes: usize, spent: &mut BodyMemoryPermit) -> bool {
        if self.try_acquire(bytes, spent) {
            return true;
        }
        let Ok(bytes) = u32::try_from(bytes) else { return false };
        let Ok(Ok(more)) = timeout_at(deadline, self.0.clone().acquire_many_owned(bytes)).await else { return false };
        spent.add(more);
        true
    }
}

impl BodyMemoryPermit {
    fn add(&mut self, more: OwnedSemaphorePermit) {
        match &mut self.0 {
            Some(permit) => permit.merge(more),
            None => self.0 = Some(more),
        }
    }

    /// Gives back what is beyond so many bytes.
    pub fn shrink(&mut self, bytes: usize) {
        let Some(permit) = &mut self.0 else { return };
        drop(permit.split(permit.num_permits().saturating_sub(bytes)));
    }

    /// `bytes`, counted as long as any part of them is kept: they outlive whoever handles them.
    #[must_use]
    pub fn on(self, bytes: Bytes) -> Bytes {
        match self.0 {
            Some(permit) => Bytes::from_owner(CountedBytes { bytes, _permit: permit }),
            None => bytes,
        }
    }
}

struct CountedBytes {
    bytes: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_until_the_last_part_is_dropped() {
        let (budget, mut spent) = (BodyMemory::new(10), BodyMemoryPermit::default());
        assert!(budget.try_acquire(4, &mut spent) && budget.try_acquire(4, &mut spent));
        assert!(!budget.try_acquire(4, &mut BodyMemoryPermit::default()), "two are left");
        let part = spent.on(Bytes::from_static(b"12345678")).slice(2..3);
        assert!(!budget.try_acquire(10, &mut BodyMemoryPermit::default()), "a part of them is still there");
        assert_eq!(part, "3");
        drop(part);
        assert!(budget.try_acquire(10, &mut BodyMemoryPermit::default()));
    }

    #[tokio::test(start_paused = true)]
    async fn two_that_wait_for_each_other_end_at_their_deadline() {
        let budget = BodyMemory::new(10);
        let half = async || {
            let mut spent = BodyMemoryPermit::default();
            let deadline = Instant::now() + std::time::Duration::from_secs(5);
            let first = budget.acquire_until(deadline, 5, &mut spent).await;
            // The other one takes its half.
            tokio::task::yield_now().await;
            first && budget.acquire_until(deadline, 5, &mut spent).await
        };
        let (one, other) = tokio::join!(half(), half());
        assert!(!(one && other), "there was no room for both, and neither waits for ever");
        assert!(half().await, "all of it is back");
        let mut spent = BodyMemoryPermit::default();
        assert!(budget.try_acquire(10, &mut spent));
        spent.shrink(4);
        assert!(budget.try_acquire(6, &mut BodyMemoryPermit::default()));
    }
}
