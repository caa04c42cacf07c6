//! Buffers of bodies that have come and gone, for those to come.
//!
//! Blocks of these sizes are given back to the system when they are freed, so that a server with little to do is small. A buffer
//! that was made for each body would cost a page fault for every 4 KiB of it, which is more than it costs to read the body.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bodies that a spare buffer is used for, in bytes: with smaller ones the allocator gives nothing back.
const BODY_BYTES: RangeInclusive<usize> = 65_536..=1_048_576;
/// The room in a buffer that is used again. A block of this size is the system's own, and takes no memory before it is written to.
const BUFFER_BYTES: usize = 1_114_112;
/// The bytes that bodies may take together for each buffer that is used again. What earlier bodies have written to in a buffer is not
/// among those bytes, so that all bodies take a sixteenth more at the most.
const BYTES_PER_BUFFER: usize = 16 << 20;

/// Buffers that are used again, and are kept for as long as the process runs. Cheap to clone; clones share them. Where requests that last
/// have all of them, further bodies have buffers of their own, as they would without these.
#[derive(Debug, Clone)]
pub(super) struct SpareBuffers(Arc<Mutex<BufferPool>>);

#[derive(Debug)]
struct BufferPool {
    spare: Vec<Vec<u8>>,
    /// Those in use.
    lent: usize,
    /// The most that there are, spare or in use. Bodies beyond them have buffers of their own.
    most: usize,
}

/// The bytes of a body. A buffer that is used again is spare when this is dropped.
#[derive(Debug)]
pub(crate) struct BodyBuffer {
    bytes: Vec<u8>,
    lent_by: Option<SpareBuffers>,
}

impl SpareBuffers {
    /// Buffers for bodies that may take so many bytes together; there are none yet.
    pub(super) fn new(bytes: usize) -> Self {
        Self(Arc::new(Mutex::new(BufferPool { spare: Vec::new(), lent: 0, most: bytes / BYTES_PER_BUFFER })))
    }

    /// An empty buffer with room for a body of so many bytes.
    pub(super) fn buffer(&self, bytes: usize) -> BodyBuffer {
        match BODY_BYTES.contains(&bytes).then(|| self.lend()).flatten() {
            Some(buffer) => BodyBuffer { bytes: buffer, lent_by: Some(self.clone()) },
            None => BodyBuffer { bytes: Vec::with_capacity(bytes), lent_by: None },
        }
    }

    /// A spare buffer, or a new one where there are not too many; the one that was used last, which is in the caches of the processor.
    fn lend(&self) -> Option<Vec<u8>> {
        let mut pool = self.pool();
        let room = pool.spare.len() + pool.lent < pool.most;
        let buffer = pool.spare.pop().or_else(|| room.then(|| Vec::with_capacity(BUFFER_BYTES)))?;
        pool.lent += 1;
        Some(buffer)
    }

    fn take_back(&self, mut buffer: Vec<u8>) {
        // It would take more than its part.
        let has_grown = buffer.len() > BUFFER_BYTES;
        buffer.clear();
        let mut pool = self.pool();
        pool.lent -= 1;
        if !has_grown {
            pool.spare.push(buffer);
        }
    }

    fn pool(&self) -> MutexGuard<'_, BufferPool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyBuffer {
    /// The bytes that are in it.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Adds a piece of the body.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }
}

impl AsRef<[u8]> for BodyBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for BodyBuffer {
    fn drop(&mut self) {
        if let Some(pool) = self.lent_by.take() {
            pool.take_back(std::mem::take(&mut self.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 3;

    fn body(pool: &SpareBuffers, byte: u8, bytes: usize) -> BodyBuffer {
        let mut buffer = pool.buffer(bytes);
        assert_eq!(buffer.as_ref(), b"", "nothing of an earlier body");
        buffer.add(&vec![byte; bytes]);
        assert!(buffer.len() == bytes && buffer.as_ref().iter().all(|each| *each == byte));
        buffer
    }

    fn spare_and_lent(pool: &SpareBuffers) -> (usize, usize) {
        let pool = pool.pool();
        (pool.spare.len(), pool.lent)
    }

    #[test]
    fn a_buffer_is_used_again_by_the_next_body_of_any_such_size() {
        let pool = SpareBuffers::new(MOST * BYTES_PER_BUFFER);
        let first = body(&pool, b'a', 1_048_576);
        let place = first.as_ref().as_ptr();
        drop(first);
        let second = body(&pool, b'b', 100_000);
        assert_eq!((second.as_ref().as_ptr(), spare_and_lent(&pool)), (place, (0, 1)));
        assert_ne!(body(&pool, b'c', 65_536).as_ref().as_ptr(), place, "it is in use");
        assert_eq!(spare_and_lent(&pool), (1, 1));
    }

    #[test]
    fn no_more_are_there_than_there_may_be_and_none_of_another_size() {
        let pool = SpareBuffers::new(MOST * BYTES_PER_BUFFER);
        drop([0, 65_535, 1_048_577].map(|bytes| body(&pool, b'a', bytes)));
        assert_eq!(spare_and_lent(&pool), (0, 0));
        let lent: Vec<_> = (0..MOST).map(|_| body(&pool, b'a', 65_536)).collect();
        let beyond = body(&pool, b'b', 65_536);
        assert_eq!((spare_and_lent(&pool), beyond.bytes.capacity()), ((0, MOST), 65_536));
        drop((lent, beyond));
        assert_eq!(spare_and_lent(&pool), (MOST, 0));
    }

    #[test]
    fn one_that_has_grown_is_not_kept() {
        let pool = SpareBuffers::new(MOST * BYTES_PER_BUFFER);
        let mut buffer = body(&pool, b'a', 65_536);
        buffer.add(&vec![b'a'; BUFFER_BYTES]);
        drop(buffer);
        assert_eq!(spare_and_lent(&pool), (0, 0));
    }
}
