//! The one writer of stored responses in this process: what comes while a transaction is under way shares the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Clock};
use tollgate_store::{ErrorClass, ResponseDatabase, StoreError, StoreTransaction};

use super::row::PreparedResponse;
use super::sql::{self, RowExpiry};

/// The time for which a response is stored, in milliseconds: the one that clients of this interface expect.
pub(super) const RETENTION_MS: i64 = limits::RESPONSE_RETENTION.as_secs().cast_signed() * 1000;
/// The most rows that one transaction deletes to make room for a new one.
const DROP_ROWS: i64 = 500;
/// The most responses that share a transaction.
const BATCH_MAX: usize = 64;
/// The size of responses, in bytes, above which a transaction takes no more of them.
const BATCH_BYTES: i64 = 8 * 1024 * 1024;
/// The most requests that wait for the writer.
const WAITING_MAX: usize = 1024;
/// The longest time of a transaction.
const TRANSACTION_PATIENCE: Duration = Duration::from_secs(4);
/// The longest wait for an answer of the writer. It is less than the five seconds within which a client is told that nothing can
/// be had, and no less than a transaction may take.
const ANSWER_PATIENCE: Duration = Duration::from_millis(4500);

/// The result of a write. An error is shared by all whose transaction failed.
pub(super) type WriteResult<T> = Result<T, Arc<StoreError>>;

/// A response to be stored.
#[derive(Debug)]
pub(super) struct StoredWrite {
    pub(super) account: AccountId,
    pub(super) response: PreparedResponse,
    /// The most bytes that the account's responses may have with it.
    pub(super) quota: i64,
}

#[derive(Debug)]
enum WriteRequest {
    Store(Box<StoredWrite>, oneshot::Sender<WriteResult<()>>),
    Forget { account: AccountId, id: String, answer: oneshot::Sender<WriteResult<bool>> },
    Expire { rows: Vec<RowExpiry>, answer: oneshot::Sender<WriteResult<usize>> },
}

/// The way to the writer. Cheap to clone; the writer ends when the last one is dropped.
#[derive(Debug, Clone)]
pub(super) struct ResponseWriter(mpsc::Sender<WriteRequest>);

impl ResponseWriter {
    /// Starts the writer.
    pub(super) fn start(database: ResponseDatabase, clock: Clock) -> Self {
        let (sender, requests) = mpsc::channel(WAITING_MAX);
        #[expect(
            clippy::disallowed_methods,
            reason = "it ends with its last handle, and has then answered all that asked"
        )]
        tokio::spawn(WriterTask { database, clock }.run(requests));
        Self(sender)
    }

    /// Stores a response; the account's oldest above its quota are deleted after it.
    pub(super) async fn store(&self, write: StoredWrite) -> WriteResult<()> {
        self.ask(|answer| WriteRequest::Store(Box::new(write), answer)).await
    }

    /// Deletes a response; returns true if there was one.
    pub(super) async fn forget(&self, account: AccountId, id: String) -> WriteResult<bool> {
        self.ask(|answer| WriteRequest::Forget { account, id, answer }).await
    }

    /// Deletes rows that have expired; returns the number of those that are gone.
    pub(super) async fn expire(&self, rows: Vec<RowExpiry>) -> WriteResult<usize> {
        self.ask(|answer| WriteRequest::Expire { rows, answer }).await
    }

    async fn ask<T>(&self, request: impl FnOnce(oneshot::Sender<WriteResult<T>>) -> WriteRequest) -> WriteResult<T> {
        let (sender, answer) = oneshot::channel();
        let asking = async {
            // The writer lives as long as this handle.
            self.0.send(request(sender)).await.ok()?;
            answer.await.ok()
        };
        timeout(ANSWER_PATIENCE, asking).await.ok().flatten().unwrap_or_else(|| Err(Arc::new(StoreError::Silent)))
    }
}

/// Responses that are to share a transaction, with their callers.
#[derive(Default)]
struct PendingWrites {
    writes: Vec<StoredWrite>,
    answers: Vec<oneshot::Sender<WriteResult<()>>>,
    /// The size of the responses.
    bytes: i64,
}

impl PendingWrites {
    fn add(&mut self, write: StoredWrite, answer: oneshot::Sender<WriteResult<()>>) {
        self.bytes += write.response.bytes();
        self.writes.push(write);
        self.answers.push(answer);
    }
}

struct WriterTask {
    database: ResponseDatabase,
    clock: Clock,
}

/// The end of a transaction that stores responses.
enum StoreOutcome {
    /// All are stored; the bytes that are counted of their accounts since.
    Stored(BTreeMap<i64, i64>),
    /// One has the id of another, or goes on from a response that is gone: each has to be stored by itself.
    Clash,
}

impl WriterTask {
    async fn run(self, mut requests: mpsc::Receiver<WriteRequest>) {
        let mut batch = Vec::with_capacity(BATCH_MAX);
        while requests.recv_many(&mut batch, BATCH_MAX).await > 0 {
            let mut writes = PendingWrites::default();
            for request in batch.drain(..) {
                // A caller that has stopped waiting is not told.
                match request {
                    // Its request has failed: nothing of it is to be found.
                    WriteRequest::Store(_, answer) if answer.is_closed() => {}
                    WriteRequest::Store(write, answer) => {
                        writes.add(*write, answer);
                        if writes.bytes >= BATCH_BYTES {
                            self.store_all(&mut writes).await;
                        }
                    }
                    WriteRequest::Forget { account, id, answer } => {
                        self.store_all(&mut writes).await;
                        drop(answer.send(in_time(self.forget(account, &id)).await));
                    }
                    WriteRequest::Expire { rows, answer } => {
                        self.store_all(&mut writes).await;
                        drop(answer.send(in_time(self.expire(&rows)).await));
                    }
                }
            }
            self.store_all(&mut writes).await;
        }
    }

    /// Stores and answers; what is above a quota is deleted after that, so that nobody waits for it.
    async fn store_all(&self, pending: &mut PendingWrites) {
        let PendingWrites { writes, answers, .. } = std::mem::take(pending);
        if writes.is_empty() {
            return;
        }
        match in_time(self.store(&writes)).await {
            Ok(StoreOutcome::Stored(counted)) => {
                // A caller that has stopped waiting is not told.
                answers.into_iter().for_each(|answer| drop(answer.send(Ok(()))));
                self.trim_all(&writes, &counted).await;
            }
            Err(error) if matches!(ErrorClass::of_store(&error), ErrorClass::Lost | ErrorClass::Disk) => {
                answers.into_iter().for_each(|answer| drop(answer.send(Err(error.clone()))));
            }
            // One of them is refused, or its account is locked by another server: the others are stored without it.
            Ok(StoreOutcome::Clash) | Err(_) => {
                for (write, answer) in writes.iter().zip(answers).filter(|(_, answer)| !answer.is_closed()) {
                    let stored = self.store_alone(write).await;
                    let counted = stored.as_ref().ok().cloned();
                    drop(answer.send(stored.map(drop)));
                    if let Some(counted) = counted {
                        self.trim_all(std::slice::from_ref(write), &counted).await;
                    }
                }
            }
        }
    }

    async fn store(&self, writes: &[StoredWrite]) -> Result<StoreOutcome, StoreError> {
        let mut transaction = self.database.begin().await?;
        let mut added = BTreeMap::<i64, i64>::new();
        for write in writes {
            *added.entry(write.account.0).or_default() += write.response.bytes();
        }
        let counted = sql::add_bytes(&mut transaction, &added).await?;
        let parents = writes.iter().filter_map(|write| write.response.parent(write.account)).collect::<BTreeSet<_>>();
        if !parents.is_empty() && !sql::present(&mut transaction, &parents).await?.is_superset(&parents) {
            return Ok(StoreOutcome::Clash);
        }
        if !self.insert(&mut transaction, writes).await? {
            return Ok(StoreOutcome::Clash);
        }
        transaction.commit().await.map_err(StoreError::commit("responses"))?;
        Ok(StoreOutcome::Stored(counted))
    }

    /// Stores one in the place of another of its id, and whole where the one that it goes on from is gone.
    async fn store_alone(&self, write: &StoredWrite) -> WriteResult<BTreeMap<i64, i64>> {
        let storing = async {
            let mut transaction = self.database.begin().await?;
            let account = write.account.0;
            sql::add_bytes(&mut transaction, &BTreeMap::from([(account, 0)])).await?;
            let parents: BTreeSet<_> = write.response.parent(write.account).into_iter().collect();
            let has_parent = sql::present(&mut transaction, &parents).await?.is_superset(&parents);
            let whole = (!has_parent).then(|| StoredWrite { response: write.response.whole(), ..*write });
            let write = whole.as_ref().unwrap_or(write);
            let old = sql::forget_id(&mut transaction, write.account, write.response.id(), i64::MIN).await?;
            let added = BTreeMap::from([(account, write.response.bytes())]);
            let counted = sql::add_bytes(&mut transaction, &added).await?;
            if !self.insert(&mut transaction, std::slice::from_ref(write)).await? {
                return Err(StoreError::Unreadable {
                    what: "no response of that id",
                    found: write.response.id().to_owned(),
                });
            }
            // Last, because it may be what the new one goes on from.
            if let Some(old) = old {
                sql::prune(&mut transaction, BTreeSet::from([old])).await?;
            }
            transaction.commit().await.map_err(StoreError::commit("a response"))?;
            Ok(counted)
        };
        in_time(storing).await
    }

    /// Inserts the rows with their items; false where one was left out.
    async fn insert(&self, transaction: &mut StoreTransaction, writes: &[StoredWrite]) -> Result<bool, StoreError> {
        let now_ms = self.clock.now_ms();
        let rows: Vec<_> = writes
            .iter()
            .map(|write| write.response.row(write.account, now_ms, now_ms.saturating_add(RETENTION_MS)))
            .collect();
        let numbers = sql::insert(transaction, &rows).await?;
        if numbers.len() < rows.len() {
            return Ok(false);
        }
        // Of several rows with one item the last has it.
        let mut items = BTreeMap::new();
        for write in writes {
            let account = write.account.0;
            let Some(seq) = numbers.get(&(account, write.response.id().to_owned())) else { return Ok(false) };
            items.extend(write.response.items().map(|id| ((account, id), *seq)));
        }
        let items: Vec<(i64, &str, i64)> = items.into_iter().map(|((account, id), seq)| (account, id, seq)).collect();
        if !items.is_empty() {
            sql::index(transaction, &items).await?;
        }
        Ok(true)
    }

    /// Deletes the oldest responses of those accounts that have more than their quota.
    async fn trim_all(&self, writes: &[StoredWrite], counted: &BTreeMap<i64, i64>) {
        let quotas: BTreeMap<i64, (i64, &str)> =
            writes.iter().map(|write| (write.account.0, (write.quota, write.response.id()))).collect();
        for (account, (quota, newest)) in quotas {
            if counted.get(&account).is_none_or(|bytes| *bytes <= quota) {
                continue;
            }
            if let Err(error) = in_time(self.trim(account, newest, quota)).await {
                // The responses are stored, and the next one goes on with the deletion.
                let error = &*error as &dyn std::error::Error;
                tracing::warn!(account, error, "old responses were left for later");
            }
        }
    }

    async fn trim(&self, account: i64, newest: &str, quota: i64) -> Result<(), StoreError> {
        loop {
            let mut transaction = self.database.begin().await?;
            let counted = sql::lock(&mut transaction, &BTreeSet::from([account])).await?;
            let above = counted.get(&account).copied().unwrap_or_default() - quota;
            if above <= 0 {
                return Ok(());
            }
            let rows = sql::oldest(&mut transaction, account, newest, above, DROP_ROWS).await?;
            if rows.is_empty() {
                return Ok(());
            }
            sql::forget(&mut transaction, &rows).await?;
            sql::prune(&mut transaction, rows).await?;
            transaction.commit().await.map_err(StoreError::commit("a deletion"))?;
        }
    }

    async fn forget(&self, account: AccountId, id: &str) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin().await?;
        sql::lock(&mut transaction, &BTreeSet::from([account.0])).await?;
        let Some(row) = sql::forget_id(&mut transaction, account, id, self.clock.now_ms()).await? else {
            return Ok(false);
        };
        sql::prune(&mut transaction, BTreeSet::from([row])).await?;
        transaction.commit().await.map_err(StoreError::commit("a deletion"))?;
        Ok(true)
    }

    async fn expire(&self, rows: &[RowExpiry]) -> Result<usize, StoreError> {
        let mut transaction = self.database.begin().await?;
        sql::lock(&mut transaction, &rows.iter().map(|row| row.account).collect()).await?;
        let rows: BTreeSet<i64> = rows.iter().map(|row| row.seq).collect();
        sql::forget(&mut transaction, &rows).await?;
        let deleted = sql::prune(&mut transaction, rows).await?;
        transaction.commit().await.map_err(StoreError::commit("a sweep of responses"))?;
        Ok(deleted)
    }
}

async fn in_time<T>(work: impl Future<Output = Result<T, StoreError>>) -> WriteResult<T> {
    timeout(TRANSACTION_PATIENCE, Box::pin(work)).await.unwrap_or(Err(StoreError::Silent)).map_err(Arc::new)
}
