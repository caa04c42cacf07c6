//! Somebody who is signed in, for the tests of any room, with the feature `testing` alone.

use tollgate_base::{AccountId, Caller, SessionId};
use tollgate_store::Store;

use super::UserSession;
use super::sql;

/// The form of a hash, of no password.
const HASH: &str = "$argon2id$v=19$";

/// Somebody who is signed in to an account, without the work that a password is.
pub async fn signed_in(store: &Store, account: AccountId, now_ms: i64) -> Caller {
    let id = SessionId(std::array::from_fn(|index| u8::from(index == 0) + account.0.to_be_bytes()[index % 8]));
    let session = UserSession {
        id,
        account,
        member: None,
        created_at_ms: now_ms,
        seen_at_ms: now_ms,
        ends_at_ms: now_ms + 1_000_000_000,
    };
    let mut transaction = store.begin().await.expect("the store works");
    sql::sessions::set_password(&mut transaction, account, HASH).await.expect("the store works");
    assert!(
        sql::sessions::insert_session(&mut transaction, &session, (Some(HASH), None), 100)
            .await
            .expect("the store works")
    );
    transaction.commit().await.expect("the store works");
    session.caller()
}
