//! The rows of Idempotency-Keys that a batch claims and ends.

use std::fmt::Write;

use sqlx::PgConnection;
use sqlx::Row;
use sqlx::postgres::PgRow;

use super::columns::{InsertQuery, column};
use crate::backend::BatchPlan;
use crate::claim_key::ClaimKey;
use crate::claims::{ClaimEnd, ClaimRowChange};
use crate::rules::LoadedRows;
use crate::sql::idempotency::written;
use tollgate_base::{AccountId, RequestId};

/// Keys are asked for in hexadecimal digits: they are what a client chose, and stand in the text of a message. The name of an
/// encoding has a collation of its own, which the index does not have.
pub(super) const FIND: &str = "SELECT i.account_id, i.idem_key, i.request_id FROM UNNEST($1::bigint[], $2::text[]) AS asked (account_id, digits) \
    JOIN idempotency i ON i.account_id = asked.account_id AND i.idem_key = convert_from(decode(asked.digits, 'hex'), 'UTF8') COLLATE \"default\"";
const FREE: &str = "DELETE FROM idempotency i \
    USING UNNEST($1::bigint[], $2::text[], $3::text[]) AS e (account_id, idem_key, request_id) \
    WHERE i.account_id = e.account_id AND i.idem_key = e.idem_key AND i.request_id = e.request_id AND i.state = 'running'";

/// With the holds that they go with, whose statement has the first twenty-two parameters: the start and the time are its last.
macro_rules! insert_claims {
    () => {
        "INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, created_at) \
         SELECT c.*, $21::bigint, 'running', $22::bigint \
         FROM UNNEST($23::bigint[], $24::text[], $25::bytea[], $26::text[]) c"
    };
}

/// With the receipts that they go with, whose statement has the first twenty-eight parameters.
macro_rules! end_claims {
    () => {
        "UPDATE idempotency i SET state = 'done', status = e.status, headers = e.headers, answer = e.answer \
         FROM UNNEST($29::bigint[], $30::text[], $31::text[], $32::bigint[], $33::text[], $34::bytea[]) \
             AS e (account_id, idem_key, request_id, status, headers, answer) \
         WHERE i.account_id = e.account_id AND i.idem_key = e.idem_key AND i.request_id = e.request_id \
             AND i.state = 'running'"
    };
}

pub(super) use {end_claims, insert_claims};

/// The two arrays that [`FIND`] is asked with.
pub(super) fn asked_for(claims: &[ClaimKey]) -> [String; 2] {
    let accounts = column(claims, |(account, _)| account.0.to_string());
    let digits = column(claims, |(_, key)| {
        key.bytes().fold(String::new(), |mut digits, byte| {
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    });
    [accounts.join(","), digits.join(",")]
}

/// A row that [`FIND`] found.
pub(super) fn load(row: &PgRow, loaded: &mut LoadedRows) -> sqlx::Result<()> {
    if let Ok(request) = row.try_get::<&str, _>(2)?.parse::<RequestId>() {
        loaded.claims.insert((AccountId(row.try_get(0)?), row.try_get(1)?), request);
    }
    Ok(())
}

/// The claims whose rows change with their receipts.
pub(super) fn ended<'p>(plan: &'p BatchPlan<'_>) -> Vec<&'p ClaimEnd<'p>> {
    let ended = plan.claims_ended.iter();
    ended.filter(|ended| matches!(ended.end, ClaimRowChange::Charged | ClaimRowChange::Replied(_))).collect()
}

pub(super) fn bind_ended<'q>(statement: InsertQuery<'q>, ended: &[&'q ClaimEnd<'q>]) -> InsertQuery<'q> {
    let answers = column(ended, |ended| match &ended.end {
        ClaimRowChange::Replied(answer) => Some(answer),
        ClaimRowChange::Released | ClaimRowChange::Charged | ClaimRowChange::Afterwards => None,
    });
    statement
        .bind(column(ended, |ended| ended.claim.request.account.0))
        .bind(column(ended, |ended| ended.claim.request.key.as_str()))
        .bind(column(ended, |ended| ended.claim.request.request.as_str()))
        .bind(column(&answers, |answer| answer.map(|answer| i64::from(answer.status.as_u16()))))
        .bind(column(&answers, |answer| answer.map(|answer| written(&answer.headers))))
        .bind(column(&answers, |answer| answer.map(|answer| &answer.body[..])))
}

pub(super) fn bind_new<'q>(statement: InsertQuery<'q>, plan: &'q BatchPlan<'_>) -> InsertQuery<'q> {
    statement
        .bind(column(&plan.claims, |claim| claim.request.account.0))
        .bind(column(&plan.claims, |claim| claim.request.key.as_str()))
        .bind(column(&plan.claims, |claim| &claim.request.sha256[..]))
        .bind(column(&plan.claims, |claim| claim.request.request.as_str()))
}

/// Deletes the rows of released keys, before new ones: another request of the same batch may have claimed the key since.
pub(super) async fn free(connection: &mut PgConnection, plan: &BatchPlan<'_>) -> sqlx::Result<()> {
    let free: Vec<_> = plan.claims_ended.iter().filter(|ended| matches!(ended.end, ClaimRowChange::Released)).collect();
    if free.is_empty() {
        return Ok(());
    }
    sqlx::query(FREE)
        .bind(column(&free, |ended| ended.claim.request.account.0))
        .bind(column(&free, |ended| ended.claim.request.key.as_str()))
        .bind(column(&free, |ended| ended.claim.request.request.as_str()))
        .execute(connection)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::raw;
    use tollgate_base::Clock;
    use tollgate_store::testing::{On, temporary_on};

    /// They run with every batch that has a key in it.
    #[tokio::test]
    async fn keys_are_found_without_reading_all_of_them() {
        let (clock, _hand) = Clock::manual(1);
        let (_folder, _config, store) = temporary_on(On::Server, &clock).await;
        let keys = "INSERT INTO accounts (id, name, state, created_at) VALUES (5000000000, 'account', 'active', 1); \
            INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, created_at) \
                SELECT 5000000000, 'key ' || n, decode(repeat('00', 32), 'hex'), 'request ' || n, 1, 'running', 1 \
                FROM generate_series(1, 5000) n; \
            ANALYZE idempotency";
        raw::run(&store, keys).await.unwrap();
        let arrays = ["'{5000000000}'", "'{key 7}'", "'{request 7}'", "'{200}'", "'{[]}'", "'{x}'"];
        let [_, digits] = asked_for(&[(AccountId(5_000_000_000), "key 7".to_owned())]);
        let find = FIND.replace("$2", &format!("'{{{digits}}}'"));
        let end = (29..=34)
            .fold(end_claims!().to_owned(), |sql, at| sql.replace(&format!("${at}"), &format!("${}", at - 28)));
        for statement in [find, end, FREE.to_owned()] {
            let asked = (1..).zip(arrays).fold(statement, |sql, (at, array)| sql.replace(&format!("${at}"), array));
            let plan = raw::texts(&store, &format!("EXPLAIN {asked}")).await.join("\n");
            assert!(plan.contains("idempotency_pkey") && !plan.contains("Seq Scan on idempotency"), "{plan}");
        }
    }
}
