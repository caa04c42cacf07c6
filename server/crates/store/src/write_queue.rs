//! The order of writes to a file, within this process.
//!
//! The file's own lock knows no order: who comes back soonest has it, and that is the ledger's writer, whose next batch has
//! gathered when the last one ends. Here control writes and the writer take turns where both want to write.

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard};

/// The turns of one file. Those who wait get theirs in the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct WriteQueue {
    /// All waiting control writes but one wait here, so that between two of them the writer has a turn.
    desk: Arc<Mutex<()>>,
    file: Arc<Mutex<()>>,
}

/// A turn, which ends when it is dropped.
#[derive(Debug)]
pub struct WriteGuard {
    _file: OwnedMutexGuard<()>,
    _desk: Option<OwnedMutexGuard<()>>,
}

impl WriteQueue {
    /// Waits for the next turn of a control write.
    pub(super) async fn for_control_write(&self) -> WriteGuard {
        let desk = self.desk.clone().lock_owned().await;
        WriteGuard { _file: self.file.clone().lock_owned().await, _desk: Some(desk) }
    }

    /// Waits for the next turn of the ledger's writer, of which there is one.
    pub async fn of_writer(&self) -> WriteGuard {
        WriteGuard { _file: self.file.clone().lock_owned().await, _desk: None }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn desk_and_writer_take_turns_where_both_want_to_write() {
        let turns = WriteQueue::default();
        let first = turns.for_control_write().await;
        let (mut second, mut third) = (Box::pin(turns.for_control_write()), Box::pin(turns.for_control_write()));
        assert!(second.as_mut().now_or_never().is_none() && third.as_mut().now_or_never().is_none());
        let mut writer = Box::pin(turns.of_writer());
        assert!(writer.as_mut().now_or_never().is_none(), "one turn at a time");
        drop(first);
        // The second came before the writer, and the writer before the second stood at the file.
        let batch = writer.as_mut().now_or_never().expect("the writer's turn");
        assert!(second.as_mut().now_or_never().is_none());
        drop(batch);
        let mut writer = Box::pin(turns.of_writer());
        assert!(writer.as_mut().now_or_never().is_none(), "the desk stands before it");
        let told = second.as_mut().now_or_never().expect("the desk's turn");
        assert!(third.as_mut().now_or_never().is_none());
        drop(told);
        drop(writer.as_mut().now_or_never().expect("before the third"));
        drop(third.as_mut().now_or_never().expect("the last"));
    }
}
