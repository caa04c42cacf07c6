//! The memory that bodies of requests may take together: places bound how many requests there are, and this how much
//! they may hold.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many bytes of bodies at the same time. Cheap to clone; clones count together.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Semaphore>);

/// Bytes that are taken; free again when this is dropped.
#[derive(Debug, Default)]
pub(super) struct Spent(Option<OwnedSemaphorePermit>);

impl Budget {
    /// So many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))))
    }

    /// Takes further bytes; whether there were as many.
    pub(super) fn spend(&self, bytes: usize, spent: &mut Spent) -> bool {
        let Ok(bytes) = u32::try_from(bytes) else { return false };
        let Ok(more) = self.0.clone().try_acquire_many_owned(bytes) else { return false };
        match &mut spent.0 {
            Some(permit) => permit.merge(more),
            None => spent.0 = Some(more),
        }
        true
    }
}

impl Spent {
    /// `bytes`, counted as long as any part of them is kept: a request's body outlives the request's handler.
    pub(super) fn on(self, bytes: Bytes) -> Bytes {
        match self.0 {
            Some(permit) => Bytes::from_owner(Counted { bytes, _permit: permit }),
            None => bytes,
        }
    }
}

struct Counted {
    bytes: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_until_the_last_part_is_dropped() {
        let (budget, mut spent) = (Budget::new(10), Spent::default());
        assert!(budget.spend(4, &mut spent) && budget.spend(4, &mut spent));
        assert!(!budget.spend(4, &mut Spent::default()), "two are left");
        let part = spent.on(Bytes::from_static(b"12345678")).slice(2..3);
        assert!(!budget.spend(10, &mut Spent::default()), "a part of them is still there");
        assert_eq!(part, "3");
        drop(part);
        assert!(budget.spend(10, &mut Spent::default()));
    }
}
