//! The statements about members.

use super::{PoolRow, budgets, insert_pool, reading, writing};
use crate::{Member, Membership, OrganisationError, TeamState};
use tollgate_api::generated::types::MemberRole;
use tollgate_base::{AccountId, PoolId};
use tollgate_store::{DatabaseRow, ErrorClass, ReadPool, StatementTarget, StoreError, StoreTransaction, query};

macro_rules! members {
    ($rest:literal) => {
        concat!(
            "SELECT p.budget_day, p.budget_week, p.budget_month, p.budget_life, p.raised_by, p.raised_until, m.id, m.person_id, a.name, \
                m.role, m.state, m.created_at, m.left_at, (SELECT count(*) FROM api_keys k \
                WHERE k.account_id = m.account_id AND k.member_id = m.id AND k.state = 'active') \
                FROM members m JOIN budget_pools p ON p.id = m.id JOIN accounts a ON a.id = m.person_id WHERE m.account_id = $1",
            $rest
        )
    };
}
/// Those who have left pile up over the years.
const MEMBERS: &str = members!(" ORDER BY m.state, a.name, m.id LIMIT 20000");
const MEMBER: &str = members!(" AND m.id = $2");
const INSERT: &str =
    "INSERT INTO members (id, account_id, person_id, role, state, created_at) VALUES ($1, $2, $3, $4, 'active', $5)";
const CHANGE_ROLE: &str = "UPDATE members SET role = $2 WHERE id = $1 AND role <> $2";
const REVOKE_KEYS: &str = "UPDATE api_keys SET state = 'revoked', rev = rev + 1 \
    WHERE account_id = $1 AND member_id = $2 AND state = 'active'";
const KEEP_KEYS: &str =
    "UPDATE api_keys SET member_id = NULL WHERE account_id = $1 AND member_id = $2 AND state = 'active'";
const END: &str = "UPDATE members SET state = 'left', left_at = $2 WHERE id = $1";
const COUNT_OF_PERSON: &str = "SELECT count(*) FROM members WHERE person_id = $1 AND state = 'active'";
const NAME: &str = "SELECT name FROM accounts WHERE id = $1";
/// The own account first. Nobody acts for a frozen one.
const MEMBERSHIPS: &str = "SELECT a.id, a.name, 'owner', NULL, 0 AS place FROM accounts a WHERE a.id = $1 \
    UNION ALL SELECT a.id, a.name, m.role, m.id, 1 FROM members m JOIN accounts a ON a.id = m.account_id \
        WHERE m.person_id = $1 AND m.state = 'active' AND a.state = 'active' ORDER BY 5, 2";

pub(in super::super) async fn members(readers: &ReadPool, account: AccountId) -> Result<Vec<Member>, StoreError> {
    let rows = query(MEMBERS).bind(account.0).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// The member of this number, where it is the organisation's own.
pub(in super::super) async fn member(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: PoolId,
) -> Result<Option<Member>, StoreError> {
    let row = query(MEMBER).bind(account.0).bind(id.0).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// Writes a member down, with its budgets.
pub(in super::super) async fn insert(
    transaction: &mut StoreTransaction,
    account: AccountId,
    member: &Member,
) -> Result<(), OrganisationError> {
    insert_pool(transaction, account, "member", pool(member), member.created_at_ms).await.map_err(refused)?;
    let insert = query(INSERT).bind(member.id.0).bind(account.0).bind(member.person.0);
    let inserted = insert.bind(member.role.as_str()).bind(member.created_at_ms).execute(transaction).await;
    inserted.map(drop).map_err(refused)
}

/// Writes the budgets of a member, which are open as long as it is one.
pub(in super::super) async fn change_pool(
    transaction: &mut StoreTransaction,
    member: &Member,
    state: TeamState,
) -> Result<(), OrganisationError> {
    super::change_pool(transaction, pool(member), state).await.map_err(refused)
}

fn pool(member: &Member) -> PoolRow<'_> {
    PoolRow { id: member.id, name: &member.name, budgets: &member.budgets }
}

pub(in super::super) async fn change_role(
    transaction: &mut StoreTransaction,
    id: PoolId,
    role: MemberRole,
) -> Result<(), OrganisationError> {
    let change = query(CHANGE_ROLE).bind(id.0).bind(role.as_str());
    change.execute(transaction).await.map(drop).map_err(refused)
}

pub(in super::super) async fn revoke_keys(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: PoolId,
) -> Result<(), StoreError> {
    query(REVOKE_KEYS).bind(account.0).bind(id.0).execute(transaction).await.map(drop).map_err(writing)
}

pub(in super::super) async fn keep_keys(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: PoolId,
) -> Result<(), StoreError> {
    query(KEEP_KEYS).bind(account.0).bind(id.0).execute(transaction).await.map(drop).map_err(writing)
}

/// Closes the budgets of a member and ends the membership, which ends the sessions that act by it.
pub(in super::super) async fn end(
    transaction: &mut StoreTransaction,
    member: &Member,
    at_ms: i64,
) -> Result<(), OrganisationError> {
    change_pool(transaction, member, TeamState::Closed).await?;
    query(END).bind(member.id.0).bind(at_ms).execute(transaction).await.map(drop).map_err(refused)
}

pub(in super::super) async fn count_of_person(
    transaction: &mut StoreTransaction,
    person: AccountId,
) -> Result<i64, StoreError> {
    let row = query(COUNT_OF_PERSON).bind(person.0).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

pub(in super::super) async fn name(
    transaction: &mut StoreTransaction,
    person: AccountId,
) -> Result<String, StoreError> {
    let row = query(NAME).bind(person.0).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The own account of a person, and the organisations that it is a member of.
pub(in super::super) async fn memberships<'t>(
    reader: impl Into<StatementTarget<'t>>,
    person: AccountId,
) -> Result<Vec<Membership>, StoreError> {
    let rows = query(MEMBERSHIPS).bind(person.0).fetch_all(reader).await.map_err(reading)?;
    let membership = |row: &DatabaseRow| {
        Ok(Membership {
            account: AccountId(row.try_get(0).map_err(reading)?),
            name: row.try_get(1).map_err(reading)?,
            role: StoreError::parsed(row.try_get(2).map_err(reading)?, "a member's role", |text| text.parse().ok())?,
            member: row.try_get::<Option<i64>>(3).map_err(reading)?.map(PoolId),
        })
    };
    rows.iter().map(membership).collect()
}

fn read(row: &DatabaseRow) -> Result<Member, StoreError> {
    Ok(Member {
        budgets: budgets(row, 0)?,
        id: PoolId(row.try_get(6).map_err(reading)?),
        person: AccountId(row.try_get(7).map_err(reading)?),
        name: row.try_get(8).map_err(reading)?,
        role: StoreError::parsed(row.try_get(9).map_err(reading)?, "a member's role", |text| text.parse().ok())?,
        state: StoreError::parsed(row.try_get(10).map_err(reading)?, "a member's state", |text| text.parse().ok())?,
        created_at_ms: row.try_get(11).map_err(reading)?,
        left_at_ms: row.try_get(12).map_err(reading)?,
        keys: row.try_get(13).map_err(reading)?,
        usage: Vec::new(),
    })
}

fn refused(error: sqlx::Error) -> OrganisationError {
    if ErrorClass::is_unique(&error, "members.person_id") || ErrorClass::is_unique(&error, "budget_pools.name") {
        return OrganisationError::AlreadyMember;
    }
    if error.to_string().contains("an organisation keeps an owner") {
        return OrganisationError::LastOwner;
    }
    writing(error).into()
}
