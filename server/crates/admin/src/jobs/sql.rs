//! The statements about jobs.

use super::job::{AskedJob, JobOutcome, KeptJob};
use tollgate_api::generated::types::JobKind;
use tollgate_store::{DatabaseRow, ReadPool, StatementTarget, Store, StoreError, StoreTransaction, query};

macro_rules! jobs {
    ($of:literal) => {
        concat!(
            "SELECT j.id, j.kind, CASE WHEN j.state = 'running' AND n.state = 'gone' THEN 'lost' ELSE j.state END, j.month, n.name, \
            j.started_at, j.started_by, j.ended_at, j.clean, j.report, j.file, j.sha256 \
            FROM ledger_jobs j JOIN nodes n ON n.epoch = j.epoch WHERE ",
            $of
        )
    };
}

const LIST: &str = jobs!("j.id < $1 AND ($2 = '' OR j.kind = $2) ORDER BY j.id DESC LIMIT $3");
const FIND: &str = jobs!("j.id = $1");
const UNDER_WAY: &str = "SELECT j.id FROM ledger_jobs j JOIN nodes n ON n.epoch = j.epoch \
    WHERE (j.kind = $1 OR ($1 <> 'reconciliation' AND j.kind <> 'reconciliation')) AND j.state = 'running' AND n.state = 'up' \
    ORDER BY j.id LIMIT 1";
const INSERT: &str = "INSERT INTO ledger_jobs (kind, state, month, epoch, started_at, started_by) \
    VALUES ($1, 'running', $2, $3, $4, $5) RETURNING id";
const RIGHT_BACKUPS: &str = "SELECT file FROM ledger_jobs WHERE kind = 'backup' AND state = 'done' AND clean = 1 \
    AND file IS NOT NULL ORDER BY id DESC LIMIT $1";
const END: &str =
    "UPDATE ledger_jobs SET state = $2, ended_at = $3, clean = $4, report = $5, file = $6, sha256 = $7 WHERE id = $1";

/// The most backups that are looked for at once: one a day for decades.
const BACKUPS_MAX: i64 = 10_000;

/// The jobs before a number, the newest first; of one kind where one is named.
pub(super) async fn list(
    readers: &ReadPool,
    before: i64,
    kind: Option<JobKind>,
    limit: i64,
) -> Result<Vec<KeptJob>, StoreError> {
    let rows = query(LIST).bind(before).bind(kind.as_ref().map(JobKind::as_str).unwrap_or_default()).bind(limit);
    rows.fetch_all(readers).await.map_err(reading)?.iter().map(kept).collect()
}

pub(super) async fn find<'t>(target: impl Into<StatementTarget<'t>>, id: i64) -> Result<Option<KeptJob>, StoreError> {
    query(FIND).bind(id).fetch_optional(target).await.map_err(reading)?.as_ref().map(kept).transpose()
}

/// The job beside which one of this kind cannot be done, at a server which is up.
pub(super) async fn under_way(transaction: &mut StoreTransaction, kind: JobKind) -> Result<Option<i64>, StoreError> {
    let row = query(UNDER_WAY).bind(kind.as_str()).fetch_optional(transaction).await.map_err(reading)?;
    row.map(|row| row.try_get(0).map_err(reading)).transpose()
}

/// The files of backups that were right, the newest first, whether they are still there or not.
pub(super) async fn right_backups(readers: &ReadPool) -> Result<Vec<String>, StoreError> {
    let rows = query(RIGHT_BACKUPS).bind(BACKUPS_MAX).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0).map_err(reading)).collect()
}

pub(super) async fn insert(
    transaction: &mut StoreTransaction,
    asked: AskedJob,
    epoch: i64,
    now_ms: i64,
    by: &str,
) -> Result<i64, StoreError> {
    let month = asked.month().map(|month| month.to_string());
    let insert = query(INSERT).bind(asked.kind().as_str()).bind(month.as_deref()).bind(epoch).bind(now_ms).bind(by);
    let row = insert.fetch_one(transaction).await.map_err(StoreError::write("a job"))?;
    row.try_get(0).map_err(reading)
}

/// Writes down the outcome of a job.
pub(super) async fn end(
    store: &Store,
    id: i64,
    now_ms: i64,
    outcome: &Result<JobOutcome, String>,
) -> Result<(), StoreError> {
    let mut transaction = store.begin().await?;
    let end = query(END).bind(id);
    let end = match outcome {
        Ok(JobOutcome { clean, report, file, sha256 }) => {
            let end = end.bind("done").bind(now_ms).bind(Some(i64::from(*clean))).bind(report);
            end.bind(file.as_deref()).bind(sha256.as_deref())
        }
        Err(error) => {
            end.bind("failed").bind(now_ms).bind(None::<i64>).bind(error).bind(None::<&str>).bind(None::<&str>)
        }
    };
    end.execute(&mut transaction).await.map_err(StoreError::write("the end of a job"))?;
    transaction.commit().await.map_err(StoreError::commit("the end of a job"))
}

fn kept(row: &DatabaseRow) -> Result<KeptJob, StoreError> {
    let text = |index| row.try_get::<&str>(index).map_err(reading);
    Ok(KeptJob {
        id: row.try_get(0).map_err(reading)?,
        kind: StoreError::parsed(text(1)?, "a kind of job", |text| text.parse().ok())?,
        state: StoreError::parsed(text(2)?, "a job's state", |text| text.parse().ok())?,
        month: row.try_get(3).map_err(reading)?,
        node: row.try_get(4).map_err(reading)?,
        started_at_ms: row.try_get(5).map_err(reading)?,
        started_by: row.try_get(6).map_err(reading)?,
        ended_at_ms: row.try_get(7).map_err(reading)?,
        clean: row.try_get::<Option<i64>>(8).map_err(reading)?.map(|clean| clean == 1),
        report: row.try_get(9).map_err(reading)?,
        file: row.try_get(10).map_err(reading)?,
        sha256: row.try_get(11).map_err(reading)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "jobs", source: source.into() }
}
