//! A ledger that has been in use for a year: receipts, and beside them a log of changes and orders as long as such years make them.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tempfile::TempDir;

use super::visit::PRICE;
use crate::Failed;
use crate::ledger::house::{House, On};
use crate::ledger::years::load;

/// Lines of the log of changes, one in so many receipts.
const RECEIPTS_A_CHANGE: u64 = 5;
/// Orders, one in so many receipts.
const RECEIPTS_AN_ORDER: u64 = 10;

/// Keys of the one account, and the teams that they are of.
const KEYS: usize = 50;
const TEAMS: usize = 10;

/// A folder with a ledger, and what the parameters of pages may be there.
pub(super) struct FilledLedger {
    pub(super) folder: TempDir,
    pub(super) values: BTreeMap<&'static str, String>,
}

/// Lines of all kinds, the newest an hour old.
const CHANGES: &str = "INSERT INTO audit_log (at, actor, action, subject, detail, reason, value_before, value_after) \
    SELECT {now} - 3600000 - ({count} - n) * 100000, 'operator nr-' || (n % 7), \
        CASE n % 3 WHEN 0 THEN 'credit.grant' WHEN 1 THEN 'account.change' ELSE 'key.create' END, a.id, '10 USD', 'as agreed', \
        '{\"note\":\"before\"}', '{\"note\":\"after\"}' \
    FROM {numbers} s JOIN {places} a ON a.place = n % {accounts} ORDER BY n";
const ORDERS: &str = "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at) \
    SELECT 1000000 + n, 'load-' || n, a.id, 'ewallet', 5000000000, 'pending', {now} - ({count} - n) * 200000, \
        {now} - ({count} - n) * 200000 + 600000 \
    FROM {numbers} s JOIN {places} a ON a.place = n % {accounts} ORDER BY n; \
    UPDATE topup_order SET status = 'expired', rev = rev + 1";
const NUMBERS: &str =
    "(WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {count}) SELECT n FROM c)";

/// The accounts, each with a number from 0 on.
const PLACES: &str = "(SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM accounts)";

/// Receipts of so many accounts, and what operators look at beside them.
pub(super) async fn ledger(receipts: u64, accounts: usize) -> Result<FilledLedger, Failed> {
    let house = House::open(On::Sqlite, accounts).await?;
    load(&house, receipts).await?;
    let (now, payer) = (house.now_ms(), house.payers[0]);
    let folder = house.leave().await?;
    let request_id = beside(&folder, now, receipts, accounts).await?;
    let values = BTreeMap::from([
        ("account_id", payer.account.to_string()),
        ("order_id", "1000001".to_owned()),
        ("request_id", request_id),
        ("provider name", "bench".to_owned()),
        ("model name", "m".to_owned()),
        ("price name", PRICE.to_owned()),
    ]);
    Ok(FilledLedger { folder, values })
}

/// As many receipts of one account, by keys of its teams; somebody signs in to it by this password.
pub(super) async fn of_one(receipts: u64, password: &str) -> Result<FilledLedger, Failed> {
    let mut house = House::open(On::Sqlite, 1).await?;
    house.payers = house.keys(0, KEYS, TEAMS).await?;
    load(&house, receipts).await?;
    let (now, payer) = (house.now_ms(), house.payers[1]);
    house.set_password(payer, password).await?;
    let folder = house.leave().await?;
    let request_id = beside(&folder, now, receipts, 1).await?;
    let team_id = {
        let mut loader = SqliteConnectOptions::new().filename(folder.path().join("tollgate.db")).connect().await?;
        let team = sqlx::query_scalar("SELECT team_id FROM api_keys WHERE id = $1").bind(payer.key.0);
        let team: i64 = team.fetch_one(&mut loader).await?;
        team.to_string()
    };
    let values = BTreeMap::from([("key_id", payer.key.to_string()), ("request_id", request_id), ("team_id", team_id)]);
    Ok(FilledLedger { folder, values })
}

/// Writes what such a ledger has beside receipts; the request of one of these.
async fn beside(folder: &TempDir, now: i64, receipts: u64, accounts: usize) -> Result<String, Failed> {
    let mut loader = SqliteConnectOptions::new().filename(folder.path().join("tollgate.db")).connect().await?;
    for (text, count) in [(CHANGES, receipts / RECEIPTS_A_CHANGE), (ORDERS, receipts / RECEIPTS_AN_ORDER)] {
        let values = [
            ("{numbers}", NUMBERS.to_owned()),
            ("{places}", PLACES.to_owned()),
            ("{count}", count.max(1).to_string()),
            ("{now}", now.to_string()),
            ("{accounts}", accounts.to_string()),
        ];
        let text = values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
        sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut loader).await?;
    }
    Ok(sqlx::query_scalar("SELECT request_id FROM receipts LIMIT 1").fetch_one(&mut loader).await?)
}
