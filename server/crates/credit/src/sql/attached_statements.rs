//! Statements of other rooms that are attached to the holds and endings of a batch.

use rusqlite::{Connection, Error, Result, Statement};

use crate::attached_statements::{self, StatementValue};
use crate::backend::BatchPlan;
use tollgate_base::HoldId;

/// Carries out the statements of holds that end. They run before the receipts, so that a receipt finds what it ends already
/// moved.
pub(super) fn with_receipts(connection: &Connection, plan: &BatchPlan<'_>) -> Result<()> {
    plan.receipts.iter().try_for_each(|receipt| carry_out(connection, receipt.hold, &receipt.ending.rider))
}

/// Carries out the statements of holds that begin. They run after the holds, which their rows refer to.
pub(super) fn with_holds(connection: &Connection, plan: &BatchPlan<'_>) -> Result<()> {
    plan.holds.iter().try_for_each(|hold| carry_out(connection, hold.id, hold.rider))
}

fn carry_out(connection: &Connection, hold: HoldId, rider: &[attached_statements::Statement]) -> Result<()> {
    for statement in rider {
        let mut prepared = connection.prepare_cached(statement.sql)?;
        for (number, value) in (1..).zip(&statement.values) {
            bind(&mut prepared, number, hold, value)?;
        }
        match prepared.raw_execute()? {
            1 => {}
            changed => return Err(Error::StatementChangedRows(changed)),
        }
    }
    Ok(())
}

/// By name: SQLite numbers `$3` by where it first stands, not by its digit.
fn bind(statement: &mut Statement<'_>, number: usize, hold: HoldId, value: &StatementValue) -> Result<()> {
    let Some(index) = statement.parameter_index(&format!("${number}"))? else { return Ok(()) };
    match value {
        StatementValue::Hold => statement.raw_bind_parameter(index, hold.0),
        StatementValue::Number(number) => statement.raw_bind_parameter(index, number),
        StatementValue::Text(text) => statement.raw_bind_parameter(index, text),
        StatementValue::Nothing => statement.raw_bind_parameter(index, rusqlite::types::Null),
    }
}
