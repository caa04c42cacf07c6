//! The rows of Idempotency-Keys that a batch claims and ends.

use sqlx::{PgConnection, Row};

use super::rows::column;
use crate::base::{AccountId, RequestId};
use crate::credit::claims::{ClaimEnd, KeyEnd};
use crate::credit::ledger::{Plan, Touched};
use crate::credit::rules::Loaded;
use crate::credit::sql::once::written;

const FIND: &str = "SELECT i.account_id, i.idem_key, i.request_id \
    FROM UNNEST($1::bigint[], $2::text[]) AS asked (account_id, idem_key) JOIN idempotency i USING (account_id, idem_key)";
const INSERT: &str = "INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, created_at) \
    SELECT c.*, $5::bigint, 'running', $6::bigint FROM UNNEST($1::bigint[], $2::text[], $3::bytea[], $4::text[]) c";
const END: &str = "UPDATE idempotency i SET state = 'done', status = e.status, headers = e.headers, answer = e.answer \
    FROM UNNEST($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bytea[]) \
        AS e (account_id, idem_key, request_id, status, headers, answer) \
    WHERE i.account_id = e.account_id AND i.idem_key = e.idem_key AND i.request_id = e.request_id AND i.state = 'running'";
const FREE: &str = "DELETE FROM idempotency i \
    USING UNNEST($1::bigint[], $2::text[], $3::text[]) AS e (account_id, idem_key, request_id) \
    WHERE i.account_id = e.account_id AND i.idem_key = e.idem_key AND i.request_id = e.request_id AND i.state = 'running'";

/// Read behind the locks of the accounts, so that what another server has written down of a key is seen.
pub(super) async fn load(connection: &mut PgConnection, touched: &Touched, loaded: &mut Loaded) -> sqlx::Result<()> {
    if touched.claims.is_empty() {
        return Ok(());
    }
    let accounts = column(&touched.claims, |(account, _)| account.0);
    let keys = column(&touched.claims, |(_, key)| key.as_str());
    for row in sqlx::query(FIND).bind(accounts).bind(keys).fetch_all(connection).await? {
        let Ok(request) = row.try_get::<&str, _>(2)?.parse::<RequestId>() else { continue };
        loaded.claims.insert((AccountId(row.try_get(0)?), row.try_get(1)?), request);
    }
    Ok(())
}

/// After the receipts and the holds that they go with.
pub(super) async fn write(connection: &mut PgConnection, plan: &Plan<'_>) -> sqlx::Result<()> {
    let (free, over): (Vec<&ClaimEnd<'_>>, Vec<_>) =
        plan.claims_ended.iter().partition(|ended| matches!(ended.end, KeyEnd::Released));
    let over: Vec<_> = over.into_iter().filter(|ended| !matches!(ended.end, KeyEnd::Afterwards)).collect();
    if !over.is_empty() {
        let answers = column(&over, |ended| match &ended.end {
            KeyEnd::Replied(answer) => Some(answer),
            KeyEnd::Released | KeyEnd::Charged | KeyEnd::Afterwards => None,
        });
        sqlx::query(END)
            .bind(column(&over, |ended| ended.claim.request.account.0))
            .bind(column(&over, |ended| ended.claim.request.key.as_str()))
            .bind(column(&over, |ended| ended.claim.request.request.as_str().to_owned()))
            .bind(column(&answers, |answer| answer.map(|answer| i64::from(answer.status.as_u16()))))
            .bind(column(&answers, |answer| answer.map(|answer| written(&answer.headers))))
            .bind(column(&answers, |answer| answer.map(|answer| &answer.body[..])))
            .execute(&mut *connection)
            .await?;
    }
    if !free.is_empty() {
        sqlx::query(FREE)
            .bind(column(&free, |ended| ended.claim.request.account.0))
            .bind(column(&free, |ended| ended.claim.request.key.as_str()))
            .bind(column(&free, |ended| ended.claim.request.request.as_str().to_owned()))
            .execute(&mut *connection)
            .await?;
    }
    if plan.claims.is_empty() {
        return Ok(());
    }
    sqlx::query(INSERT)
        .bind(column(&plan.claims, |claim| claim.request.account.0))
        .bind(column(&plan.claims, |claim| claim.request.key.as_str()))
        .bind(column(&plan.claims, |claim| &claim.request.sha256[..]))
        .bind(column(&plan.claims, |claim| claim.request.request.as_str().to_owned()))
        .bind(plan.epoch)
        .bind(plan.now_ms)
        .execute(connection)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Clock;
    use crate::credit::sql::raw;
    use crate::store::tests::{On, temporary_on};

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
        for statement in [FIND, END, FREE] {
            let asked =
                (1..).zip(arrays).fold(statement.to_owned(), |sql, (at, array)| sql.replace(&format!("${at}"), array));
            let plan = raw::texts(&store, &format!("EXPLAIN {asked}")).await.join("\n");
            assert!(plan.contains("idempotency_pkey") && !plan.contains("Seq Scan on idempotency"), "{plan}");
        }
    }
}
