//! The statements of this room.

use super::{Agent, AgentBudgets, AgentCaps, AgentError, AgentState};
use tollgate_api::generated::limits;
use tollgate_api::generated::machines::agent;
use tollgate_base::{AccountId, AgentId, KeyId, Usd};
use tollgate_chains::WalletAddress;
use tollgate_store::{DatabaseRow, ErrorClass, ReadPool, StatementTarget, StoreError, StoreTransaction, query};

/// The query of an agent and its key, in the order that [`read`] wants.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT a.id, a.account_id, a.addr, a.label, a.state, a.cap_order, a.cap_day, a.cap_life, a.created_at, \
            k.id, k.budget_day, k.budget_week, k.budget_month, k.budget_life FROM agents a JOIN api_keys k ON k.agent_id = a.id ",
            $rest
        )
    };
}

const OF_ACCOUNT: &str = select!("WHERE a.account_id = $1 ORDER BY a.created_at DESC, a.id LIMIT 2000");
const OWN: &str = select!("WHERE a.account_id = $1 AND a.id = $2");
const FIND: &str = select!("WHERE a.id = $1");
const LIVE_OF_WALLET: &str = select!("WHERE a.addr = $1 AND a.state = 'active'");
/// Counts the uses of the nonce and the live agents of the wallet, and finds the first place that is free.
const TAKEN: &str = "WITH RECURSIVE places (place) AS (\
        SELECT CAST(1 AS BIGINT) UNION ALL SELECT place + 1 FROM places WHERE place < $4) \
    SELECT (SELECT count(*) FROM agents WHERE nonce = $3), \
        (SELECT count(*) FROM agents WHERE addr = $2 AND state = 'active'), \
        (SELECT min(place) FROM places WHERE place NOT IN \
            (SELECT slot FROM agents WHERE account_id = $1 AND state = 'active'))";
/// Inserts an agent of an account that is not frozen.
const INSERT: &str = "INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, cap_order, cap_day, \
    cap_life, created_at) SELECT $1, id, $3, $4, $5, $6, $7, 'active', $8, $9, $10, $11 \
    FROM accounts WHERE id = $2 AND state = 'active'";
const CHANGE: &str =
    "UPDATE agents SET label = $2, cap_order = $3, cap_day = $4, cap_life = $5 WHERE id = $1 AND state = 'active'";

/// An agent that is written down for the first time.
pub(super) struct NewAgentRow<'a> {
    pub(super) id: AgentId,
    pub(super) account: AccountId,
    pub(super) slot: i64,
    pub(super) wallet: &'a WalletAddress,
    pub(super) label: &'a str,
    pub(super) nonce: &'a str,
    pub(super) caps: AgentCaps,
    pub(super) created_at_ms: i64,
}

/// The obstacles to making an agent.
pub(super) struct RegistrationConflicts {
    /// The nonce was used.
    pub(super) nonce: bool,
    /// The wallet is a live agent.
    pub(super) wallet: bool,
    /// A place for it, where there is one.
    pub(super) free_slot: Option<i64>,
}

/// The one who revokes an agent.
#[derive(Debug, Clone, Copy)]
pub(super) enum AgentRevoker {
    /// The operator of the service, by the command line.
    Operator,
    /// The account whose agent it is.
    Owner,
    /// An operator, by the admin API.
    Admin,
}

pub(super) async fn taken(
    transaction: &mut StoreTransaction,
    account: AccountId,
    wallet: &WalletAddress,
    nonce: &str,
) -> Result<RegistrationConflicts, StoreError> {
    let wallet = wallet.to_string();
    let most = i64::from(limits::AGENTS_PER_ACCOUNT);
    let asked = query(TAKEN).bind(account.0).bind(&wallet).bind(nonce).bind(most).fetch_one(transaction).await;
    let row = asked.map_err(reading)?;
    let some = |index| Ok(row.try_get::<i64>(index).map_err(reading)? > 0);
    Ok(RegistrationConflicts { nonce: some(0)?, wallet: some(1)?, free_slot: row.try_get(2).map_err(reading)? })
}

/// Writes an agent down. Its rules are the database's, whatever was asked before.
pub(super) async fn insert(transaction: &mut StoreTransaction, new: &NewAgentRow<'_>) -> Result<(), AgentError> {
    let wallet = new.wallet.to_string();
    let insert = query(INSERT)
        .bind(new.id.0)
        .bind(new.account.0)
        .bind(new.slot)
        .bind(new.wallet.chain().as_str())
        .bind(&wallet)
        .bind(new.label)
        .bind(new.nonce)
        .bind(new.caps.order.map(Usd::nanos))
        .bind(new.caps.day.map(Usd::nanos))
        .bind(new.caps.life.map(Usd::nanos))
        .bind(new.created_at_ms);
    match insert.execute(transaction).await {
        Ok(1) => Ok(()),
        Ok(_) => Err(AgentError::AccountFrozen),
        Err(error) if ErrorClass::is_unique(&error, "agents.nonce") => Err(AgentError::NonceUsed),
        Err(error) if ErrorClass::is_unique(&error, "agents.addr") => Err(AgentError::WalletTaken),
        Err(source) => Err(StoreError::Write { what: "an agent", source: source.into() }.into()),
    }
}

/// Writes label and caps of an agent that is not revoked.
pub(super) async fn change(transaction: &mut StoreTransaction, agent: &Agent) -> Result<(), StoreError> {
    let change = query(CHANGE)
        .bind(agent.id.0)
        .bind(&agent.label)
        .bind(agent.caps.order.map(Usd::nanos))
        .bind(agent.caps.day.map(Usd::nanos))
        .bind(agent.caps.life.map(Usd::nanos));
    change.execute(transaction).await.map(drop).map_err(StoreError::write("an agent"))
}

/// Revokes an agent. True if this call moved it from active to revoked. The database moves its key with it.
pub(super) async fn revoke(
    transaction: &mut StoreTransaction,
    id: AgentId,
    by: AgentRevoker,
) -> Result<bool, StoreError> {
    let row = agent::AnyRow::read(agent::State::Active, id);
    let agent::AnyRow::Active(row) = row else { return Ok(false) };
    let step = row.step(match by {
        AgentRevoker::Operator => agent::mv::Revoke::by(&agent::actor::Operator::grant()),
        AgentRevoker::Owner => agent::mv::Revoke::by(&agent::actor::AgentsRevoke::grant()),
        AgentRevoker::Admin => agent::mv::Revoke::by(&agent::actor::AdminAgentsRevoke::grant()),
    });
    let cas = step.cas();
    let moved = query(cas.sql).bind(id.0).bind(cas.to).bind(cas.from);
    let done = moved.execute(transaction).await.map_err(StoreError::write("a revocation"))?;
    // Lost where it was revoked before.
    Ok(step.done(done).is_ok())
}

pub(super) async fn of_account(readers: &ReadPool, account: AccountId) -> Result<Vec<Agent>, StoreError> {
    let rows = query(OF_ACCOUNT).bind(account.0).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// The agent of this number, where it is the account's own.
pub(super) async fn own<'t>(
    reader: impl Into<StatementTarget<'t>>,
    account: AccountId,
    id: AgentId,
) -> Result<Option<Agent>, StoreError> {
    let row = query(OWN).bind(account.0).bind(id.0).fetch_optional(reader).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn find(transaction: &mut StoreTransaction, id: AgentId) -> Result<Option<Agent>, StoreError> {
    let row = query(FIND).bind(id.0).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn live_of_wallet(
    transaction: &mut StoreTransaction,
    wallet: &WalletAddress,
) -> Result<Option<Agent>, StoreError> {
    let row = query(LIVE_OF_WALLET).bind(&wallet.to_string()).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

fn read(row: &DatabaseRow) -> Result<Agent, StoreError> {
    let usd = |index| Ok(row.try_get::<Option<i64>>(index).map_err(reading)?.map(Usd::from_nanos));
    Ok(Agent {
        id: AgentId(row.try_get(0).map_err(reading)?),
        account: AccountId(row.try_get(1).map_err(reading)?),
        wallet: StoreError::parsed(row.try_get(2).map_err(reading)?, "an agent's wallet", |text| text.parse().ok())?,
        label: row.try_get(3).map_err(reading)?,
        state: StoreError::parsed(row.try_get(4).map_err(reading)?, "an agent's state", AgentState::from_text)?,
        caps: AgentCaps { order: usd(5)?, day: usd(6)?, life: usd(7)? },
        created_at_ms: row.try_get(8).map_err(reading)?,
        key: KeyId(row.try_get(9).map_err(reading)?),
        budgets: AgentBudgets { day: usd(10)?, week: usd(11)?, month: usd(12)?, life: usd(13)? },
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "agents", source: source.into() }
}
