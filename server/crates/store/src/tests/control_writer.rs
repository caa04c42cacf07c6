//! The order of the desk's transactions on a server, and the connections of those that fail.

use super::*;

/// The number of the desk's transactions that wait for their lock.
async fn waiting(connection: &mut sqlx::PgConnection) -> i64 {
    let asked = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    sqlx::query(asked).fetch_one(connection).await.unwrap().get(0)
}

#[tokio::test]
async fn a_begin_that_failed_leaves_its_connection_usable() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let held = store.begin().await.unwrap();
    // As many as the desk has connections left.
    for refused in futures_util::future::join_all((1..postgres::DESK_MAX).map(|_| store.begin())).await {
        let StoreError::Begin { source } = refused.unwrap_err() else { panic!("it cannot begin") };
        assert!(source.to_string().contains("lock timeout"), "{source}");
    }
    held.rollback().await.unwrap();
    for _ in 0..8 {
        store.prove_writable().await.unwrap();
    }
}

/// The locks of the desk's transactions that are open: each by what it locks, and how.
async fn locks(connection: &mut sqlx::PgConnection) -> Vec<(String, String)> {
    let asked = "SELECT concat_ws(' ', classid, objid, objsubid), mode FROM pg_locks WHERE locktype = 'advisory' AND granted \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY mode, 1";
    let rows = sqlx::query(asked).fetch_all(connection).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// By what they lock: two wait for each other where it is the same, unless both share it.
#[tokio::test]
async fn accounts_wait_for_themselves_and_for_the_whole_ledger_alone() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut other = server.connect().await.unwrap();
    let (one, two) = (store.begin_of(AccountId(1)).await.unwrap(), store.begin_of(AccountId(2)).await.unwrap());
    let found = locks(&mut other).await;
    let [(first, exclusive), (second, as_well), (ledger, shared), (same, too)] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!([exclusive, as_well, shared, too], ["ExclusiveLock", "ExclusiveLock", "ShareLock", "ShareLock"]);
    assert!(first != second && ledger == same && ledger != first && ledger != second, "{found:?}");
    two.rollback().await.unwrap();
    let of_one = locks(&mut other).await;
    one.rollback().await.unwrap();
    let again = store.begin_of(AccountId(1)).await.unwrap();
    assert_eq!(locks(&mut other).await, of_one);
    again.rollback().await.unwrap();
    let whole = store.begin().await.unwrap();
    assert_eq!(locks(&mut other).await, [(ledger.clone(), "ExclusiveLock".to_owned())]);
    whole.rollback().await.unwrap();
}

#[tokio::test]
async fn a_begin_that_nobody_waits_for_any_more_keeps_no_lock() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut other = server.connect().await.unwrap();
    let held = store.begin().await.unwrap();
    let is_waiting = async {
        while waiting(&mut other).await == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        begun = store.begin() => panic!("the lock is held: {:?}", begun.map(drop)),
        () = is_waiting => {}
    }
    held.rollback().await.unwrap();
    // On a desk of its own, so that it does not get the very connection that has the lock.
    let another = server.0.control_pool();
    postgres::begin(&another).await.unwrap().commit().await.unwrap();
    for _ in 0..8 {
        store.prove_writable().await.unwrap();
    }
}

#[tokio::test]
async fn a_transaction_that_the_driver_does_not_know_of_ends_with_the_loan_of_its_connection() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let StorePlace::Server { desk, .. } = &store.place else { panic!("a server") };
    for open in ["BEGIN; LOCK TABLE nodes", "BEGIN; LOCK TABLE nodes; SELECT nothing"] {
        let mut connection = desk.acquire().await.unwrap();
        drop(sqlx::raw_sql(open).execute(&mut *connection).await);
        drop(connection);
        let mut after = store.begin().await.unwrap();
        query("SELECT 1 FROM nodes").fetch_optional(&mut after).await.unwrap();
        after.commit().await.unwrap();
    }
}
