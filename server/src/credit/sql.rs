//! The statements of this room, and the ledger on SQLite.

mod audit;
#[cfg(test)]
pub(super) mod raw;
mod reads;
mod rows;
mod writes;

pub(super) use audit::{balances, house, impossible, moved, reserved, totals};
pub(super) use reads::{balance, expired_holds, receipt};
pub(super) use writes::{find_transfer, insert_grant, release_earlier, start_epoch};

use sqlx::{Row, SqliteConnection};

use super::ledger::{Ledger, Plan, Touched, Trouble};
use super::rules::Loaded;
use crate::store::{Fault, Store, StoreError};

/// One hop to the connection's thread for both: a statement costs more to send there than to run.
const BEGIN: &str = "BEGIN IMMEDIATE; SELECT \
    (SELECT json_group_array(json_array(account_id, posted, held)) FROM balances WHERE account_id IN (SELECT value FROM json_each($1))), \
    (SELECT json_group_array(json_array(id, account_id, amount, state = 'held', expires_at)) FROM holds WHERE id IN (SELECT value FROM json_each($2))), \
    (SELECT coalesce(max(id), 0) FROM holds)";
/// Receipts first, as they were decided first: what they free may be held again in the same batch. The rest of the text is
/// not run after a statement that failed, so a batch that was refused is not committed; no rule of the schema waits for
/// the commit.
const CARRY_OUT: &str = "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, \
        upstream, upstream_model, first_byte_ms, duration_ms, resolved_at) \
    SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8, value->>9, \
        value->>10, value->>11, value->>12, value->>13, $3 FROM jsonb_each($1); \
    INSERT INTO holds (id, account_id, key_id, request_id, amount, state, model, price_prompt, price_cached, price_completion, \
        price_version, expires_at, stream, epoch, created_at) \
    SELECT value->>0, value->>1, value->>2, value->>3, value->>4, 'held', value->>5, value->>6, value->>7, value->>8, \
        value->>9, value->>10, value->>11, $4, $3 FROM jsonb_each($2); \
    COMMIT";
const IS_WRITTEN: &str = "SELECT EXISTS (SELECT 1 FROM receipts WHERE hold_id = $1) OR EXISTS (SELECT 1 FROM holds WHERE id = $2 AND request_id = $3)";

/// The ledger in an SQLite file, on a connection of its own.
#[derive(Debug)]
pub(super) struct SqliteLedger {
    store: Store,
    /// Absent after it was lost, until the next use.
    connection: Option<SqliteConnection>,
}

impl SqliteLedger {
    pub(super) async fn connect(store: Store) -> Result<Self, StoreError> {
        let connection = Some(store.connect_writer().await?);
        Ok(Self { store, connection })
    }

    async fn connection(&mut self) -> Result<&mut SqliteConnection, Trouble> {
        if self.connection.is_none() {
            let reopened = self.store.connect_writer().await;
            self.connection =
                Some(reopened.map_err(|source| Trouble { fault: Fault::Passing, duplicate: false, source })?);
        }
        Ok(self.connection.as_mut().expect("it was opened above"))
    }
}

impl Ledger for SqliteLedger {
    async fn begin(&mut self, touched: &Touched) -> Result<Loaded, Trouble> {
        let accounts = rows::list(touched.accounts.iter().map(|account| account.0));
        let holds = rows::list(touched.holds.iter().map(|hold| hold.0));
        let query = sqlx::query(BEGIN).bind(accounts).bind(holds);
        let row = query.fetch_one(self.connection().await?).await.map_err(trouble(StoreError::read("a batch")))?;
        let column = |index| row.try_get::<&str, _>(index).map_err(trouble(StoreError::read("a batch")));
        let last_hold = row.try_get(2).map_err(trouble(StoreError::read("a batch")))?;
        rows::loaded(column(0)?, column(1)?, last_hold).map_err(|source| Trouble {
            fault: Fault::Disk,
            duplicate: false,
            source,
        })
    }

    async fn carry_out(&mut self, plan: &Plan<'_>) -> Result<(), Trouble> {
        let query = sqlx::query(CARRY_OUT)
            .bind(rows::receipts(&plan.receipts))
            .bind(rows::holds(&plan.holds))
            .bind(plan.now_ms)
            .bind(plan.epoch);
        query.execute(self.connection().await?).await.map_err(trouble(StoreError::commit("a batch")))?;
        Ok(())
    }

    async fn roll_back(&mut self, after: Option<Fault>) {
        if after == Some(Fault::Lost) {
            self.connection = None;
        }
        if let Some(connection) = &mut self.connection {
            // SQLite has left the transaction by itself after some errors, and then says that there is none.
            drop(sqlx::query("ROLLBACK").execute(connection).await);
        }
    }

    async fn is_written(&mut self, plan: &Plan<'_>) -> Result<bool, Trouble> {
        // A batch is on the disk whole or not at all, so one row of it tells.
        let hold = plan.holds.first();
        let query = sqlx::query(IS_WRITTEN)
            .bind(plan.receipts.first().map(|receipt| receipt.hold.0))
            .bind(hold.map(|hold| hold.id.0))
            .bind(hold.map(|hold| hold.ask.request.to_string()));
        let row = query.fetch_one(self.connection().await?).await;
        row.and_then(|row| row.try_get(0)).map_err(trouble(StoreError::read("the last batch")))
    }
}

fn trouble(step: impl FnOnce(sqlx::Error) -> StoreError) -> impl FnOnce(sqlx::Error) -> Trouble {
    move |error| Trouble {
        fault: Fault::of(&error),
        duplicate: Fault::is_unique(&error, "holds.request_id"),
        source: step(error),
    }
}
