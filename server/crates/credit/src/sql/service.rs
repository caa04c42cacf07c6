//! Reads for operators, over all accounts.

use super::sums;
use super::terms::summed;
use crate::service_rows::{OpenHold, ServerStart, ServiceUsage, ServiceUsageQuery};
use tollgate_base::{AccountId, HoldId, KeyId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, StoreError, query};

/// A column that rows are not grouped by is NULL in all of them, and so is the key. The account is the last column.
const USAGE: &str = concat!(
    "SELECT CASE WHEN $3 = 1 THEN day END, CAST(NULL AS BIGINT), CASE WHEN $5 = 1 THEN model END, ",
    summed!(),
    ", CASE WHEN $4 = 1 THEN account_id END FROM usage_days \
    WHERE day >= $1 AND day < $2 GROUP BY 1, 18, 3 ORDER BY 1, 18, 3 LIMIT $6"
);
const HOLDS: &str = "SELECT h.id, h.account_id, h.key_id, h.request_id, h.model, h.amount, n.name, h.kept, h.created_at, h.expires_at \
    FROM holds h LEFT JOIN nodes n ON n.epoch = h.epoch WHERE h.id > $1 AND ($2 = 0 OR h.account_id = $2) ORDER BY h.id LIMIT $3";
/// Those that are up first, then the latest.
const SERVERS: &str = "SELECT epoch, name, state, started_at, seen_at FROM nodes \
    ORDER BY CASE state WHEN 'up' THEN 0 ELSE 1 END, started_at DESC, epoch DESC LIMIT $1";

/// Sums over the requests of all accounts.
pub(crate) async fn service_usage(readers: &ReadPool, ask: ServiceUsageQuery) -> Result<Vec<ServiceUsage>, StoreError> {
    let flag = |is_grouped: bool| i64::from(is_grouped);
    let asked = query(USAGE).bind(ask.from.number()).bind(ask.to.number());
    let asked = asked.bind(flag(ask.by_day)).bind(flag(ask.by_account)).bind(flag(ask.by_model));
    let rows = asked.bind(i64::from(ask.rows_max) + 1).fetch_all(readers).await.map_err(usage_failed)?;
    let mut usage: Vec<ServiceUsage> = rows.iter().map(usage_row).collect::<Result<_, StoreError>>()?;
    usage.sort_by(|one, other| place(one).cmp(&place(other)));
    Ok(usage)
}

/// The place of a row, whose model the database sorts by the rules of its language.
fn place(row: &ServiceUsage) -> impl Ord + '_ {
    (row.sums.day, row.account.map(|account| account.0), row.sums.model.as_deref())
}

/// Open holds behind a number, by their numbers; of one account where it is named.
pub(crate) async fn open_holds(
    readers: &ReadPool,
    after: HoldId,
    account: Option<AccountId>,
    limit: i64,
) -> Result<Vec<OpenHold>, StoreError> {
    let rows = query(HOLDS).bind(after.0).bind(account.map_or(0, |account| account.0)).bind(limit);
    let rows = rows.fetch_all(readers).await.map_err(holds_failed)?;
    rows.iter().map(|row| hold(row).map_err(holds_failed)).collect()
}

/// The latest starts of servers.
pub(crate) async fn server_starts(readers: &ReadPool, limit: i64) -> Result<Vec<ServerStart>, StoreError> {
    let failed = |source: sqlx::Error| StoreError::Read { what: "the servers", source: source.into() };
    let rows = query(SERVERS).bind(limit).fetch_all(readers).await.map_err(failed)?;
    let start = |row: &DatabaseRow| {
        Ok(ServerStart {
            epoch: row.try_get(0)?,
            name: row.try_get(1)?,
            is_up: row.try_get::<&str>(2)? == "up",
            started_at_ms: row.try_get(3)?,
            seen_at_ms: row.try_get(4)?,
        })
    };
    rows.iter().map(|row| start(row).map_err(failed)).collect()
}

fn usage_row(row: &DatabaseRow) -> Result<ServiceUsage, StoreError> {
    let account = row.try_get::<Option<i64>>(17).map_err(usage_failed)?.map(AccountId);
    Ok(ServiceUsage { account, sums: sums::row(row)? })
}

fn hold(row: &DatabaseRow) -> Result<OpenHold, sqlx::Error> {
    Ok(OpenHold {
        id: HoldId(row.try_get(0)?),
        account: AccountId(row.try_get(1)?),
        key: KeyId(row.try_get(2)?),
        request_id: row.try_get(3)?,
        model: row.try_get(4)?,
        held: Usd::from_nanos(row.try_get(5)?),
        server: row.try_get(6)?,
        is_durable: row.try_get::<i64>(7)? == 1,
        created_at_ms: row.try_get(8)?,
        expires_at_ms: row.try_get(9)?,
    })
}

fn usage_failed(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "usage", source: source.into() }
}

fn holds_failed(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "open holds", source: source.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::raw;
    use tollgate_base::Clock;
    use tollgate_store::testing::temporary_on_server;

    /// The overview asks for 30 days, out of as many years as there are. On a file the primary key has the day first.
    #[tokio::test]
    async fn sums_of_a_month_read_the_days_of_that_month() {
        let (clock, _hand) = Clock::manual(1);
        let (_folder, _config, store) = temporary_on_server(&clock).await;
        let years = "INSERT INTO accounts (id, name, state, created_at) \
                SELECT 5000000000 + n, 'account ' || n, 'active', 1 FROM generate_series(0, 19) n; \
            INSERT INTO usage_days SELECT 5000000000 + n % 20, 20000 + n / 20, 1, 'm', 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0 \
                FROM generate_series(0, 19999) n; ANALYZE usage_days";
        raw::run(&store, years).await.unwrap();
        let asked = (1..).zip(["20900", "20930", "1", "0", "1", "1000"]);
        let asked = asked.fold(USAGE.to_owned(), |sql, (at, value)| sql.replace(&format!("${at}"), value));
        let plan = raw::texts(&store, &format!("EXPLAIN {asked}")).await.join("\n");
        assert!(plan.contains("usage_days_by_day") && !plan.contains("Seq Scan"), "{plan}");
    }
}
