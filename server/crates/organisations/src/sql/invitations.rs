//! The statements about invitations.

use super::{reading, writing};
use crate::{Invitation, InvitationState};
use tollgate_base::{AccountId, PoolId};
use tollgate_store::{DatabaseRow, ReadPool, SqlText, StoreError, StoreTransaction, query};

macro_rules! invitations {
    ($rest:literal) => {
        concat!(
            "SELECT i.id, i.account_id, i.invited, i.role, i.state, i.created_at, i.ends_at, i.member_id, a.name, i.invited_by \
                FROM invitations i JOIN accounts a ON a.id = i.account_id WHERE ",
            $rest
        )
    };
}
const LIST: &str = invitations!(
    "i.account_id = $1 ORDER BY CASE i.state WHEN 'open' THEN 0 ELSE 1 END, i.created_at DESC, i.id LIMIT 2000"
);
/// To a frozen organisation nobody is invited.
const BY_HASH: &str = invitations!("i.hash = $1 AND a.state = 'active'");
/// Locked, so that it is answered once.
const ONE: SqlText = SqlText::of(
    invitations!("i.account_id = $1 AND i.id = $2 AND a.state = 'active'"),
    invitations!("i.account_id = $1 AND i.id = $2 AND a.state = 'active' FOR UPDATE OF i"),
);
const INSERT: &str = "INSERT INTO invitations (id, account_id, hash, invited, role, state, created_at, ends_at, invited_by) \
    VALUES ($1, $2, $3, $4, $5, 'open', $6, $7, $8)";
const ANSWER: &str = "UPDATE invitations SET state = $2, member_id = $3 WHERE id = $1";
/// Those of a member who may invite no longer.
const WITHDRAW_OF: &str =
    "UPDATE invitations SET state = 'withdrawn' WHERE account_id = $1 AND invited_by = $2 AND state = 'open'";
const OPEN: &str = "SELECT count(*) FROM invitations WHERE account_id = $1 AND state = 'open' AND ends_at > $2";

const MADE_SINCE: &str = "SELECT count(*), count(CASE WHEN invited = $3 THEN 1 END) FROM invitations \
    WHERE account_id = $1 AND created_at > $2";

pub(in super::super) async fn invitations(
    readers: &ReadPool,
    account: AccountId,
) -> Result<Vec<Invitation>, StoreError> {
    let rows = query(LIST).bind(account.0).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// The invitation of this number, where it is the organisation's own and that is not frozen, kept as it is up to the end of the transaction.
pub(in super::super) async fn invitation(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: i64,
) -> Result<Option<Invitation>, StoreError> {
    let row = query(ONE).bind(account.0).bind(id).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// The invitation of the secret with this hash, and the name of its organisation.
pub(in super::super) async fn by_hash(
    readers: &ReadPool,
    hash: &[u8; 32],
) -> Result<Option<(Invitation, String)>, StoreError> {
    let row = query(BY_HASH).bind(hash.as_slice()).fetch_optional(readers).await.map_err(reading)?;
    row.map(|row| Ok((read(&row)?, row.try_get(8).map_err(reading)?))).transpose()
}

pub(in super::super) async fn insert(
    transaction: &mut StoreTransaction,
    invitation: &Invitation,
    hash: &[u8; 32],
) -> Result<(), StoreError> {
    let insert = query(INSERT).bind(invitation.id).bind(invitation.organisation.0).bind(hash.as_slice());
    let insert = insert.bind(&invitation.invited).bind(invitation.role.as_str()).bind(invitation.created_at_ms);
    let insert = insert.bind(invitation.ends_at_ms).bind(invitation.by.map(|member| member.0));
    insert.execute(transaction).await.map(drop).map_err(writing)
}

/// Writes down that an invitation was accepted or withdrawn.
pub(in super::super) async fn answer(
    transaction: &mut StoreTransaction,
    invitation: &Invitation,
) -> Result<(), StoreError> {
    let answer = query(ANSWER).bind(invitation.id).bind(invitation.state.as_str());
    answer.bind(invitation.member.map(|member| member.0)).execute(transaction).await.map(drop).map_err(writing)
}

/// Withdraws the open invitations of a member.
pub(in super::super) async fn withdraw_of(
    transaction: &mut StoreTransaction,
    account: AccountId,
    member: PoolId,
) -> Result<(), StoreError> {
    query(WITHDRAW_OF).bind(account.0).bind(member.0).execute(transaction).await.map(drop).map_err(writing)
}

/// The number of invitations that can be accepted.
pub(in super::super) async fn open(
    transaction: &mut StoreTransaction,
    account: AccountId,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let row = query(OPEN).bind(account.0).bind(now_ms).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// Numbers of invitations, whatever became of them.
pub(in super::super) struct MadeInvitations {
    pub(in super::super) all: i64,
    /// For one person, by the words of who invites.
    pub(in super::super) of_one: i64,
}

/// The numbers of invitations that were made since then.
pub(in super::super) async fn made_since(
    readers: &ReadPool,
    account: AccountId,
    invited: &str,
    since_ms: i64,
) -> Result<MadeInvitations, StoreError> {
    let asked = query(MADE_SINCE).bind(account.0).bind(since_ms).bind(invited);
    let row = asked.fetch_one(readers).await.map_err(reading)?;
    Ok(MadeInvitations { all: row.try_get(0).map_err(reading)?, of_one: row.try_get(1).map_err(reading)? })
}

fn read(row: &DatabaseRow) -> Result<Invitation, StoreError> {
    Ok(Invitation {
        id: row.try_get(0).map_err(reading)?,
        organisation: AccountId(row.try_get(1).map_err(reading)?),
        invited: row.try_get(2).map_err(reading)?,
        role: StoreError::parsed(row.try_get(3).map_err(reading)?, "an invitation's role", |text| text.parse().ok())?,
        state: StoreError::parsed(
            row.try_get(4).map_err(reading)?,
            "an invitation's state",
            InvitationState::from_text,
        )?,
        created_at_ms: row.try_get(5).map_err(reading)?,
        ends_at_ms: row.try_get(6).map_err(reading)?,
        member: row.try_get::<Option<i64>>(7).map_err(reading)?.map(PoolId),
        by: row.try_get::<Option<i64>>(9).map_err(reading)?.map(PoolId),
    })
}
