//! Statements of other rooms that are attached to the holds and endings of a batch.

use sqlx::PgConnection;

use crate::attached_statements::{Statement, StatementValue};
use crate::backend::BatchPlan;
use tollgate_base::HoldId;
use tollgate_store::storable;

/// Carries out the statements of holds that end. They run before the receipts, so that a receipt finds what it ends already
/// moved.
pub(super) async fn with_receipts(connection: &mut PgConnection, plan: &BatchPlan<'_>) -> sqlx::Result<()> {
    for receipt in &plan.receipts {
        carry_out(connection, receipt.hold, &receipt.ending.rider).await?;
    }
    Ok(())
}

/// Carries out the statements of holds that begin. They run after the holds, which their rows refer to.
pub(super) async fn with_holds(connection: &mut PgConnection, plan: &BatchPlan<'_>) -> sqlx::Result<()> {
    for hold in &plan.holds {
        carry_out(connection, hold.id, hold.rider).await?;
    }
    Ok(())
}

async fn carry_out(connection: &mut PgConnection, hold: HoldId, rider: &[Statement]) -> sqlx::Result<()> {
    for statement in rider {
        let bound = statement.values.iter().fold(sqlx::query(statement.sql), |query, value| match value {
            StatementValue::Hold => query.bind(hold.0),
            StatementValue::Number(number) => query.bind(number),
            StatementValue::Text(text) => query.bind(storable(text)),
            StatementValue::Nothing => query.bind(None::<String>),
        });
        if bound.execute(&mut *connection).await?.rows_affected() != 1 {
            return Err(sqlx::Error::RowNotFound);
        }
    }
    Ok(())
}
