//! The statements of this room.

pub(super) mod invitations;
pub(super) mod members;

use std::collections::HashMap;

use super::{BudgetUse, OrganisationError, PooledBudgets, Team, TeamState};
use tollgate_base::{AccountId, PoolId, Usd, draw_id};
use tollgate_credit::BudgetPeriod;
use tollgate_store::{
    BoundStatement, DatabaseRow, ErrorClass, ReadPool, StatementTarget, StoreError, StoreTransaction, query,
};

/// The budgets of a pool, in the order that [`budgets`] wants.
macro_rules! budgets {
    () => {
        "p.budget_day, p.budget_week, p.budget_month, p.budget_life, p.raised_by, p.raised_until"
    };
}

const ORGANISATION: &str = concat!(
    "SELECT a.name, p.id, ",
    budgets!(),
    " FROM accounts a LEFT JOIN budget_pools p ON p.account_id = a.id AND p.kind = 'organisation' WHERE a.id = $1"
);
const INSERT: &str = "INSERT INTO budget_pools (budget_day, budget_week, budget_month, budget_life, raised_by, raised_until, id, \
    account_id, kind, name, state, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', $11)";
const CHANGE: &str = "UPDATE budget_pools SET budget_day = $1, budget_week = $2, budget_month = $3, budget_life = $4, \
    raised_by = $5, raised_until = $6, name = $8, state = $9, rev = rev + 1 WHERE id = $7";
const CHANGE_ORGANISATION: &str = "UPDATE budget_pools SET budget_day = $1, budget_week = $2, budget_month = $3, budget_life = $4, \
    raised_by = $5, raised_until = $6, rev = rev + 1 WHERE account_id = $7 AND kind = 'organisation'";
macro_rules! teams {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.name, p.state, p.created_at, (SELECT count(*) FROM api_keys k \
                WHERE k.account_id = p.account_id AND k.team_id = p.id AND k.state = 'active'), ",
            budgets!(),
            " FROM budget_pools p WHERE p.account_id = $1 AND p.kind = 'team'",
            $rest
        )
    };
}
/// Closed ones pile up over the years.
const TEAMS: &str = teams!(" ORDER BY p.state, p.name, p.id LIMIT 2000");
const TEAM: &str = teams!(" AND p.id = $2");
const OPEN_TEAMS: &str =
    "SELECT count(*) FROM budget_pools WHERE account_id = $1 AND kind = 'team' AND state = 'active'";
/// Of each pool its four windows that are under way, however many there were before.
const SPENT: &str = "SELECT w.pool_id, w.period, w.spent, w.held FROM budget_pools p CROSS JOIN (\
        SELECT 'day' AS period, CAST($2 AS BIGINT) AS starts_at UNION ALL SELECT 'week', CAST($3 AS BIGINT) \
        UNION ALL SELECT 'month', CAST($4 AS BIGINT) UNION ALL SELECT 'life', 0) t \
    JOIN pool_windows w ON w.pool_id = p.id AND w.period = t.period AND w.starts_at = t.starts_at \
    WHERE p.account_id = $1 AND p.state = 'active'";

/// What is spent and held of the budgets of a pool now.
#[derive(Debug, Default)]
pub(super) struct PoolSpending(HashMap<BudgetPeriod, (Usd, Usd)>);

impl PoolSpending {
    /// The use of each budget.
    pub(super) fn of(&self, budgets: PooledBudgets, now_ms: i64) -> Vec<BudgetUse> {
        let usage = |(period, budget): (BudgetPeriod, Usd)| {
            let (spent, held) = self.0.get(&period).copied().unwrap_or((Usd::ZERO, Usd::ZERO));
            BudgetUse { period, budget, spent, held, resets_at_ms: period.ends_at_ms(now_ms) }
        };
        budgets.in_force(now_ms).map(usage).collect()
    }
}

/// The name of an account, and the pool of its organisation where it has one.
pub(super) async fn organisation(
    readers: &ReadPool,
    account: AccountId,
) -> Result<(String, Option<(PoolId, PooledBudgets)>), StoreError> {
    let row = query(ORGANISATION).bind(account.0).fetch_one(readers).await.map_err(reading)?;
    let pool = row.try_get::<Option<i64>>(1).map_err(reading)?;
    let pool = pool.map(|id| Ok((PoolId(id), budgets(&row, 2)?))).transpose()?;
    Ok((row.try_get(0).map_err(reading)?, pool))
}

pub(super) async fn budgets_of_organisation(
    transaction: &mut StoreTransaction,
    account: AccountId,
) -> Result<Option<PooledBudgets>, StoreError> {
    let row = query(ORGANISATION).bind(account.0).fetch_one(transaction).await.map_err(reading)?;
    let pool = row.try_get::<Option<i64>>(1).map_err(reading)?;
    pool.map(|_| budgets(&row, 2)).transpose()
}

/// Writes the budgets of an organisation down, which may have had none before.
pub(super) async fn set_budgets_of_organisation(
    transaction: &mut StoreTransaction,
    account: AccountId,
    budgets: &PooledBudgets,
    now_ms: i64,
) -> Result<(), StoreError> {
    let change = with_budgets(query(CHANGE_ORGANISATION), budgets).bind(account.0);
    if change.execute(&mut *transaction).await.map_err(writing)? > 0 {
        return Ok(());
    }
    let pool = PoolRow { id: PoolId(draw_id(1)), name: "organisation", budgets };
    insert_pool(transaction, account, "organisation", pool, now_ms).await.map_err(writing)
}

pub(super) async fn teams(readers: &ReadPool, account: AccountId) -> Result<Vec<Team>, StoreError> {
    let rows = query(TEAMS).bind(account.0).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// The team of this number, where it is the organisation's own.
pub(super) async fn team<'t>(
    reader: impl Into<StatementTarget<'t>>,
    account: AccountId,
    id: PoolId,
) -> Result<Option<Team>, StoreError> {
    let row = query(TEAM).bind(account.0).bind(id.0).fetch_optional(reader).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn open_teams(transaction: &mut StoreTransaction, account: AccountId) -> Result<i64, StoreError> {
    let row = query(OPEN_TEAMS).bind(account.0).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

pub(super) async fn insert_team(
    transaction: &mut StoreTransaction,
    account: AccountId,
    team: &Team,
) -> Result<(), OrganisationError> {
    let pool = PoolRow { id: team.id, name: &team.name, budgets: &team.budgets };
    insert_pool(transaction, account, "team", pool, team.created_at_ms).await.map_err(refused)
}

/// Writes name, state and budgets of an open team.
pub(super) async fn change_team(transaction: &mut StoreTransaction, team: &Team) -> Result<(), OrganisationError> {
    let pool = PoolRow { id: team.id, name: &team.name, budgets: &team.budgets };
    change_pool(transaction, pool, team.state).await.map_err(refused)
}

/// The name and the budgets of a team or a member.
struct PoolRow<'p> {
    id: PoolId,
    name: &'p str,
    budgets: &'p PooledBudgets,
}

async fn insert_pool(
    transaction: &mut StoreTransaction,
    account: AccountId,
    kind: &'static str,
    pool: PoolRow<'_>,
    created_at_ms: i64,
) -> Result<(), sqlx::Error> {
    let insert = with_budgets(query(INSERT), pool.budgets).bind(pool.id.0).bind(account.0).bind(kind);
    insert.bind(pool.name).bind(created_at_ms).execute(transaction).await.map(drop)
}

/// Writes name, state and budgets of one that is open.
async fn change_pool(
    transaction: &mut StoreTransaction,
    pool: PoolRow<'_>,
    state: TeamState,
) -> Result<(), sqlx::Error> {
    let change = with_budgets(query(CHANGE), pool.budgets).bind(pool.id.0).bind(pool.name).bind(state.as_str());
    change.execute(transaction).await.map(drop)
}

/// What is spent of the budgets of an account's open pools in the times that are under way.
pub(super) async fn spent(
    readers: &ReadPool,
    account: AccountId,
    now_ms: i64,
) -> Result<HashMap<PoolId, PoolSpending>, StoreError> {
    let [day, week, month] =
        [BudgetPeriod::Day, BudgetPeriod::Week, BudgetPeriod::Month].map(|period| period.starts_at_ms(now_ms));
    let rows = query(SPENT).bind(account.0).bind(day).bind(week).bind(month).fetch_all(readers).await;
    let mut spent: HashMap<PoolId, PoolSpending> = HashMap::new();
    for row in rows.map_err(reading)? {
        let usd = |index| Ok(Usd::from_nanos(row.try_get(index).map_err(reading)?));
        let period = StoreError::parsed(row.try_get(1).map_err(reading)?, "a budget's time", BudgetPeriod::from_text)?;
        let pool = spent.entry(PoolId(row.try_get(0).map_err(reading)?)).or_default();
        pool.0.insert(period, (usd(2)?, usd(3)?));
    }
    Ok(spent)
}

fn with_budgets<'q>(statement: BoundStatement<'q>, budgets: &PooledBudgets) -> BoundStatement<'q> {
    let nanos = |budget: Option<Usd>| budget.map(Usd::nanos);
    statement
        .bind(nanos(budgets.day))
        .bind(nanos(budgets.week))
        .bind(nanos(budgets.month))
        .bind(nanos(budgets.life))
        .bind(budgets.raised_by.map_or(0, Usd::nanos))
        .bind(budgets.raised_until_ms)
}

fn read(row: &DatabaseRow) -> Result<Team, StoreError> {
    Ok(Team {
        id: PoolId(row.try_get(0).map_err(reading)?),
        name: row.try_get(1).map_err(reading)?,
        state: StoreError::parsed(row.try_get(2).map_err(reading)?, "a team's state", TeamState::from_text)?,
        created_at_ms: row.try_get(3).map_err(reading)?,
        keys: row.try_get(4).map_err(reading)?,
        budgets: budgets(row, 5)?,
        usage: Vec::new(),
    })
}

fn budgets(row: &DatabaseRow, first: usize) -> Result<PooledBudgets, StoreError> {
    let usd = |index| Ok(row.try_get::<Option<i64>>(first + index).map_err(reading)?.map(Usd::from_nanos));
    Ok(PooledBudgets {
        day: usd(0)?,
        week: usd(1)?,
        month: usd(2)?,
        life: usd(3)?,
        raised_by: usd(4)?.filter(|raise| *raise != Usd::ZERO),
        raised_until_ms: row.try_get(first + 5).map_err(reading)?,
    })
}

fn refused(error: sqlx::Error) -> OrganisationError {
    if ErrorClass::is_unique(&error, "budget_pools.name") {
        return OrganisationError::NameTaken;
    }
    writing(error).into()
}

fn writing(source: sqlx::Error) -> StoreError {
    StoreError::Write { what: "an organisation", source: source.into() }
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "organisations", source: source.into() }
}
