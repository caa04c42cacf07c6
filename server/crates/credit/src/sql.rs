//! The statements of this room, and the ledger on SQLite and PostgreSQL.
//!
//! Off the writer's path each statement is written once and runs on either. The writer itself has the fastest way of each: here
//! that of SQLite, in `postgres` that of the other.

mod attached_statements;
mod audit;
mod budgets;
mod claims;
mod grants;
mod idempotency;
mod limits;
mod months;
mod nodes;
mod orphaned_holds;
mod postgres;
#[cfg(test)]
pub(super) mod raw;
mod reads;
mod reversals;
mod rows;
mod sealed_rows;
mod seals;
mod service;
mod sums;
mod table;
mod terms;

pub(super) use audit::{balances, cleared, hold_months, impossible, moved, owed, own_accounts, reserved, totals};
pub(super) use budgets::budgets;
pub(super) use grants::{PostedTransfer, find_transfer, insert_grant};
pub(super) use idempotency::{
    HoldState, IdempotencyRow, KeyOf, answers_kept, find_key, give_key, hold_stands, is_up, keep_answer, left_keys,
    let_go, purge_keys, take_key,
};
pub(super) use months::{
    MonthCount, archived, carry_month, copy_month, count_month, detach_month, earlier_month, has_month, is_archived,
    lock_receipts, make_month,
};
pub(super) use nodes::{mark_gone, mark_silent_gone, say_up, start_epoch};
pub(super) use orphaned_holds::{
    HoldPosition, count_orphaned, end_start, orphaned_holds, release_orphaned, unreleased_starts,
};
pub(super) use postgres::PostgresLedger;
pub(super) use reads::{balance, expired_holds, mark_ahead, mark_of, pools_of_key, receipt, receipt_of_any, receipts};
pub(super) use reversals::{
    balance_locked, debt_of, find_reversal, insert_reversal, open_debts, paid_by_credit, paid_by_order,
    paid_by_resolution, pay_debt, payable,
};
pub(super) use sealed_rows::{HashedRows, SealedRowReader, SealedRows};
pub(super) use seals::{
    ArchivedReceipts, archived_receipts, insert_seal, last_seal, oldest_unsealed, seal_bounds, sealing_start,
    seals_after, seals_before,
};
pub(super) use service::{open_holds, server_starts, service_usage};
pub(super) use sums::{has_more_receipts, has_more_rows, sums};

use std::collections::HashSet;

use rusqlite::{Connection, Result};

use super::backend::{BackendError, BatchPlan, LedgerBackend, NewPrice, Touched};
use super::commit::{self, CommitSide};
use super::rules::LoadedRows;
use tollgate_store::{DatabaseError, ErrorClass, StoreError, WriterFile};

const BEGIN: &str = "BEGIN IMMEDIATE";
const COMMIT: &str = "COMMIT";
const ROLLBACK: &str = "ROLLBACK";
/// More than the models of some price lists.
const PRICES_KNOWN_MAX: usize = 10_000;

/// The ledger in an SQLite file, on a connection of its own. Nothing here waits for anything but the disk: each method
/// is done when it is first polled, and blocks its thread meanwhile.
#[derive(Debug)]
pub(super) struct SqliteLedger {
    file: WriterFile,
    /// Absent after it was lost, until the next use.
    connection: Option<Connection>,
    /// Rows of prices that are there.
    prices: HashSet<i64>,
}

impl SqliteLedger {
    pub(super) fn connect(file: WriterFile) -> Result<Self, StoreError> {
        let connection = Some(file.connect()?);
        Ok(Self { file, connection, prices: HashSet::new() })
    }

    fn connection(&mut self) -> Result<&Connection, BackendError> {
        if self.connection.is_none() {
            let reopened = self.file.connect();
            self.connection = Some(reopened.map_err(|source| BackendError {
                fault: ErrorClass::Passing,
                duplicate: false,
                source,
            })?);
        }
        Ok(self.connection.as_ref().expect("it was opened above"))
    }
}

impl LedgerBackend for SqliteLedger {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        let connection = self.connection()?;
        let load = || {
            connection.prepare_cached(BEGIN)?.execute([])?;
            rows::load(connection, touched)
        };
        load().map_err(trouble(|source| StoreError::Read { what: "a batch", source }))
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        let prices = plan.prices(&self.prices);
        let connection = self.connection()?;
        let carry_out = || {
            // Receipts first, as they were decided first: what they free may be held again in the same batch. After a
            // statement that failed nothing more is run, so a batch that was refused is not committed. One rule of the
            // schema waits for the commit; where it refuses, the transaction is still open and is rolled back.
            rows::insert_prices(connection, &prices)?;
            attached_statements::with_receipts(connection, plan)?;
            rows::insert_receipts(connection, plan)?;
            rows::insert_holds(connection, plan)?;
            limits::write(connection, plan)?;
            attached_statements::with_holds(connection, plan)?;
            claims::write(connection, plan)?;
            commit::batch_reached(plan, CommitSide::Before);
            connection.prepare_cached(COMMIT)?.execute([])?;
            commit::batch_reached(plan, CommitSide::After);
            Ok(())
        };
        carry_out().map_err(trouble(|source| StoreError::Commit { what: "a batch", source }))?;
        remember(&mut self.prices, &prices);
        Ok(())
    }

    async fn roll_back(&mut self, after: Option<ErrorClass>) {
        if after == Some(ErrorClass::Lost) {
            self.connection = None;
        }
        if let Some(connection) = &self.connection {
            // SQLite has left the transaction by itself after some errors, and then says that there is none.
            drop(connection.prepare_cached(ROLLBACK).and_then(|mut statement| statement.execute([])));
        }
    }

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        let found = rows::written(self.connection()?, plan);
        let found = found.map_err(trouble(|source| StoreError::Read { what: "the last batch", source }))?;
        whole_or_nothing(found, plan)
    }
}

/// Remembers that prices are there. Where that would be too many, the earlier ones are forgotten first.
fn remember(prices: &mut HashSet<i64>, new: &[NewPrice<'_>]) {
    if prices.len() + new.len() > PRICES_KNOWN_MAX {
        prices.clear();
    }
    prices.extend(new.iter().map(|price| price.id));
}

/// True if all rows of a plan are there, false if none is; an error where only some are.
fn whole_or_nothing(found: usize, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
    match plan.holds.len() + plan.receipts.len() {
        all if found == all => Ok(true),
        _ if found == 0 => Ok(false),
        all => {
            let found = format!("{found} of its {all} rows");
            let source = StoreError::Unreadable { what: "a batch whole or not at all", found };
            Err(BackendError { fault: ErrorClass::Lost, duplicate: false, source })
        }
    }
}

fn trouble(step: impl FnOnce(DatabaseError) -> StoreError) -> impl FnOnce(rusqlite::Error) -> BackendError {
    move |error| BackendError {
        fault: ErrorClass::of_thread(&error),
        duplicate: ErrorClass::is_unique_on_thread(&error, "holds.request_id"),
        source: step(error.into()),
    }
}
