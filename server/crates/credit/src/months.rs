//! Receipts are partitioned by month on a database server: partitions are made ahead, and months that are over can be archived: put
//! into a file and taken out of the ledger.
//!
//! Archiving a month lets nothing happen a second time: payments, orders, grants and open holds are unique in tables that are not
//! partitioned, and a hold has one receipt because writing it deletes the hold. An Idempotency-Key has a day, which is over before
//! its month can be archived. What the receipts of an archived month came to is carried forward, so that an audit still adds up.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use data_encoding::HEXLOWER;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::commit::{Step, commit};
use super::ledger_seal::LedgerSeal;
use super::sql::{self, MonthCount};
use super::{Ledger, LedgerStore, LedgerStoreError};
use tollgate_base::{YearMonth, rfc3339};
use tollgate_store::{ArchiveFile, AuditEntry, ReadPool, StoreError, WholeArchive, record};

/// Partitions are made for the month that is under way and so many after it.
const MONTHS_AHEAD: usize = 2;
const LOOK_EVERY: Duration = Duration::from_secs(3_600);
/// A month stays for so long after its end: servers whose clocks are behind may still write to it.
const STAYS_MS: i64 = 24 * 3_600_000;
/// The number of bounded waits for the lock of the receipts, before they are reported as in use.
const LOCK_TRIES: usize = 60;
const LOCK_PAUSE: Duration = Duration::from_millis(500);
/// The number of times that new rows are sealed, before they are reported as always growing.
const SEAL_TRIES: usize = 20;

/// A month that was archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedMonth {
    /// The number of receipts in the file.
    pub receipts: i64,
    /// The SHA-256 of the CSV in it, before it is compressed, in hexadecimal digits.
    pub sha256: String,
    /// The number of the last seal, and its hash: all receipts of the month are covered by the chain up to it.
    pub seal: (i64, String),
    /// The table that the receipts are still in, which is no part of the ledger any more; absent where it was dropped.
    pub table: Option<String>,
}

/// The reason that a month was not archived. Nothing of the ledger was changed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveRefused {
    /// Months are of a database server.
    #[error("a ledger in a file keeps all of its months: only one on PostgreSQL has months that can be archived")]
    OnFile,
    /// It is not over for long enough.
    #[error("{month} can be archived from {} on, a day after its end", rfc3339(*.from_ms))]
    NotOver {
        /// The month.
        month: YearMonth,
        /// Unix time in milliseconds.
        from_ms: i64,
    },
    /// It was archived before.
    #[error("{0} is archived already")]
    Twice(YearMonth),
    /// Months go in their order.
    #[error("receipts of {0} are still in the ledger: archive the months in their order")]
    Earlier(YearMonth),
    /// There is none.
    #[error("there are no receipts of {0}")]
    Empty(YearMonth),
    /// Somebody writes all the time.
    #[error("not all receipts of {0} are sealed yet, as somebody writes without a pause: try again")]
    Unsealed(YearMonth),
    /// Somebody reads or writes all the time.
    #[error("the receipts are in use, by an audit or a backup for example: try again when that is done")]
    InUse,
    /// A server whose clock is behind wrote to it meanwhile.
    #[error("receipts of {0} have just come, from a server whose clock is behind: set it right and try again")]
    Late(YearMonth),
    /// The file.
    #[error("failed to write {}", .path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The ledger.
    #[error(transparent)]
    Books(#[from] LedgerStoreError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Ledger {
    /// Makes the partitions of months that come, until it is dropped.
    pub async fn make_months_for_ever(&self) {
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.books.make_months().await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(
                    error,
                    "no partition was made for the receipts of a month: they go to the default one until there is"
                );
            }
        }
    }
}

impl LedgerStore {
    /// Makes the partitions of the month that is under way and of those after it. A file has none.
    ///
    /// # Errors
    /// When the store fails, or receipts were in use for too long.
    pub async fn make_months(&self) -> Result<(), StoreError> {
        if matches!(self.store.readers(), ReadPool::Sqlite(_)) {
            return Ok(());
        }
        let mut month = YearMonth::of_ms(self.clock.now_ms());
        for _ in 0..=MONTHS_AHEAD {
            self.make_month(month, false).await?;
            month = month.next();
        }
        Ok(())
    }

    async fn make_month(&self, month: YearMonth, is_for_archive: bool) -> Result<(), StoreError> {
        if sql::has_month(self.store.readers(), month).await? {
            return Ok(());
        }
        let mut transaction = self.store.begin_unordered().await?;
        sql::make_month(&mut transaction, month, is_for_archive).await?;
        commit(transaction, Step::MakeMonth, "the partition of a month of receipts").await
    }

    /// Puts the receipts of a month into a new file, as CSV compressed with gzip, and takes them out of the ledger. Servers go on
    /// meanwhile.
    ///
    /// # Errors
    /// When the month cannot be archived yet, the file cannot be written, or the store fails. Nothing is changed then, and no file
    /// is left.
    pub async fn archive(&self, month: YearMonth, file: &Path, drops: bool) -> Result<ArchivedMonth, ArchiveRefused> {
        self.archive_within(LOCK_TRIES, month, file, drops).await
    }

    /// Archives a month, with so many tries for the lock of the receipts.
    pub(super) async fn archive_within(
        &self,
        tries: usize,
        month: YearMonth,
        file: &Path,
        drops: bool,
    ) -> Result<ArchivedMonth, ArchiveRefused> {
        self.check_month(month).await?;
        self.make_month(month, true).await?;
        let seal = self.sealed(month).await?;
        let failed = |source| ArchiveRefused::File { path: file.to_owned(), source };
        let comment = format!("tollgate receipts of {month}, sealed by {} {}", seal.number, seal.to_hex());
        let mut csv = ArchiveFile::create(file, &comment).map_err(failed)?;
        let mut snapshot = self.store.readers().begin().await.map_err(StoreError::read("a month of receipts"))?;
        let count = sql::count_month(&mut snapshot, month).await?;
        if count.upto > seal.upto.receipts {
            return Err(ArchiveRefused::Unsealed(month));
        }
        sql::copy_month(&mut snapshot, month, |piece| csv.take(piece).map_err(failed)).await?;
        snapshot.rollback().await.map_err(StoreError::read("a month of receipts"))?;
        let whole = csv.finish().map_err(failed)?;
        let sha256 = HEXLOWER.encode(whole.sha256());
        self.detach(tries, month, count, drops, whole).await?;
        Ok(ArchivedMonth {
            receipts: count.receipts,
            sha256,
            seal: (seal.number, seal.to_hex()),
            table: (!drops).then(|| sql::archived(month)),
        })
    }

    /// The last seal, once it covers a month whole.
    async fn sealed(&self, month: YearMonth) -> Result<LedgerSeal, ArchiveRefused> {
        let readers = self.store.readers();
        let mut snapshot = readers.begin().await.map_err(StoreError::read("a month of receipts"))?;
        let count = sql::count_month(&mut snapshot, month).await?;
        let earlier = sql::earlier_month(&mut snapshot, month).await?;
        snapshot.rollback().await.map_err(StoreError::read("a month of receipts"))?;
        if let Some(earlier) = earlier {
            return Err(ArchiveRefused::Earlier(earlier));
        }
        if count.receipts == 0 {
            return Err(ArchiveRefused::Empty(month));
        }
        for _ in 0..SEAL_TRIES {
            let last = sql::last_seal(readers).await?;
            if let Some(seal) = last.filter(|seal| seal.upto.receipts >= count.upto) {
                return Ok(seal);
            }
            self.seal().await?;
        }
        Err(ArchiveRefused::Unsealed(month))
    }

    async fn check_month(&self, month: YearMonth) -> Result<(), ArchiveRefused> {
        let readers = self.store.readers();
        if matches!(readers, ReadPool::Sqlite(_)) {
            return Err(ArchiveRefused::OnFile);
        }
        let from_ms = month.ends_at_ms().saturating_add(STAYS_MS);
        if self.clock.now_ms() < from_ms {
            return Err(ArchiveRefused::NotOver { month, from_ms });
        }
        if sql::is_archived(readers, month).await? {
            return Err(ArchiveRefused::Twice(month));
        }
        Ok(())
    }

    /// Takes a month out that is in a file by now.
    async fn detach(
        &self,
        tries: usize,
        month: YearMonth,
        count: MonthCount,
        drops: bool,
        file: WholeArchive,
    ) -> Result<(), ArchiveRefused> {
        let now_ms = self.clock.now_ms();
        let mut transaction = self.store.begin_unordered().await?;
        sql::carry_month(&mut transaction, month, count, file.sha256(), now_ms).await?;
        let mut left = tries;
        while !sql::lock_receipts(&mut transaction, month).await? {
            left = left.checked_sub(1).ok_or(ArchiveRefused::InUse)?;
            sleep(LOCK_PAUSE).await;
        }
        if !sql::detach_month(&mut transaction, month, count, drops).await? {
            return Err(ArchiveRefused::Late(month));
        }
        let (subject, detail) = (month.to_string(), HEXLOWER.encode(file.sha256()));
        let entry = AuditEntry::new(now_ms, "operator", "ledger.archive", &subject).detail(&detail);
        record(&mut transaction, &entry).await?;
        let path = file.path().to_owned();
        file.keep().map_err(|source| ArchiveRefused::File { path: path.clone(), source })?;
        if let Err(error) = commit(transaction, Step::Archive, "a month that is archived").await {
            // Whether it was committed may be unknown, and the file is all that there is of the month if it was dropped.
            tracing::warn!(file = %path.display(), "the file stays: look whether the month is archived before you remove it");
            return Err(error.into());
        }
        Ok(())
    }
}
