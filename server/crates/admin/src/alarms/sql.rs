//! The statements about alarms.

use tollgate_store::{DatabaseRow, ReadPool, StoreError, StoreTransaction, query};
use tollgate_telemetry::{AlarmIdentity, AlarmRings};

macro_rules! columns {
    () => {
        "id, alarm, subject, message, fields, node, occurrences, first_at, last_at, acknowledged_at, acknowledged_by"
    };
}

const PUT: &str = "INSERT INTO alarms (alarm, subject, message, fields, node, occurrences, first_at, last_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (alarm, subject, message) WHERE acknowledged_at IS NULL \
    DO UPDATE SET fields = CASE WHEN excluded.last_at >= alarms.last_at THEN excluded.fields ELSE alarms.fields END, \
        node = CASE WHEN excluded.last_at >= alarms.last_at THEN excluded.node ELSE alarms.node END, \
        occurrences = alarms.occurrences + excluded.occurrences, \
        first_at = CASE WHEN excluded.first_at < alarms.first_at THEN excluded.first_at ELSE alarms.first_at END, \
        last_at = CASE WHEN excluded.last_at > alarms.last_at THEN excluded.last_at ELSE alarms.last_at END";
const LIST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM alarms WHERE (last_at, id) < ($1, $2) AND ($3 = '' OR alarm = $3) \
        AND ($4 = '' OR ($4 = 'open') = (acknowledged_at IS NULL)) ORDER BY last_at DESC, id DESC LIMIT $5"
);
const FIND: &str = concat!("SELECT ", columns!(), " FROM alarms WHERE id = $1");
const ACKNOWLEDGE: &str = "UPDATE alarms SET acknowledged_at = $2, acknowledged_by = $3 WHERE id = $1 AND acknowledged_at IS NULL AND occurrences <= $4";
const OPEN: &str = "SELECT count(*) FROM alarms WHERE acknowledged_at IS NULL";

/// An alarm as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeptAlarm {
    pub(super) id: i64,
    pub(super) identity: AlarmIdentity,
    /// JSON.
    pub(super) fields: String,
    pub(super) node: String,
    pub(super) occurrences: i64,
    pub(super) first_at_ms: i64,
    pub(super) last_at_ms: i64,
    pub(super) acknowledged: Option<(i64, String)>,
}

/// The alarms that a list shows. Empty texts leave all through.
#[derive(Debug)]
pub(super) struct AlarmFilter<'a> {
    /// The time of the last ring and the number of the alarm that the page comes after.
    pub(super) before: (i64, i64),
    pub(super) alarm: &'a str,
    pub(super) state: &'static str,
    pub(super) limit: i64,
}

/// Adds the times that an alarm rang to the open one of its identity, or begins one.
pub(super) async fn put(
    transaction: &mut StoreTransaction,
    identity: &AlarmIdentity,
    rings: &AlarmRings,
    node: &str,
) -> Result<(), StoreError> {
    let AlarmIdentity { alarm, subject, message } = identity;
    let AlarmRings { count, first_ms, last_ms, fields } = rings;
    let fields = serde_json::Value::Object(fields.clone()).to_string();
    let put = query(PUT).bind(alarm).bind(subject).bind(message).bind(&fields).bind(node);
    let put = put.bind(*count).bind(*first_ms).bind(*last_ms).execute(transaction).await;
    put.map(drop).map_err(StoreError::write("an alarm"))
}

pub(super) async fn list(readers: &ReadPool, filter: &AlarmFilter<'_>) -> Result<Vec<KeptAlarm>, StoreError> {
    let AlarmFilter { before: (at, id), alarm, state, limit } = filter;
    let rows = query(LIST).bind(*at).bind(*id).bind(*alarm).bind(*state).bind(*limit);
    rows.fetch_all(readers).await.map_err(reading)?.iter().map(|row| kept(row).map_err(reading)).collect()
}

pub(super) async fn find(transaction: &mut StoreTransaction, id: i64) -> Result<Option<KeptAlarm>, StoreError> {
    let row = query(FIND).bind(id).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(|row| kept(row).map_err(reading)).transpose()
}

/// Acknowledges an alarm that is open and has rung at most so often. Answers whether it was.
pub(super) async fn acknowledge(
    transaction: &mut StoreTransaction,
    (id, occurrences): (i64, i64),
    now_ms: i64,
    by: &str,
) -> Result<bool, StoreError> {
    let done = query(ACKNOWLEDGE).bind(id).bind(now_ms).bind(by).bind(occurrences).execute(transaction).await;
    done.map(|rows| rows == 1).map_err(StoreError::write("the acknowledgement of an alarm"))
}

/// The number of alarms that nobody has acknowledged.
pub(crate) async fn open_count(readers: &ReadPool) -> Result<i64, StoreError> {
    let row = query(OPEN).fetch_one(readers).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

fn kept(row: &DatabaseRow) -> Result<KeptAlarm, sqlx::Error> {
    let acknowledged_at: Option<i64> = row.try_get(9)?;
    let by: Option<String> = row.try_get(10)?;
    Ok(KeptAlarm {
        id: row.try_get(0)?,
        identity: AlarmIdentity { alarm: row.try_get(1)?, subject: row.try_get(2)?, message: row.try_get(3)? },
        fields: row.try_get(4)?,
        node: row.try_get(5)?,
        occurrences: row.try_get(6)?,
        first_at_ms: row.try_get(7)?,
        last_at_ms: row.try_get(8)?,
        acknowledged: acknowledged_at.zip(by),
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "alarms", source: source.into() }
}
