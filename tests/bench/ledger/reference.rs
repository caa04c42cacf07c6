//! The same done plainly: a transaction for each operation, that reads what it decides by and writes one row, on the same
//! tables with the same rules and triggers. Statements are prepared once, and each store has as many connections as serve
//! it best: one on SQLite, where more would only wait for each other in naps.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{PgPool, Row, SqlitePool};
use tollgate_server::base::{AccountId, Clock, RequestId};

use super::drive::Pairs;
use super::house::{On, Payer};
use super::ours::{COMPLETION, COST, HELD, HELD_FOR_MS, PROMPT, TOKENS};
use crate::Failed;

const CONNECTIONS: u32 = 16;
/// How long somebody waits for a connection: 256 clients at the pace of a slow disk.
const PATIENCE: Duration = Duration::from_secs(30);

const AVAILABLE: &str = "SELECT posted - held FROM balances WHERE account_id = $1";
const OPEN: &str = "SELECT account_id, amount FROM holds WHERE id = $1 AND state = 'held'";
const LOCKED: &str = "SELECT posted - held FROM balances WHERE account_id = $1 FOR NO KEY UPDATE";
const NEXT: &str = "SELECT nextval('hold_blocks')";
const HOLD: &str = "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, price_version, expires_at, stream, kept, \
        price_prompt, price_cached, price_cache_write, price_cache_write_long, price_completion, price_audio_prompt, \
        price_image_prompt, price_audio_completion, price_image_completion, state, epoch, created_at) \
    VALUES ($1, $2, $3, $4, $5, 'small', 'bench', $6, 0, 0, $7, $7, $7, $7, $8, $7, $7, $8, $8, 'held', $9, $10) RETURNING id";
const RECEIPT: &str = "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, \
        upstream, upstream_model, first_byte_ms, duration_ms, resolved_at) \
    VALUES ($1, 'settled', $2, 0, 'reported', $3, 0, $3, 0, 0, 'bench', 'm', 300, 1500, $4)";

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
                Pool::Sqlite(pool.connect_with(options).await?)
            }
            On::Postgres => {
                let options: PgConnectOptions = place.parse()?;
                let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
                Pool::Postgres(pool.connect_with(options.options([("search_path", "tollgate")])).await?)
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
            ($begun:expr, $available:expr, $id:expr) => {{
                let mut transaction = $begun;
                let available: i64 =
                    sqlx::query($available).bind(account.0).fetch_one(&mut *transaction).await?.try_get(0)?;
                if available < HELD.nanos() {
                    return Err("not enough credit".into());
                }
                let id: Option<i64> = match $id {
                    Some(next) => Some(sqlx::query(next).fetch_one(&mut *transaction).await?.try_get(0)?),
                    None => None,
                };
                let insert = sqlx::query(HOLD).bind(id).bind(account.0).bind(key.0).bind(request.as_str().to_owned());
                let insert = insert.bind(HELD.nanos()).bind(now_ms + HELD_FOR_MS).bind(PROMPT).bind(COMPLETION);
                let row = insert.bind(self.epoch).bind(now_ms).fetch_one(&mut *transaction).await?;
                let held = Held { id: row.try_get(0)?, account };
                transaction.commit().await?;
                Ok(held)
            }};
        }
        match &self.pool {
            Pool::Sqlite(pool) => hold!(pool.begin_with("BEGIN IMMEDIATE").await?, AVAILABLE, None::<&'static str>),
            Pool::Postgres(pool) => hold!(pool.begin().await?, LOCKED, Some(NEXT)),
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
                insert.execute(&mut *transaction).await?;
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
