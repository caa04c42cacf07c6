//! The rows of Idempotency-Keys that a batch claims and ends.

use std::sync::LazyLock;

use rusqlite::{Connection, OptionalExtension, Result};

use super::idempotency::written;
use super::table::{InsertStatements, InsertTarget};
use crate::backend::{BatchPlan, Touched};
use crate::claims::{ClaimEnd, ClaimRowChange};
use crate::rules::LoadedRows;
use tollgate_base::RequestId;

const FIND: &str = "SELECT request_id FROM idempotency WHERE account_id = ?1 AND idem_key = ?2";
static CLAIMS: LazyLock<InsertStatements> = LazyLock::new(|| {
    InsertTarget::Plain {
        into: "INSERT INTO idempotency",
        columns: "account_id, idem_key, request_sha256, request_id, epoch, state, created_at",
    }
    .statements()
});
const DONE: &str = "UPDATE idempotency SET state = 'done' \
    WHERE account_id = ?1 AND idem_key = ?2 AND request_id = ?3 AND state = 'running'";
const ANSWERED: &str = "UPDATE idempotency SET state = 'done', status = ?4, headers = ?5, answer = ?6 \
    WHERE account_id = ?1 AND idem_key = ?2 AND request_id = ?3 AND state = 'running'";
const FREE: &str =
    "DELETE FROM idempotency WHERE account_id = ?1 AND idem_key = ?2 AND request_id = ?3 AND state = 'running'";

pub(super) fn load(connection: &Connection, touched: &Touched, loaded: &mut LoadedRows) -> Result<()> {
    if touched.claims.is_empty() {
        return Ok(());
    }
    let mut find = connection.prepare_cached(FIND)?;
    for (account, key) in &touched.claims {
        let found: Option<String> = find.query_row((account.0, key), |row| row.get(0)).optional()?;
        let found = found.and_then(|request| request.parse::<RequestId>().ok());
        loaded.claims.extend(found.map(|request| ((*account, key.clone()), request)));
    }
    Ok(())
}

pub(super) fn write(connection: &Connection, plan: &BatchPlan<'_>) -> Result<()> {
    for ClaimEnd { claim, end } in &plan.claims_ended {
        let request = &claim.request;
        let of = (request.account.0, &request.key, request.request.as_str());
        match end {
            ClaimRowChange::Afterwards => {}
            ClaimRowChange::Released => drop(connection.prepare_cached(FREE)?.execute(of)?),
            ClaimRowChange::Charged => drop(connection.prepare_cached(DONE)?.execute(of)?),
            ClaimRowChange::Replied(answer) => {
                let (status, headers, body) = (answer.status.as_u16(), written(&answer.headers), &answer.body[..]);
                connection.prepare_cached(ANSWERED)?.execute((of.0, of.1, of.2, status, headers, body))?;
            }
        }
    }
    CLAIMS.insert(connection, &plan.claims, |row, claim| {
        let request = &claim.request;
        row.put(request.account.0)?;
        row.put(&request.key)?;
        row.put(request.sha256)?;
        row.put(request.request.as_str())?;
        row.put(plan.epoch)?;
        row.put("running")?;
        row.put(plan.now_ms)
    })
}
