//! The statements about operators.

use super::error::OperatorError;
use super::{Operator, OperatorRole, OperatorSession};
use tollgate_base::{OperatorId, SessionId};
use tollgate_store::{DatabaseRow, ErrorClass, ReadPool, StatementTarget, StoreError, StoreTransaction, query};

use crate::key::KeyHash;

/// The columns of an operator, in the order that [`operator`] wants.
macro_rules! columns {
    () => {
        "id, name, kind, role, state, created_at, shown_prefix, expires_at, invitation_ends_at, \
        CAST(CASE WHEN password IS NULL THEN 0 ELSE 1 END AS BIGINT)"
    };
}

/// The columns of a session, in the order that [`session`] wants.
macro_rules! session_columns {
    () => {
        "s.hash, s.operator_id, s.address, s.browser, s.created_at, s.seen_at, s.ends_at"
    };
}

const INSERT_PERSON: &str = "INSERT INTO operators (id, name, kind, role, state, created_at, invitation, invitation_ends_at) \
    VALUES ($1, $2, 'person', $3, 'active', $4, $5, $6)";
const INSERT_KEY: &str = "INSERT INTO operators (id, name, kind, role, state, created_at, hash, shown_prefix, expires_at) \
    VALUES ($1, $2, 'key', $3, 'active', $4, $5, $6, $7)";
const LIST: &str = concat!("SELECT ", columns!(), " FROM operators ORDER BY name");
const FIND: &str = concat!("SELECT ", columns!(), " FROM operators WHERE id = $1 OR name = $2");
const BY_KEY: &str = concat!("SELECT ", columns!(), " FROM operators WHERE hash = $1");
const BY_INVITATION: &str = concat!("SELECT ", columns!(), " FROM operators WHERE invitation = $1");
const CHANGE: &str = "UPDATE operators SET role = $2, state = $3 WHERE id = $1";
/// The password goes, and all that it opens.
const INVITE: &str =
    "UPDATE operators SET invitation = $2, invitation_ends_at = $3, password = NULL, totp = NULL WHERE id = $1";
/// Owners who are let in whenever they come: a key without an end, or a person who has accepted the invitation.
const OWNERS: &str = "SELECT count(*) FROM operators WHERE role = 'owner' AND state = 'active' AND expires_at IS NULL \
    AND (kind = 'key' OR password IS NOT NULL)";
const FIND_SIGN_IN: &str = concat!(
    "SELECT ",
    columns!(),
    ", password, totp, totp_step, totp_failed, totp_failed_at FROM operators WHERE name = $1 AND kind = 'person'"
);
const ACCEPT: &str = "UPDATE operators SET invitation = NULL, invitation_ends_at = NULL, password = $3, totp = $4, totp_step = $5, totp_failed = 0 \
    WHERE id = $1 AND invitation = $2 AND state = 'active' AND invitation_ends_at > $6";
const CODE_FAILED: &str = "UPDATE operators SET totp_failed = totp_failed + 1, totp_failed_at = $2 WHERE id = $1";
/// Takes a code, once.
const TAKE_CODE: &str = "UPDATE operators SET totp_step = $3, totp_failed = 0 WHERE id = $1 AND password = $2 AND state = 'active' AND totp_step < $3";
const INSERT_SESSION: &str = "INSERT INTO operator_sessions (hash, operator_id, address, browser, created_at, seen_at, ends_at) \
    VALUES ($1, $2, $3, $4, $5, $5, $6)";
const FIND_SESSION: &str = concat!(
    "SELECT ",
    session_columns!(),
    ", o.name, o.role FROM operator_sessions s JOIN operators o ON o.id = s.operator_id \
    WHERE s.hash = $1 AND o.state = 'active'"
);
const SESSIONS: &str = concat!(
    "SELECT ",
    session_columns!(),
    " FROM operator_sessions s WHERE s.operator_id = $1 AND s.ends_at > $2 AND s.seen_at > $3 ORDER BY s.created_at DESC"
);
const SEEN: &str = "UPDATE operator_sessions SET seen_at = $2 WHERE hash = $1 AND seen_at < $2";
const END_SESSION: &str = "DELETE FROM operator_sessions WHERE hash = $1 AND operator_id = $2";
const END_SESSIONS: &str = "DELETE FROM operator_sessions WHERE operator_id = $1";
const CLEAR_OVER: &str = "DELETE FROM operator_sessions WHERE ends_at <= $1";

/// A new operator's own secret, as it is stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum NewSecret<'a> {
    /// The hash of a key.
    Key(&'a KeyHash),
    /// The hash of an invitation.
    Invitation(&'a [u8; 32]),
}

pub(super) async fn insert(
    transaction: &mut StoreTransaction,
    operator: &Operator,
    secret: NewSecret<'_>,
) -> Result<(), OperatorError> {
    let insert = match secret {
        NewSecret::Key(_) => query(INSERT_KEY),
        NewSecret::Invitation(_) => query(INSERT_PERSON),
    };
    let insert =
        insert.bind(operator.id.0).bind(&operator.name).bind(operator.role.as_str()).bind(operator.created_at_ms);
    let insert = match secret {
        NewSecret::Key(hash) => {
            insert.bind(hash.as_slice()).bind(operator.shown.as_deref()).bind(operator.expires_at_ms)
        }
        NewSecret::Invitation(hash) => insert.bind(hash.as_slice()).bind(operator.invitation_ends_at_ms),
    };
    match insert.execute(transaction).await {
        Ok(_) => Ok(()),
        Err(error) if ErrorClass::is_unique(&error, "operators.name") => Err(OperatorError::NameTaken),
        Err(source) => Err(StoreError::Write { what: "an operator", source: source.into() }.into()),
    }
}

pub(super) async fn list(readers: &ReadPool) -> Result<Vec<Operator>, StoreError> {
    let rows = query(LIST).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(operator).collect()
}

pub(super) async fn find<'t>(
    target: impl Into<StatementTarget<'t>>,
    id_or_name: &str,
) -> Result<Option<Operator>, StoreError> {
    let id = id_or_name.parse::<i64>().ok();
    let row = query(FIND).bind(id).bind(id_or_name).fetch_optional(target).await.map_err(reading)?;
    row.as_ref().map(operator).transpose()
}

pub(super) async fn by_key(readers: &ReadPool, hash: &KeyHash) -> Result<Option<Operator>, StoreError> {
    let row = query(BY_KEY).bind(hash.as_slice()).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(operator).transpose()
}

pub(super) async fn by_invitation(readers: &ReadPool, hash: &[u8; 32]) -> Result<Option<Operator>, StoreError> {
    let row = query(BY_INVITATION).bind(hash.as_slice()).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(operator).transpose()
}

pub(super) async fn change(transaction: &mut StoreTransaction, operator: &Operator) -> Result<(), StoreError> {
    let change = query(CHANGE).bind(operator.id.0).bind(operator.role.as_str()).bind(operator.state.as_str());
    change.execute(transaction).await.map(drop).map_err(StoreError::write("an operator"))
}

pub(super) async fn invite(
    transaction: &mut StoreTransaction,
    id: OperatorId,
    invitation: &[u8; 32],
    ends_at_ms: i64,
) -> Result<(), StoreError> {
    let invite = query(INVITE).bind(id.0).bind(invitation.as_slice()).bind(ends_at_ms);
    invite.execute(transaction).await.map(drop).map_err(StoreError::write("an invitation"))
}

/// The number of owners who are let in.
pub(super) async fn owners(transaction: &mut StoreTransaction) -> Result<i64, StoreError> {
    let row = query(OWNERS).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The row that decides about a sign-in.
pub(super) struct SignInRow {
    pub(super) operator: Operator,
    pub(super) password: Option<String>,
    pub(super) totp: Option<Vec<u8>>,
    pub(super) totp_step: i64,
    /// Wrong codes since the last right one.
    pub(super) failed: i64,
    pub(super) failed_at_ms: i64,
}

pub(super) async fn find_sign_in(readers: &ReadPool, name: &str) -> Result<Option<SignInRow>, StoreError> {
    let row = query(FIND_SIGN_IN).bind(name).fetch_optional(readers).await.map_err(reading)?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(SignInRow {
        operator: operator(&row)?,
        password: row.try_get(10).map_err(reading)?,
        totp: row.try_get(11).map_err(reading)?,
        totp_step: row.try_get(12).map_err(reading)?,
        failed: row.try_get(13).map_err(reading)?,
        failed_at_ms: row.try_get(14).map_err(reading)?,
    }))
}

/// The password and second factor that a person chooses with an invitation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Enrolment<'a> {
    pub(super) invitation: &'a [u8; 32],
    pub(super) password: &'a str,
    pub(super) totp: &'a [u8],
    pub(super) totp_step: i64,
}

/// Writes them down, once per invitation. False where it was used, has ended, or the operator is disabled.
pub(super) async fn accept(
    transaction: &mut StoreTransaction,
    id: OperatorId,
    enrolment: Enrolment<'_>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let Enrolment { invitation, password, totp, totp_step } = enrolment;
    let accept =
        query(ACCEPT).bind(id.0).bind(invitation.as_slice()).bind(password).bind(totp).bind(totp_step).bind(now_ms);
    Ok(accept.execute(transaction).await.map_err(StoreError::write("a password"))? == 1)
}

/// Counts a wrong code beside the right password.
pub(super) async fn code_failed(
    transaction: &mut StoreTransaction,
    id: OperatorId,
    now_ms: i64,
) -> Result<(), StoreError> {
    let failed = query(CODE_FAILED).bind(id.0).bind(now_ms).execute(transaction).await;
    failed.map(drop).map_err(StoreError::write("a wrong code"))
}

/// Takes the code of a step. False where it was taken before, or the password is another since.
pub(super) async fn take_code(
    transaction: &mut StoreTransaction,
    id: OperatorId,
    password: &str,
    step: i64,
) -> Result<bool, StoreError> {
    let take = query(TAKE_CODE).bind(id.0).bind(password).bind(step).execute(transaction).await;
    Ok(take.map_err(StoreError::write("a code"))? == 1)
}

pub(super) async fn insert_session(
    transaction: &mut StoreTransaction,
    session: &OperatorSession,
) -> Result<(), StoreError> {
    let OperatorSession { id, operator, address, browser, created_at_ms, ends_at_ms, .. } = session;
    let cleared = query(CLEAR_OVER).bind(*created_at_ms).execute(&mut *transaction).await;
    cleared.map_err(StoreError::write("sessions of operators"))?;
    let insert = query(INSERT_SESSION)
        .bind(id.0.as_slice())
        .bind(operator.0)
        .bind(address.as_deref())
        .bind(browser.as_deref())
        .bind(*created_at_ms)
        .bind(*ends_at_ms);
    insert.execute(transaction).await.map(drop).map_err(StoreError::write("a session of an operator"))
}

/// A session of an active operator, with the operator's name and role.
pub(super) async fn find_session(
    readers: &ReadPool,
    id: SessionId,
) -> Result<Option<(OperatorSession, String, OperatorRole)>, StoreError> {
    let row = query(FIND_SESSION).bind(id.0.as_slice()).fetch_optional(readers).await.map_err(reading)?;
    let Some(row) = row else { return Ok(None) };
    let role = StoreError::parsed(row.try_get(8).map_err(reading)?, "an operator's role", |text| text.parse().ok())?;
    Ok(Some((session(&row)?, row.try_get(7).map_err(reading)?, role)))
}

/// The sessions of an operator that are not over, the newest first.
pub(super) async fn sessions(
    readers: &ReadPool,
    operator: OperatorId,
    now_ms: i64,
    seen_after_ms: i64,
) -> Result<Vec<OperatorSession>, StoreError> {
    let rows = query(SESSIONS).bind(operator.0).bind(now_ms).bind(seen_after_ms).fetch_all(readers).await;
    rows.map_err(reading)?.iter().map(session).collect()
}

pub(super) async fn seen(transaction: &mut StoreTransaction, id: SessionId, at_ms: i64) -> Result<(), StoreError> {
    let seen = query(SEEN).bind(id.0.as_slice()).bind(at_ms).execute(transaction).await;
    seen.map(drop).map_err(StoreError::write("a session of an operator"))
}

/// Ends a session of an operator, or all of them. Gives their number.
pub(super) async fn end_sessions(
    transaction: &mut StoreTransaction,
    operator: OperatorId,
    session: Option<SessionId>,
) -> Result<u64, StoreError> {
    let ended = match session {
        Some(id) => query(END_SESSION).bind(id.0.as_slice()).bind(operator.0).execute(transaction).await,
        None => query(END_SESSIONS).bind(operator.0).execute(transaction).await,
    };
    ended.map_err(StoreError::write("a session of an operator"))
}

fn operator(row: &DatabaseRow) -> Result<Operator, StoreError> {
    Ok(Operator {
        id: OperatorId(row.try_get(0).map_err(reading)?),
        name: row.try_get(1).map_err(reading)?,
        kind: StoreError::parsed(row.try_get(2).map_err(reading)?, "an operator's kind", |text| text.parse().ok())?,
        role: StoreError::parsed(row.try_get(3).map_err(reading)?, "an operator's role", |text| text.parse().ok())?,
        state: StoreError::parsed(row.try_get(4).map_err(reading)?, "an operator's state", |text| text.parse().ok())?,
        created_at_ms: row.try_get(5).map_err(reading)?,
        shown: row.try_get(6).map_err(reading)?,
        expires_at_ms: row.try_get(7).map_err(reading)?,
        invitation_ends_at_ms: row.try_get(8).map_err(reading)?,
        enrolled: row.try_get::<i64>(9).map_err(reading)? == 1,
    })
}

fn session(row: &DatabaseRow) -> Result<OperatorSession, StoreError> {
    let hash: Vec<u8> = row.try_get(0).map_err(reading)?;
    let unreadable = |_| StoreError::Unreadable { what: "a session's hash", found: "another length".to_owned() };
    Ok(OperatorSession {
        id: SessionId(hash.try_into().map_err(unreadable)?),
        operator: OperatorId(row.try_get(1).map_err(reading)?),
        address: row.try_get(2).map_err(reading)?,
        browser: row.try_get(3).map_err(reading)?,
        created_at_ms: row.try_get(4).map_err(reading)?,
        seen_at_ms: row.try_get(5).map_err(reading)?,
        ends_at_ms: row.try_get(6).map_err(reading)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "operators", source: source.into() }
}
