//! The statements about members.

use super::{PoolRow, budgets, insert_pool, reading, writing};
use crate::{Member, Membership, OrganisationError, PooledBudgets, ProviderPerson, TeamState};
use tollgate_api::generated::types::MemberRole;
use tollgate_base::{AccountId, Caller, CallerCredential, PoolId, SessionId, Usd};
use tollgate_store::{DatabaseRow, ErrorClass, ReadPool, StatementTarget, StoreError, StoreTransaction, query};

macro_rules! members {
    ($rest:literal) => {
        concat!(
            "SELECT p.budget_day, p.budget_week, p.budget_month, p.budget_life, p.raised_by, p.raised_until, m.id, m.person_id, a.name, \
                m.role, m.state, m.created_at, m.left_at, (SELECT count(*) FROM api_keys k WHERE k.account_id = m.account_id \
                    AND k.state = 'active' AND (k.member_id = m.id OR (k.made_by = m.id AND coalesce(k.team_id, k.member_id) IS NULL))), \
                m.issuer, CAST(CASE WHEN m.lapsed = 0 THEN 0 \
                    WHEN m.person_id IN (SELECT n.person_id FROM members n WHERE n.account_id = $1 AND n.lapsed = 0) THEN 0 \
                    WHEN (m.issuer, m.subject) IN (SELECT n.issuer, n.subject FROM members n WHERE n.account_id = $1 AND n.lapsed = 0) \
                    THEN 0 ELSE 1 END AS BIGINT), m.subject \
                FROM members m JOIN budget_pools p ON p.id = m.id JOIN accounts a ON a.id = m.person_id WHERE m.account_id = $1",
            $rest
        )
    };
}
/// Those who have left pile up over the years.
const MEMBERS: &str = members!(" ORDER BY m.state, a.name, m.id LIMIT 20000");
const MEMBER: &str = members!(" AND m.id = $2");
const ACTIVE: &str = members!(" AND m.person_id = $2 AND m.state = 'active'");
const INSERT: &str = "INSERT INTO members (id, account_id, person_id, role, state, created_at, issuer, subject) \
    VALUES ($1, $2, $3, $4, 'active', $5, $6, $7)";
/// One that a lost group has ended, by the account that the person has now.
const RETURN: &str = "UPDATE members SET state = 'active', left_at = NULL, lapsed = 0, role = $2, person_id = $3, \
    subject = $4 WHERE id = $1 AND lapsed = 1";
/// Whoever acts as no member of now begins as this one.
const ENTER_FIRST: &str = "UPDATE accounts SET entered_id = $2 WHERE id = $1 \
    AND NOT EXISTS (SELECT 1 FROM members WHERE id = accounts.entered_id AND person_id = accounts.id AND state = 'active')";
const CHANGE_ROLE: &str = "UPDATE members SET role = $2 WHERE id = $1 AND role <> $2";
/// Its own, and those that it has made and that are nobody else's and no team's.
const REVOKE_KEYS: &str = "UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE account_id = $1 AND state = 'active' \
    AND (member_id = $2 OR (made_by = $2 AND coalesce(team_id, member_id) IS NULL))";
/// Those that it has made and that are nobody else's and no team's are its own.
const OWN_KEYS: &str = "UPDATE api_keys SET member_id = $2 WHERE account_id = $1 AND state = 'active' AND made_by = $2 \
    AND coalesce(team_id, member_id) IS NULL";
/// Nobody has made what stays; what manages the account ends with the membership.
const FORGET_MAKER: &str =
    "UPDATE api_keys SET made_by = NULL WHERE account_id = $1 AND made_by = $2 AND state = 'active' AND manages = 0";
const KNOW: &str = "UPDATE members SET subject = $2 WHERE id = $1 AND issuer IS NOT NULL AND subject IS NULL";
/// Whoever leaves may have their secrets still: each gets the budgets that the member had, where its own are not lower.
const KEEP_KEYS: &str = "UPDATE api_keys SET member_id = NULL, \
    budget_day = CASE WHEN budget_day IS NULL OR $3 < budget_day THEN $3 ELSE budget_day END, \
    budget_week = CASE WHEN budget_week IS NULL OR $4 < budget_week THEN $4 ELSE budget_week END, \
    budget_month = CASE WHEN budget_month IS NULL OR $5 < budget_month THEN $5 ELSE budget_month END, \
    budget_life = CASE WHEN budget_life IS NULL OR $6 < budget_life THEN $6 ELSE budget_life END \
    WHERE account_id = $1 AND member_id = $2 AND state = 'active'";
/// The last membership that groups of a provider had made of a person, by this account or another, and that these groups bring back.
const LAPSED: &str = members!(
    " AND m.lapsed = 1 AND m.issuer = $3 AND (m.person_id = $2 OR m.subject = $4) ORDER BY m.left_at DESC, m.id DESC LIMIT 1"
);
const BY_ISSUER: &str = "SELECT account_id FROM members WHERE person_id = $1 AND issuer = $2 AND state = 'active' ORDER BY account_id LIMIT 1000";
/// As the rules of the database count owners.
const ONLY_OWNER_BY: &str = "SELECT count(*) FROM members m JOIN accounts a ON a.id = m.account_id \
    WHERE m.person_id = $1 AND m.issuer = $2 AND m.state = 'active' AND m.role = 'owner' AND a.password IS NULL \
        AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.account_id = m.account_id) \
        AND NOT EXISTS (SELECT 1 FROM members o WHERE o.account_id = m.account_id AND o.id <> m.id AND o.role = 'owner' \
            AND o.state = 'active')";
const PEOPLE_BY_ISSUER: &str =
    "SELECT person_id, account_id FROM members WHERE issuer = $1 AND state = 'active' ORDER BY person_id, account_id";
const END: &str = "UPDATE members SET state = 'left', left_at = $2, lapsed = $3 WHERE id = $1";
const KEEP_OUT: &str = "UPDATE members SET lapsed = 0 WHERE id = $1 AND lapsed = 1";
const IS_KEPT_OUT: &str = "SELECT count(*) FROM members WHERE account_id = $1 AND state = 'left' AND lapsed = 0 \
    AND (person_id = $2 OR (issuer = $3 AND subject = $4))";
const COUNT_OF_PERSON: &str = "SELECT count(*) FROM members WHERE person_id = $1 AND state = 'active'";
const NAME: &str = "SELECT name FROM accounts WHERE id = $1";
/// The own account first. Nobody acts for a frozen one, or as a member that another provider has made than the session began by.
const MEMBERSHIPS: &str = "SELECT a.id, a.name, 'owner', NULL, 0 AS place FROM accounts a WHERE a.id = $1 \
    UNION ALL SELECT a.id, a.name, m.role, m.id, 1 FROM members m JOIN accounts a ON a.id = m.account_id \
        WHERE m.person_id = $1 AND m.state = 'active' AND a.state = 'active' \
            AND (m.issuer IS NULL OR m.issuer = (SELECT issuer FROM sessions WHERE hash = $2)) ORDER BY 5, 2";

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

/// True if there is an account of this number.
pub(in super::super) async fn is_account(
    transaction: &mut StoreTransaction,
    account: AccountId,
) -> Result<bool, StoreError> {
    let row = query(NAME).bind(account.0).fetch_optional(transaction).await.map_err(reading)?;
    Ok(row.is_some())
}

/// The organisations of which the groups of a provider have made a person a member.
pub(in super::super) async fn organisations_by(
    readers: &ReadPool,
    person: AccountId,
    issuer: &str,
) -> Result<Vec<AccountId>, StoreError> {
    let rows = query(BY_ISSUER).bind(person.0).bind(issuer).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0).map(AccountId).map_err(reading)).collect()
}

/// True if the groups of a provider have made a person the only owner of an organisation.
pub(in super::super) async fn is_only_owner_by(
    readers: &ReadPool,
    person: AccountId,
    issuer: &str,
) -> Result<bool, StoreError> {
    let row = query(ONLY_OWNER_BY).bind(person.0).bind(issuer).fetch_one(readers).await.map_err(reading)?;
    Ok(row.try_get::<i64>(0).map_err(reading)? > 0)
}

/// The people whom the groups of a provider have made members, each with an organisation.
pub(in super::super) async fn people_by(
    readers: &ReadPool,
    issuer: &str,
) -> Result<Vec<(AccountId, AccountId)>, StoreError> {
    let rows = query(PEOPLE_BY_ISSUER).bind(issuer).fetch_all(readers).await.map_err(reading)?;
    let pair = |row: &DatabaseRow| Ok((AccountId(row.try_get(0)?), AccountId(row.try_get(1)?)));
    rows.iter().map(|row| pair(row).map_err(reading)).collect()
}

/// The member that groups of a provider had made of a person last, and that they bring back.
pub(in super::super) async fn lapsed(
    transaction: &mut StoreTransaction,
    (person, organisation): (AccountId, AccountId),
    by: &ProviderPerson,
) -> Result<Option<Member>, StoreError> {
    let last = query(LAPSED).bind(organisation.0).bind(person.0).bind(by.issuer.as_str()).bind(by.subject.as_str());
    let row = last.fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// The member that a person is in an organisation now.
pub(in super::super) async fn active<'t>(
    reader: impl Into<StatementTarget<'t>>,
    organisation: AccountId,
    person: AccountId,
) -> Result<Option<Member>, StoreError> {
    let row = query(ACTIVE).bind(organisation.0).bind(person.0).fetch_optional(reader).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// Lets a person who acts as no member of now begin as this one.
pub(in super::super) async fn enter_first(
    transaction: &mut StoreTransaction,
    member: &Member,
) -> Result<(), StoreError> {
    let entered = query(ENTER_FIRST).bind(member.person.0).bind(member.id.0).execute(transaction).await;
    entered.map(drop).map_err(writing)
}

/// Makes a member that a lost group has ended one again, with its budgets and what is spent of them.
pub(in super::super) async fn bring_back(
    transaction: &mut StoreTransaction,
    member: &Member,
) -> Result<(), OrganisationError> {
    change_pool(transaction, member, TeamState::Active).await?;
    let back = query(RETURN).bind(member.id.0).bind(member.role.as_str()).bind(member.person.0);
    back.bind(member.subject.as_deref()).execute(transaction).await.map(drop).map_err(refused)
}

/// Writes a member down, with its budgets.
pub(in super::super) async fn insert(
    transaction: &mut StoreTransaction,
    account: AccountId,
    member: &Member,
) -> Result<(), OrganisationError> {
    insert_pool(transaction, account, "member", pool(member), member.created_at_ms).await.map_err(refused)?;
    let insert = query(INSERT).bind(member.id.0).bind(account.0).bind(member.person.0);
    let insert = insert.bind(member.role.as_str()).bind(member.created_at_ms);
    let insert = insert.bind(member.issuer.as_deref()).bind(member.subject.as_deref());
    let inserted = insert.execute(transaction).await;
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

/// Makes keys that a member has made for the organisation the member's own.
pub(in super::super) async fn own_keys(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: PoolId,
) -> Result<(), StoreError> {
    query(OWN_KEYS).bind(account.0).bind(id.0).execute(transaction).await.map(drop).map_err(writing)
}

/// Leaves what a member has made, and what stays without it, to the organisation.
pub(in super::super) async fn forget_maker(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: PoolId,
) -> Result<(), StoreError> {
    query(FORGET_MAKER).bind(account.0).bind(id.0).execute(transaction).await.map(drop).map_err(writing)
}

/// Notes the person of the provider that a member is, where that is not known.
pub(in super::super) async fn know(
    transaction: &mut StoreTransaction,
    id: PoolId,
    by: &ProviderPerson,
) -> Result<(), StoreError> {
    query(KNOW).bind(id.0).bind(by.subject.as_str()).execute(transaction).await.map(drop).map_err(writing)
}

/// Leaves the keys of a member to the organisation, each with the budgets that the member has.
pub(in super::super) async fn keep_keys(
    transaction: &mut StoreTransaction,
    account: AccountId,
    member: &Member,
) -> Result<(), StoreError> {
    let PooledBudgets { day, week, month, life, .. } = member.budgets;
    let keep = query(KEEP_KEYS).bind(account.0).bind(member.id.0);
    let keep = [day, week, month, life].into_iter().fold(keep, |keep, budget| keep.bind(budget.map(Usd::nanos)));
    keep.execute(transaction).await.map(drop).map_err(writing)
}

/// Closes the budgets of a member and ends the membership, which ends the sessions that act by it.
pub(in super::super) async fn end(
    transaction: &mut StoreTransaction,
    member: &Member,
    at_ms: i64,
    lapsed: bool,
) -> Result<(), OrganisationError> {
    change_pool(transaction, member, TeamState::Closed).await?;
    query(END)
        .bind(member.id.0)
        .bind(at_ms)
        .bind(i64::from(lapsed))
        .execute(transaction)
        .await
        .map(drop)
        .map_err(refused)
}

/// Sees to it that groups do not bring back the person of a member that has left.
pub(in super::super) async fn keep_out(transaction: &mut StoreTransaction, id: PoolId) -> Result<(), StoreError> {
    query(KEEP_OUT).bind(id.0).execute(transaction).await.map(drop).map_err(writing)
}

/// True if a person has left an organisation, or was taken out, by the will of people: by this account, or as this person of the provider.
pub(in super::super) async fn is_kept_out(
    transaction: &mut StoreTransaction,
    (person, organisation): (AccountId, AccountId),
    by: &ProviderPerson,
) -> Result<bool, StoreError> {
    let count =
        query(IS_KEPT_OUT).bind(organisation.0).bind(person.0).bind(by.issuer.as_str()).bind(by.subject.as_str());
    let row = count.fetch_one(transaction).await.map_err(reading)?;
    Ok(row.try_get::<i64>(0).map_err(reading)? > 0)
}

pub(in super::super) async fn count_of_person(
    transaction: &mut StoreTransaction,
    person: AccountId,
) -> Result<i64, StoreError> {
    let row = query(COUNT_OF_PERSON).bind(person.0).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

pub(in super::super) async fn name<'t>(
    reader: impl Into<StatementTarget<'t>>,
    account: AccountId,
) -> Result<String, StoreError> {
    let row = query(NAME).bind(account.0).fetch_one(reader).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The own account of a person, and the organisations that its session may act for.
pub(in super::super) async fn memberships<'t>(
    reader: impl Into<StatementTarget<'t>>,
    caller: &Caller,
) -> Result<Vec<Membership>, StoreError> {
    let session: &[u8] = match &caller.by {
        CallerCredential::Session(SessionId(hash)) => hash,
        CallerCredential::Key(_) | CallerCredential::Agent(..) => &[],
    };
    let rows = query(MEMBERSHIPS).bind(caller.person().0).bind(session).fetch_all(reader).await.map_err(reading)?;
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
        issuer: row.try_get(14).map_err(reading)?,
        may_return: row.try_get::<i64>(15).map_err(reading)? == 1,
        subject: row.try_get(16).map_err(reading)?,
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
