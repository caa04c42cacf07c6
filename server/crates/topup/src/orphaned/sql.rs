//! The statements about open payments, checkouts and notices, by chain or provider.

use tollgate_store::{ReadPool, StoreError, query};

const CHECKOUTS: &str = "SELECT provider, count(*) FROM checkouts WHERE ask_at IS NOT NULL GROUP BY provider";
const NOTICES: &str =
    "SELECT provider, count(*) FROM notices WHERE acted_at IS NULL AND parked IS NULL GROUP BY provider";
const PAYMENTS: &str = "SELECT network, asset, is_permit, count(*), CAST(coalesce(sum(is_old), 0) AS BIGINT) FROM \
    (SELECT c.network, p.asset, CASE WHEN c.terms LIKE '{\"form\":\"permit\",%' THEN 1 = 1 ELSE 1 = 0 END AS is_permit, \
        CASE WHEN p.claimed_at < $1 THEN 1 ELSE 0 END AS is_old \
        FROM chain_payments c JOIN payments p ON p.id = c.payment_id \
        WHERE c.closed = 0 AND p.state <> 'paid') open_payments \
    GROUP BY network, asset, is_permit";

/// The open payments in one token of a chain.
pub(super) struct OpenPayments {
    /// The chain, by its CAIP-2 id.
    pub(super) network: String,
    /// The token, by its address.
    pub(super) asset: String,
    /// True if they are Permit2 permits.
    pub(super) is_permit: bool,
    /// The number of them.
    pub(super) count: u64,
    /// The number of them that were claimed before the time that was asked for.
    pub(super) old: u64,
}

/// Checkouts that are still asked about, by their provider.
pub(super) async fn open_checkouts(readers: &ReadPool) -> Result<Vec<(String, u64)>, StoreError> {
    by_name(readers, CHECKOUTS).await
}

/// Notices that are kept and not acted on, by their provider.
pub(super) async fn open_notices(readers: &ReadPool) -> Result<Vec<(String, u64)>, StoreError> {
    by_name(readers, NOTICES).await
}

/// Open payments on chains, by chain, token and form, and the number that were claimed before `before_ms`.
pub(super) async fn open_payments(readers: &ReadPool, before_ms: i64) -> Result<Vec<OpenPayments>, StoreError> {
    let rows = query(PAYMENTS).bind(before_ms).fetch_all(readers).await.map_err(reading)?;
    let read = |row: &tollgate_store::DatabaseRow| {
        let (count, old): (i64, i64) = (row.try_get(3)?, row.try_get(4)?);
        let (network, asset, is_permit) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        Ok(OpenPayments { network, asset, is_permit, count: count.unsigned_abs(), old: old.unsigned_abs() })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(reading)
}

async fn by_name(readers: &ReadPool, asked: &'static str) -> Result<Vec<(String, u64)>, StoreError> {
    let rows = query(asked).fetch_all(readers).await.map_err(reading)?;
    let read = |row: &tollgate_store::DatabaseRow| Ok((row.try_get(0)?, row.try_get::<i64>(1)?.unsigned_abs()));
    rows.iter().map(read).collect::<Result<_, _>>().map_err(reading)
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("what is open")(error)
}
