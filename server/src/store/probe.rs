//! A write that changes nothing, to learn whether writes reach the disk.

use sqlx::{Row, SqliteConnection};

/// Writes the number of the file's program over itself: the page it stands on goes through the log and is synced with
/// the commit, as any other.
pub(super) async fn write(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let row = sqlx::query("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let number: i64 = row.try_get(0)?;
    let text = format!("PRAGMA application_id = {number}");
    sqlx::query(sqlx::AssertSqlSafe(text)).execute(connection).await.map(drop)
}
