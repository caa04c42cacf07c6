//! The same done plainly: a transaction for each operation, that reads what it decides by and writes one row, on the same
//! tables with the same rules and triggers. Statements are prepared once, and each store has as many connections as serve
//! it best: one on SQLite, where more would only wait for each other in naps.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{PgPool, Row, SqlitePool};
use tollgate_base::{AccountId, Clock, RequestId};

use super::drive::Pairs;
use super::house::{On, Payer};
use super::ours::{COMPLETION, COST, HELD, HELD_FOR_MS, PROMPT, TOKENS};
use crate::Failed;

const CONNECTIONS: u32 = 16;
/// How long somebody waits for a connection: 256 clients at the pace of a slow disk.
const PATIENCE: Duration = Duration::from_secs(30);

const AVAILABLE: &str = "SELECT posted - held FROM balances WHERE account_id = $1";
const OPEN: &str = "SELECT account_id, amount FROM holds WHERE id = $1";
const LOCKED: &str = "SELECT posted - held FROM balances WHERE account_id = $1 FOR NO KEY UPDATE";
/// A number for a hold that nobody had: on a file behind the last one, which may have ended.
const NEXT_IN_FILE: &str =
    "SELECT max((SELECT coalesce(max(id), 0) FROM holds), (SELECT coalesce(max(hold_id), 0) FROM receipts)) + 1";
const NEXT: &str = "SELECT nextval('hold_blocks')";
/// Once: all holds have the same prices.
const PRICES: &str = "INSERT INTO prices (id, version, prompt, cached, cache_write, cache_write_long, completion, audio_prompt, image_prompt, \
        audio_completion, image_completion, request, reasoning) \
    VALUES (1, 'bench', $1, $1, $1, $1, $2, $1, $1, $2, $2, 0, $2) ON CONFLICT (id) DO NOTHING";
const HOLD: &str = "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, expires_at, epoch, \
        created_at) \
    VALUES ($1, $2, $3, $4, $5, 'small', 0, 1, 1000000, $6, $7, $8)";
const RECEIPT: &str = "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, created_at, \
        expires_at, day_at, month_at, life_at, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, \
        upstream, upstream_model, first_byte_ms, duration_ms, resolved_at) \
    SELECT id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, created_at, expires_at, day_at, month_at, \
        life_at, 'settled', CAST($2 AS BIGINT), 0, 'reported', CAST($3 AS BIGINT), 0, CAST($3 AS BIGINT), 0, 0, 'bench', 'm', 300, \
        1500, CAST($4 AS BIGINT) \
    FROM holds WHERE id = $1";

#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pool: Pool,
    clock: Clock,
    epoch: i64,
}

#[derive(Debug, Clone)]
enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// A hold by its number, and who pays.
#[derive(Debug)]
pub(crate) struct Held {
    id: i64,
    account: AccountId,
}

impl Reference {
    pub(crate) async fn connect(on: On, place: &str, epoch: i64) -> Result<Self, Failed> {
        let pool = match on {
            On::Sqlite => {
                // As safe as the ledger's own: the log is synced at each commit.
                let options = SqliteConnectOptions::new().filename(place).foreign_keys(true);
                let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
                let options = options.pragma("recursive_triggers", "on").busy_timeout(PATIENCE);
                let pool = SqlitePoolOptions::new().max_connections(1).acquire_timeout(PATIENCE);
                let pool = pool.connect_with(options).await?;
                sqlx::query(PRICES).bind(PROMPT).bind(COMPLETION).execute(&pool).await?;
                Pool::Sqlite(pool)
            }
            On::Postgres => {
                let options: PgConnectOptions = place.parse()?;
                let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
                let pool = pool.connect_with(options.options([("search_path", "tollgate")])).await?;
                sqlx::query(PRICES).bind(PROMPT).bind(COMPLETION).execute(&pool).await?;
                Pool::Postgres(pool)
            }
        };
        Ok(Self { pool, clock: Clock::system(), epoch })
    }
}

impl Pairs for Reference {
    type Held = Held;

    async fn hold(&self, Payer { account, key }: Payer) -> Result<Held, Failed> {
        let now_ms = self.clock.now_ms();
        let request = RequestId::mint(now_ms);
        // The two databases are two types to the driver; the steps are the same.
        macro_rules! hold {
            ($begun:expr, $available:expr, $next:expr) => {{
                let mut transaction = $begun;
                let available: i64 =
                    sqlx::query($available).bind(account.0).fetch_one(&mut *transaction).await?.try_get(0)?;
                if available < HELD.nanos() {
                    return Err("not enough credit".into());
                }
                let id: i64 = sqlx::query($next).fetch_one(&mut *transaction).await?.try_get(0)?;
                let insert = sqlx::query(HOLD).bind(id).bind(account.0).bind(key.0).bind(request.as_str().to_owned());
                let insert = insert.bind(HELD.nanos()).bind(now_ms + HELD_FOR_MS).bind(self.epoch).bind(now_ms);
                insert.execute(&mut *transaction).await?;
                transaction.commit().await?;
                Ok(Held { id, account })
            }};
        }
        match &self.pool {
            Pool::Sqlite(pool) => hold!(pool.begin_with("BEGIN IMMEDIATE").await?, AVAILABLE, NEXT_IN_FILE),
            Pool::Postgres(pool) => hold!(pool.begin().await?, LOCKED, NEXT),
        }
    }

    async fn settle(&self, held: Held) -> Result<(), Failed> {
        let now_ms = self.clock.now_ms();
        macro_rules! settle {
            ($begun:expr, $lock:expr) => {{
                let mut transaction = $begun;
                if let Some(lock) = $lock {
                    sqlx::query(lock).bind(held.account.0).fetch_one(&mut *transaction).await?;
                }
                let row = sqlx::query(OPEN).bind(held.id).fetch_one(&mut *transaction).await?;
                let cost = COST.nanos().min(row.try_get(1)?);
                let insert = sqlx::query(RECEIPT).bind(held.id).bind(cost).bind(i64::try_from(TOKENS)?).bind(now_ms);
                if insert.execute(&mut *transaction).await?.rows_affected() != 1 {
                    return Err("it is not open".into());
                }
                transaction.commit().await?;
                Ok(())
            }};
        }
        match &self.pool {
            Pool::Sqlite(pool) => settle!(pool.begin_with("BEGIN IMMEDIATE").await?, None::<&'static str>),
            Pool::Postgres(pool) => settle!(pool.begin().await?, Some(LOCKED)),
        }
    }
}
