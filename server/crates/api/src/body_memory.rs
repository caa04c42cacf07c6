//! The memory that bodies of requests may take together, or whole answers of providers: places bound how many requests
//! there are, and this how much they may hold.

mod spare_buffers;

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

pub(super) use spare_buffers::BodyBuffer;
use spare_buffers::SpareBuffers;

/// A bound on bytes that are held at the same time. Cheap to clone; clones count together.
#[derive(Debug, Clone)]
pub struct BodyMemory {
    bytes: Arc<Semaphore>,
    spare: SpareBuffers,
}

/// Bytes that are taken; free again when this is dropped.
#[derive(Debug, Default)]
pub struct BodyMemoryPermit(Option<OwnedSemaphorePermit>);

impl BodyMemory {
    /// A bound of so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let places = Semaphore::new(bytes.min(Semaphore::MAX_PERMITS));
        Self { bytes: Arc::new(places), spare: SpareBuffers::new(bytes) }
    }

    /// A buffer for a body of so many bytes, none of which is taken yet.
    pub(super) fn buffer(&self, bytes: usize) -> BodyBuffer {
        self.spare.buffer(bytes)
    }

    /// Takes further bytes. False where there are not as many.
    pub fn try_acquire(&self, bytes: usize, spent: &mut BodyMemoryPermit) -> bool {
        let Ok(bytes) = u32::try_from(bytes) else { return false };
        let Ok(more) = self.bytes.clone().try_acquire_many_owned(bytes) else { return false };
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
        let Ok(Ok(more)) = timeout_at(deadline, self.bytes.clone().acquire_many_owned(bytes)).await else {
            return false;
        };
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

    /// Adds the bytes that another one has taken.
    pub fn join(&mut self, more: Self) {
        if let Some(more) = more.0 {
            self.add(more);
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

    /// The bytes in a buffer, counted in the same way.
    pub(super) fn on_buffer(self, bytes: BodyBuffer) -> Bytes {
        Bytes::from_owner(CountedBytes { bytes, _permit: self.0 })
    }
}

/// Dropped in this order: bytes are there no more when they are not counted any more.
struct CountedBytes<B, P> {
    bytes: B,
    _permit: P,
}

impl<B: AsRef<[u8]>, P> AsRef<[u8]> for CountedBytes<B, P> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
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
