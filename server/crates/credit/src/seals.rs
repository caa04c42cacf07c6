//! A chain of hashes over what moved money and who did what by hand, written off the path of requests.
//!
//! The database refuses to alter such rows. Whoever owns it can take its rules away, alter a row, and put them back: the chain
//! tells, and where he makes all of it anew, a hash that was told elsewhere does. It is told once a day, in the audit log and
//! in the server's log. Of several servers one seals, the one that has been up for the longest: who seals keeps writers waiting for
//! a moment. Another one does where it does not.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::commit::{Step, commit};
use super::ledger_seal::{SealBounds, SealHash};
use super::sql::{ArchivedReceipts, HashedRows, SealedRowReader, SealedRows};
use super::{BudgetPeriod, Ledger, LedgerSeal, LedgerStore, LedgerStoreError, sql};
use tollgate_base::rfc3339;
use tollgate_store::{AuditEntry, StoreError, record};

const SEAL_EVERY: Duration = Duration::from_secs(10);
/// Rows that have waited for so long are sealed by any server.
const ANYBODYS_MS: i64 = 60_000;
/// Rows that have waited for so long are for somebody to look at, and again each hour.
const ALARM_MS: i64 = 600_000;
const ALARM_AGAIN: Duration = Duration::from_secs(3_600);
/// The most rows of each kind that one seal covers. So many are in memory when it is made or checked.
const ROWS_MAX: i64 = 5_000;
/// The number of seals that are read together.
const PAGE: i64 = 100;

/// The result of checking the whole chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealReport {
    /// The number of seals.
    pub seals: i64,
    /// The number of rows that they cover.
    pub rows: i64,
    /// Rows that have come since and are not sealed yet; at most so many as are looked at.
    pub unsealed: i64,
    /// The last seal.
    pub head: Option<LedgerSeal>,
    /// The first seal that does not fit the rows that it covers.
    pub broken: Option<i64>,
    /// The number of the seal with the hash that was asked for, if any has it.
    pub told: Option<i64>,
}

impl fmt::Display for SealReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seals, rows, unsealed, head, broken, told: _ } = self;
        writeln!(f, "{seals} seals over {rows} rows; {unsealed} rows are not sealed yet")?;
        if let Some(head) = head {
            writeln!(f, "the last is {} of {}: {}", head.number, rfc3339(head.created_at_ms), head.to_hex())?;
        }
        match broken {
            Some(number) => write!(f, "DIFFERENCE: seal {number} does not fit the rows that it covers"),
            None => f.write_str("every seal fits its rows"),
        }
    }
}

impl LedgerStore {
    /// Seals what has come since the last seal, and answers the last seal that was made; `None` where there was nothing new, or
    /// another server was faster.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn seal(&self) -> Result<Option<LedgerSeal>, LedgerStoreError> {
        let mut made = None;
        let rows = SealedRowReader::open(&self.store)?;
        loop {
            let last = sql::last_seal(self.store.readers()).await?;
            let mut transaction = self.store.begin().await?;
            let bounds = sql::seal_bounds(&mut transaction).await?;
            // Nothing was written: the lock was what it was for.
            transaction.rollback().await.map_err(StoreError::read("the seals"))?;
            let Some(bounds) = bounds else { return Ok(made) };
            let Some(seal) = self.next(&rows, last.as_ref(), bounds).await? else { return Ok(made) };
            let mut transaction = self.store.begin().await?;
            if !sql::insert_seal(&mut transaction, &seal).await? {
                return Ok(made);
            }
            commit(transaction, Step::Seal, "a seal").await?;
            made = Some(seal);
        }
    }

    /// The seal that follows another, over rows up to `bounds` or so many as one covers.
    async fn next(
        &self,
        rows: &SealedRowReader,
        last: Option<&LedgerSeal>,
        bounds: SealBounds,
    ) -> Result<Option<LedgerSeal>, StoreError> {
        let number = last.map_or(1, |last| last.number + 1);
        let after = last.map_or(SealBounds::NOTHING, |last| last.upto);
        let covered = SealCoverage::read(rows, after, bounds, ROWS_MAX).await?;
        let hashed = [covered.transfers.0, covered.receipts.0, covered.audit.0];
        let rows = hashed.iter().map(|hashed| hashed.rows).sum();
        if rows == 0 {
            return Ok(None);
        }
        let upto = |hashed: HashedRows, bound: i64, after: i64| match hashed.rows {
            ROWS_MAX => hashed.last,
            // A number that nobody has is passed over: nobody may take it later.
            _ => bound.max(after),
        };
        let upto = SealBounds {
            transfers: upto(covered.transfers.0, bounds.transfers, after.transfers),
            receipts: upto(covered.receipts.0, bounds.receipts, after.receipts),
            audit: upto(covered.audit.0, bounds.audit, after.audit),
        };
        let receipts_hash = covered.receipts.1;
        let hash = chained(last, number, upto, [covered.transfers.1, receipts_hash, covered.audit.1]);
        Ok(Some(LedgerSeal { number, upto, rows, receipts_hash, hash, created_at_ms: self.clock.now_ms() }))
    }

    /// Makes every seal again from the rows that it covers, and looks for the one whose hash is `told`.
    ///
    /// # Errors
    /// When the store fails. A chain that is broken is no error but what is reported.
    pub async fn verify_seals(&self, told: Option<&str>) -> Result<SealReport, LedgerStoreError> {
        loop {
            let archived = sql::archived_receipts(self.store.readers()).await?;
            let report = self.verify_chain(told, archived).await?;
            let Some(seal) = report.broken else { return Ok(report) };
            // A month that was archived meanwhile is missing where it was looked for.
            if sql::archived_receipts(self.store.readers()).await? == archived {
                tracing::error!(target: "alarm", alarm = "audit", seal, "the chain of seals is broken");
                return Ok(report);
            }
        }
    }

    /// Checks the chain, of which so many receipts are away.
    async fn verify_chain(
        &self,
        told: Option<&str>,
        archived: ArchivedReceipts,
    ) -> Result<SealReport, LedgerStoreError> {
        let mut report = SealReport { seals: 0, rows: 0, unsealed: 0, head: None, broken: None, told: None };
        let (mut missing, mut first_missing) = (0, None);
        let readers = self.store.readers();
        let rows = SealedRowReader::open(&self.store)?;
        loop {
            let after = report.head.as_ref().map_or(0, |head| head.number);
            let page = sql::seals_after(readers, after, PAGE).await?;
            if page.is_empty() {
                break;
            }
            for seal in page {
                let before = report.head.as_ref();
                let away = missing_receipts(&rows, before, &seal, archived).await?;
                match away.filter(|_| seal.number == report.seals + 1) {
                    Some(0) => {}
                    Some(away) => {
                        missing += away;
                        first_missing = first_missing.or(Some(seal.number));
                    }
                    None => report.broken = report.broken.or(Some(seal.number)),
                }
                report.seals += 1;
                report.rows += seal.rows;
                if told.is_some_and(|told| seal.to_hex() == told.to_ascii_lowercase()) {
                    report.told = Some(seal.number);
                }
                report.head = Some(seal);
            }
        }
        let after = report.head.as_ref().map_or(SealBounds::NOTHING, |head| head.upto);
        let all = SealBounds { transfers: i64::MAX, receipts: i64::MAX, audit: i64::MAX };
        let rest = SealCoverage::read(&rows, after, all, ROWS_MAX).await?;
        report.unsealed = rest.transfers.0.rows + rest.receipts.0.rows + rest.audit.0.rows;
        // As many are away as archived months had.
        if missing != archived.count {
            let head = report.head.as_ref().map(|head| head.number);
            report.broken = report.broken.or(first_missing).or(head);
        }
        Ok(report)
    }

    /// Tells the head of the chain where it can be found again.
    async fn record_head(&self, seal: &LedgerSeal) -> Result<(), StoreError> {
        let (subject, detail) = (seal.number.to_string(), seal.to_hex());
        let mut transaction = self.store.begin().await?;
        let at_ms = self.clock.now_ms();
        let entry = AuditEntry::new(at_ms, "server", "seal.head", &subject).detail(&detail);
        record(&mut transaction, &entry).await?;
        commit(transaction, Step::TellSeal, "the head of the seals").await?;
        tracing::info!(number = seal.number, hash = detail, made = rfc3339(seal.created_at_ms), "the ledger is sealed");
        Ok(())
    }
}

impl Ledger {
    /// Seals what comes, until it is dropped.
    pub async fn seal_for_ever(&self) {
        let mut ticks = interval(SEAL_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut told_on, mut alarm) = (None, UnsealedAlarm::default());
        loop {
            ticks.tick().await;
            let sealed = self.seal_in_turn().await;
            self.report_unsealed(&mut alarm).await;
            let sealed = match sealed {
                Ok(sealed) => sealed,
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "the ledger could not be sealed");
                    continue;
                }
            };
            let today = BudgetPeriod::Day.starts_at_ms(self.books.clock.now_ms());
            let Some(seal) = sealed.filter(|_| told_on != Some(today)) else { continue };
            match self.record_head(&seal).await {
                Ok(()) => told_on = Some(today),
                Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "a seal could not be told"),
            }
        }
    }

    /// Seals what has come, where it is this server's turn, or where whoever has the turn does not.
    pub(super) async fn seal_in_turn(&self) -> Result<Option<LedgerSeal>, LedgerStoreError> {
        if self.is_first_up().await? || self.books.unsealed_ms().await? >= ANYBODYS_MS {
            self.seal().await
        } else {
            Ok(None)
        }
    }

    /// True if this server has been up for the longest of those that are. It carries out the tasks of one server alone.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_first_up(&self) -> Result<bool, StoreError> {
        Ok(sql::sealing_start(self.books.store.readers()).await? == self.epoch)
    }

    /// Shows for how long rows have waited for their seal, and says so where that is too long.
    async fn report_unsealed(&self, alarm: &mut UnsealedAlarm) {
        let unsealed_ms = match self.books.unsealed_ms().await {
            Ok(unsealed_ms) => unsealed_ms,
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "what is unsealed cannot be looked up");
                return;
            }
        };
        let seconds = u64::try_from(unsealed_ms / 1_000).unwrap_or_default();
        self.stats.unsealed_seconds.store(seconds, Ordering::Relaxed);
        if alarm.is_due(unsealed_ms, Instant::now()) {
            tracing::error!(
                target: "alarm", alarm = "unsealed", seconds,
                "nothing has been sealed for ten minutes: what moved money since could be altered unseen. Look at the warnings \
                 before this line, and for sessions of the database that write without an end"
            );
        }
    }
}

impl LedgerStore {
    /// The milliseconds for which the oldest row without a seal has waited; zero where each has one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn unsealed_ms(&self) -> Result<i64, LedgerStoreError> {
        let readers = self.store.readers();
        let after = sql::last_seal(readers).await?.map_or(SealBounds::NOTHING, |last| last.upto);
        let oldest = sql::oldest_unsealed(readers, after).await?;
        Ok(oldest.map_or(0, |oldest| self.clock.now_ms().saturating_sub(oldest).max(0)))
    }
}

/// The timer of the alarm about rows without a seal.
#[derive(Debug, Default)]
struct UnsealedAlarm {
    /// Absent where it has not rung since rows last were sealed in time.
    rings_at: Option<Instant>,
}

impl UnsealedAlarm {
    fn is_due(&mut self, unsealed_ms: i64, now: Instant) -> bool {
        if unsealed_ms < ALARM_MS {
            self.rings_at = None;
            return false;
        }
        let is_due = self.rings_at.is_none_or(|rings_at| rings_at <= now);
        if is_due {
            self.rings_at = Some(now + ALARM_AGAIN);
        }
        is_due
    }
}

/// The number and the hash of the rows of each table between two bounds.
struct SealCoverage {
    transfers: (HashedRows, SealHash),
    receipts: (HashedRows, SealHash),
    audit: (HashedRows, SealHash),
}

impl SealCoverage {
    /// Hashes what is between two bounds, table by table.
    async fn read(rows: &SealedRowReader, after: SealBounds, upto: SealBounds, most: i64) -> Result<Self, StoreError> {
        Ok(Self {
            transfers: rows.hash(SealedRows::Transfers, (after.transfers, upto.transfers), most).await?,
            receipts: rows.hash(SealedRows::Receipts, (after.receipts, upto.receipts), most).await?,
            audit: rows.hash(SealedRows::Audit, (after.audit, upto.audit), most).await?,
        })
    }
}

/// The number of receipts of a seal that are away; `None` where it is not the seal that its rows make. Where some of its receipts are
/// archived, their hash is taken as it was made.
async fn missing_receipts(
    reader: &SealedRowReader,
    before: Option<&LedgerSeal>,
    seal: &LedgerSeal,
    archived: ArchivedReceipts,
) -> Result<Option<i64>, StoreError> {
    let after = before.map_or(SealBounds::NOTHING, |before| before.upto);
    // One more than it can have covered: a row that was put in shows.
    let covered = SealCoverage::read(reader, after, seal.upto, ROWS_MAX + 1).await?;
    let rows = covered.transfers.0.rows + covered.receipts.0.rows + covered.audit.0.rows;
    // Of receipts that are archived by now, fewer are left.
    let is_partly_away = archived.count > 0 && after.receipts < archived.upto && rows < seal.rows;
    let receipts = if is_partly_away { seal.receipts_hash } else { covered.receipts.1 };
    let hash = chained(before, seal.number, seal.upto, [covered.transfers.1, receipts, covered.audit.1]);
    let fits = receipts == seal.receipts_hash && hash == seal.hash && (is_partly_away || rows == seal.rows);
    Ok(fits.then_some(seal.rows - rows))
}

/// Each seal begins with the one before.
fn chained(last: Option<&LedgerSeal>, number: i64, upto: SealBounds, covered: [SealHash; 3]) -> SealHash {
    let mut hash = Sha256::new();
    hash.update(last.map_or([0; 32], |last| last.hash));
    let numbers = [number, upto.transfers, upto.receipts, upto.audit];
    numbers.iter().for_each(|number| hash.update(number.to_le_bytes()));
    covered.iter().for_each(|rows| hash.update(rows));
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_rings_after_ten_minutes_and_again_each_hour() {
        let (start, mut alarm) = (Instant::now(), UnsealedAlarm::default());
        let mut at = |seconds, unsealed_ms| alarm.is_due(unsealed_ms, start + Duration::from_secs(seconds));
        assert_eq!([at(0, 599_999), at(10, 600_000), at(20, 610_000)], [false, true, false]);
        assert_eq!([at(3_609, 4_200_000), at(3_610, 4_200_000)], [false, true]);
        // It begins anew where rows were sealed meanwhile.
        assert_eq!([at(3_620, 0), at(3_630, 600_000)], [false, true]);
    }
}
