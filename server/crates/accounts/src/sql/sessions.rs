//! The statements about signing in.

use super::reading;
use crate::{AccountState, ActingMember, UserSession};
use tollgate_base::{AccountId, PoolId, SessionId};
use tollgate_store::{DatabaseRow, ReadPool, SqlText, StatementTarget, StoreError, StoreTransaction, query};

/// The name as it is typed counts before the one in small letters, and what nobody signs in to by a password after both.
const FIND_SIGN_IN: &str = "SELECT id, state, password FROM accounts WHERE name = $1 OR name = $2 \
    ORDER BY CASE WHEN password IS NULL THEN 1 ELSE 0 END, CASE WHEN name = $1 THEN 0 ELSE 1 END LIMIT 1";
const SET_PASSWORD: &str = "UPDATE accounts SET password = $2 WHERE id = $1";
/// As it was when the password before was compared.
const REPLACE_PASSWORD: &str = "UPDATE accounts SET password = $3 WHERE id = $1 AND state = 'active' AND password = $2";
/// One that has none.
const SET_FIRST_PASSWORD: &str =
    "UPDATE accounts SET password = $2 WHERE id = $1 AND state = 'active' AND password IS NULL";
/// Inserts a session of the account as it was when the password was compared, where one was: that an account without has something
/// else to sign in by is a rule of the database. One that was frozen, or has another password since, has none. It acts as the person
/// did last, as long as that is a member, and one that the same provider has made where one did.
macro_rules! insert {
    ($kept:literal) => {
        concat!(
            "INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at, issuer, member_id) \
                SELECT $1, id, $3, $3, $4, $6, (SELECT m.id FROM members m JOIN accounts o ON o.id = m.account_id \
                    WHERE m.id = accounts.entered_id AND m.person_id = accounts.id AND m.state = 'active' AND o.state = 'active' \
                        AND (m.issuer IS NULL OR m.issuer = $6)",
            $kept,
            ") FROM accounts WHERE id = $2 AND state = 'active' AND ($5 IS NULL OR password = $5)"
        )
    };
}
/// On a server the membership is kept as it is meanwhile, so that of one that ends nothing is left.
const INSERT: SqlText = SqlText::of(insert!(""), insert!(" FOR SHARE OF m"));
const HAS_PASSWORD: &str = "SELECT 1 FROM accounts WHERE id = $1 AND password IS NOT NULL";
/// The account that a session acts for decides whether it is let in, and the person's own.
macro_rules! find {
    ($rest:literal) => {
        concat!(
            "SELECT s.account_id, s.created_at, s.seen_at, s.ends_at, \
                CASE WHEN a.state = 'active' AND coalesce(o.state, 'active') = 'active' THEN 'active' ELSE 'frozen' END, \
                m.id, m.account_id, m.role, CAST(CASE WHEN m.issuer IS NULL THEN 0 ELSE 1 END AS BIGINT) FROM sessions s JOIN accounts a ON a.id = s.account_id \
                LEFT JOIN members m ON m.id = s.member_id LEFT JOIN accounts o ON o.id = m.account_id WHERE s.hash = $1",
            $rest
        )
    };
}
const FIND: &str = find!("");
/// Finds a session, which does not end while the transaction runs.
const FIND_AND_KEEP: SqlText = SqlText::of(FIND, find!(" FOR KEY SHARE OF s"));
/// Keeps a member's role and membership as they are while the transaction runs.
const KEEP_MEMBER: SqlText = SqlText::of(
    "SELECT role FROM members WHERE id = $1 AND state = 'active'",
    "SELECT role FROM members WHERE id = $1 AND state = 'active' FOR SHARE",
);
/// The session of a person acts for an organisation, or for the own account, and so does the next one.
const ACT_AS: &str = "UPDATE sessions SET member_id = $2 WHERE hash = $1";
const ENTER: &str = "UPDATE accounts SET entered_id = $2 WHERE id = $1";
/// An open invitation to an organisation that is not frozen lets one account be opened.
const IS_INVITED: &str = "SELECT 1 FROM invitations i JOIN accounts a ON a.id = i.account_id \
    WHERE i.hash = $1 AND i.state = 'open' AND i.ends_at > $2 AND i.registered_id IS NULL AND a.state = 'active'";
const REGISTER_INVITED: &str = "UPDATE invitations SET registered_id = $2 WHERE hash = $1 AND state = 'open' AND ends_at > $3 \
    AND registered_id IS NULL AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = invitations.account_id AND a.state = 'active')";
const SEEN: &str = "UPDATE sessions SET seen_at = $2 WHERE hash = $1 AND seen_at < $2";
const END: &str = "DELETE FROM sessions WHERE hash = $1";
/// Finds the sessions of an account that are not over, the newest first.
const LIST: &str = "SELECT s.account_id, s.created_at, s.seen_at, s.ends_at, s.hash FROM sessions s \
    WHERE s.account_id = $1 AND s.ends_at > $2 AND s.seen_at > $3 ORDER BY s.created_at DESC";
const END_ONE: &str = "DELETE FROM sessions WHERE account_id = $1 AND hash <> $2 AND hash = $3";
const END_OTHERS: &str = "DELETE FROM sessions WHERE account_id = $1 AND hash <> $2";
const END_OF_ISSUER: &str = "DELETE FROM sessions WHERE account_id = $1 AND issuer = $2 AND created_at <= $3";
/// Deletes the oldest of one account beyond so many.
const CLEAR: &str = "DELETE FROM sessions WHERE account_id = $1 AND hash NOT IN \
    (SELECT hash FROM sessions WHERE account_id = $1 ORDER BY created_at DESC LIMIT $2)";
/// Deletes a few sessions that are over, whoever's they are, of those that have been over for longest.
/// On a server it leaves out those that another account's sign-in or sign-out is about to delete, so that none waits for the
/// other.
const CLEAR_OVER: SqlText = SqlText::of(
    "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2)",
    "DELETE FROM sessions WHERE hash IN \
        (SELECT hash FROM sessions WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
);
/// The most sessions that one sign-in deletes: more than it makes, so that they become fewer.
const CLEARED_AT_ONCE: i64 = 100;

/// The row that decides about a sign-in.
pub(in super::super) struct SignInRow {
    pub(in super::super) account: AccountId,
    pub(in super::super) state: AccountState,
    pub(in super::super) password: Option<String>,
}

pub(in super::super) async fn find_sign_in(
    readers: &ReadPool,
    name: &str,
    small: &str,
) -> Result<Option<SignInRow>, StoreError> {
    let row = query(FIND_SIGN_IN).bind(name).bind(small).fetch_optional(readers).await.map_err(reading)?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(SignInRow {
        account: AccountId(row.try_get(0).map_err(reading)?),
        state: StoreError::parsed(row.try_get(1).map_err(reading)?, "an account's state", AccountState::from_text)?,
        password: row.try_get(2).map_err(reading)?,
    }))
}

/// True if an account has a password.
pub(in super::super) async fn has_password<'t>(
    reader: impl Into<StatementTarget<'t>>,
    account: AccountId,
) -> Result<bool, StoreError> {
    let row = query(HAS_PASSWORD).bind(account.0).fetch_optional(reader).await.map_err(reading)?;
    Ok(row.is_some())
}

/// Sets the password of an account, which ends its sessions.
pub(in super::super) async fn set_password(
    transaction: &mut StoreTransaction,
    account: AccountId,
    hash: &str,
) -> Result<(), StoreError> {
    let set = query(SET_PASSWORD).bind(account.0).bind(hash).execute(transaction).await;
    set.map(drop).map_err(StoreError::write("a password"))
}

/// Sets the password of an active account in the place of another, which ends its sessions; false where it has another since.
pub(in super::super) async fn replace_password(
    transaction: &mut StoreTransaction,
    account: AccountId,
    before: &str,
    hash: &str,
) -> Result<bool, StoreError> {
    let set = query(REPLACE_PASSWORD).bind(account.0).bind(before).bind(hash).execute(transaction).await;
    Ok(set.map_err(StoreError::write("a password"))? == 1)
}

/// Sets the first password of an active account, which ends its sessions; false where it has one.
pub(in super::super) async fn set_first_password(
    transaction: &mut StoreTransaction,
    account: AccountId,
    hash: &str,
) -> Result<bool, StoreError> {
    let set = query(SET_FIRST_PASSWORD).bind(account.0).bind(hash).execute(transaction).await;
    Ok(set.map_err(StoreError::write("a password"))? == 1)
}

/// Writes a session down, and deletes those beyond `most` and a few of those that are over.
/// True if the account is active still, and still one that has this password's hash where one was compared, and so has a session now.
pub(in super::super) async fn insert_session(
    transaction: &mut StoreTransaction,
    session: &UserSession,
    (password, issuer): (Option<&str>, Option<&str>),
    most: i64,
) -> Result<bool, StoreError> {
    let UserSession { id, account, created_at_ms, ends_at_ms, .. } = session;
    let insert = query(INSERT).bind(id.0.as_slice()).bind(account.0).bind(*created_at_ms).bind(*ends_at_ms);
    let inserted =
        insert.bind(password).bind(issuer).execute(&mut *transaction).await.map_err(StoreError::write("a session"))?;
    let cleared = query(CLEAR).bind(account.0).bind(most).execute(&mut *transaction).await;
    cleared.map_err(StoreError::write("sessions"))?;
    let cleared = query(CLEAR_OVER).bind(*created_at_ms).bind(CLEARED_AT_ONCE).execute(transaction).await;
    cleared.map_err(StoreError::write("sessions"))?;
    Ok(inserted == 1)
}

pub(in super::super) async fn find_session(
    readers: &ReadPool,
    id: SessionId,
) -> Result<Option<(UserSession, AccountState)>, StoreError> {
    let row = query(FIND).bind(id.0.as_slice()).fetch_optional(readers).await.map_err(reading)?;
    row.map(|row| session(id, &row)).transpose()
}

/// Finds a session within a transaction, up to whose end it stays.
pub(in super::super) async fn keep_session(
    transaction: &mut StoreTransaction,
    id: SessionId,
) -> Result<Option<(UserSession, AccountState)>, StoreError> {
    let row = query(FIND_AND_KEEP).bind(id.0.as_slice()).fetch_optional(transaction).await.map_err(reading)?;
    row.map(|row| session(id, &row)).transpose()
}

/// The role of a member, which keeps it, and stays one, up to the end of the transaction. Nothing where the membership has ended.
pub(in super::super) async fn keep_member(
    transaction: &mut StoreTransaction,
    member: PoolId,
) -> Result<Option<String>, StoreError> {
    let row = query(KEEP_MEMBER).bind(member.0).fetch_optional(transaction).await.map_err(reading)?;
    row.map(|row| row.try_get::<String>(0)).transpose().map_err(reading)
}

/// Lets a session act for an organisation, or for the person's own account.
pub(in super::super) async fn act_as(
    transaction: &mut StoreTransaction,
    id: SessionId,
    person: AccountId,
    member: Option<PoolId>,
) -> Result<(), StoreError> {
    let member = member.map(|member| member.0);
    let acted = query(ACT_AS).bind(id.0.as_slice()).bind(member).execute(&mut *transaction).await;
    acted.map_err(StoreError::write("the organisation of a session"))?;
    let entered = query(ENTER).bind(person.0).bind(member).execute(transaction).await;
    entered.map(drop).map_err(StoreError::write("the organisation of a session"))
}

/// True if an open invitation of this token's hash has opened no account yet.
pub(in super::super) async fn is_invited(readers: &ReadPool, hash: SessionId, now_ms: i64) -> Result<bool, StoreError> {
    let row = query(IS_INVITED).bind(hash.0.as_slice()).bind(now_ms).fetch_optional(readers).await;
    row.map(|row| row.is_some()).map_err(reading)
}

/// Uses an open invitation of this token's hash up for an account that is opened; false where there is none.
pub(in super::super) async fn register_invited(
    transaction: &mut StoreTransaction,
    hash: SessionId,
    account: AccountId,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let used = query(REGISTER_INVITED).bind(hash.0.as_slice()).bind(account.0).bind(now_ms).execute(transaction).await;
    Ok(used.map_err(StoreError::write("an invitation"))? == 1)
}

pub(in super::super) async fn session_seen(
    transaction: &mut StoreTransaction,
    id: SessionId,
    at_ms: i64,
) -> Result<(), StoreError> {
    let seen = query(SEEN).bind(id.0.as_slice()).bind(at_ms).execute(transaction).await;
    seen.map(drop).map_err(StoreError::write("a session"))
}

pub(in super::super) async fn end_session(transaction: &mut StoreTransaction, id: SessionId) -> Result<(), StoreError> {
    let ended = query(END).bind(id.0.as_slice()).execute(transaction).await;
    ended.map(drop).map_err(StoreError::write("a session"))
}

/// The sessions of an account that end after the first of these times and were used after the second.
pub(in super::super) async fn sessions(
    readers: &ReadPool,
    account: AccountId,
    [now_ms, idle_ms]: [i64; 2],
) -> Result<Vec<UserSession>, StoreError> {
    let rows = query(LIST).bind(account.0).bind(now_ms).bind(idle_ms).fetch_all(readers).await.map_err(reading)?;
    let unreadable = |_| StoreError::Unreadable { what: "a session's hash", found: "another length".to_owned() };
    let session = |row: &DatabaseRow| {
        let hash: Vec<u8> = row.try_get(4).map_err(reading)?;
        times(SessionId(hash.try_into().map_err(unreadable)?), row)
    };
    rows.iter().map(session).collect()
}

/// Ends one session of an account, or all, but never the one that asks. Gives their number.
pub(in super::super) async fn end_other_sessions(
    transaction: &mut StoreTransaction,
    account: AccountId,
    asking: SessionId,
    session: Option<SessionId>,
) -> Result<u64, StoreError> {
    let ended = match session {
        Some(session) => {
            let end = query(END_ONE).bind(account.0).bind(asking.0.as_slice()).bind(session.0.as_slice());
            end.execute(transaction).await
        }
        None => query(END_OTHERS).bind(account.0).bind(asking.0.as_slice()).execute(transaction).await,
    };
    ended.map_err(StoreError::write("sessions"))
}

/// Ends the sessions of an account that began by a provider, up to a time.
pub(in super::super) async fn end_sessions_by(
    transaction: &mut StoreTransaction,
    account: AccountId,
    issuer: &str,
    upto_ms: i64,
) -> Result<u64, StoreError> {
    let ended = query(END_OF_ISSUER).bind(account.0).bind(issuer).bind(upto_ms).execute(transaction).await;
    ended.map_err(StoreError::write("sessions"))
}

/// A session by its number and the first four columns of a row.
fn times(id: SessionId, row: &DatabaseRow) -> Result<UserSession, StoreError> {
    Ok(UserSession {
        id,
        account: AccountId(row.try_get(0).map_err(reading)?),
        member: None,
        created_at_ms: row.try_get(1).map_err(reading)?,
        seen_at_ms: row.try_get(2).map_err(reading)?,
        ends_at_ms: row.try_get(3).map_err(reading)?,
    })
}

fn session(id: SessionId, row: &DatabaseRow) -> Result<(UserSession, AccountState), StoreError> {
    let session = UserSession { member: acting(row)?, ..times(id, row)? };
    let state = StoreError::parsed(row.try_get(4).map_err(reading)?, "an account's state", AccountState::from_text)?;
    Ok((session, state))
}

/// The membership in the last four columns of a row.
fn acting(row: &DatabaseRow) -> Result<Option<ActingMember>, StoreError> {
    let Some(id) = row.try_get::<Option<i64>>(5).map_err(reading)? else { return Ok(None) };
    Ok(Some(ActingMember {
        id: PoolId(id),
        organisation: AccountId(row.try_get(6).map_err(reading)?),
        role: StoreError::parsed(row.try_get(7).map_err(reading)?, "a member's role", |text| text.parse().ok())?,
        by_groups: row.try_get::<i64>(8).map_err(reading)? == 1,
    }))
}
