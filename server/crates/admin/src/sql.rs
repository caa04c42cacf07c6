//! The statements that go across rooms. They read alone.

use std::fmt;

use tollgate_accounts::{Account, AccountState};
use tollgate_api::generated::types::AccountSort;
use tollgate_base::{AccountId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, StoreError, query};

/// The columns of an account with its credit, in the order that [`listed`] wants.
macro_rules! columns {
    () => {
        "a.id, a.name, a.state, a.created_at, a.price_group, a.note, b.posted, b.held, \
        CAST(coalesce((SELECT sum(r.debt - r.collected) FROM reversals r WHERE r.account_id = a.id AND r.collected < r.debt), 0) \
        AS BIGINT) FROM accounts a JOIN balances b ON b.account_id = a.id"
    };
}

/// The accounts that a list shows.
macro_rules! shown {
    () => {
        " WHERE ($1 = '' OR a.id = $2 OR lower(a.name) LIKE $1 ESCAPE '!' OR a.name LIKE $5 ESCAPE '!') \
        AND ($3 = '' OR a.price_group = $3) AND ($4 = '' OR a.state = $4)"
    };
}

const ACCOUNT: &str = concat!("SELECT ", columns!(), " WHERE a.id = $1");
const BY_NAME: &str = concat!(
    "SELECT ",
    columns!(),
    shown!(),
    " AND ($6 = 0 OR a.name > (SELECT name FROM accounts WHERE id = $6)) ORDER BY a.name LIMIT $7"
);
const NEWEST: &str = concat!(
    "SELECT ",
    columns!(),
    shown!(),
    " AND (a.created_at, a.id) < ($6, $7) ORDER BY a.created_at DESC, a.id DESC LIMIT $8"
);
const RICHEST: &str = concat!(
    "SELECT ",
    columns!(),
    shown!(),
    " AND (b.posted - b.held, a.id) < ($6, $7) ORDER BY b.posted - b.held DESC, a.id DESC LIMIT $8"
);

/// One row. What requests have charged is told by the days of usage, which stay where receipts are archived.
const TOTALS: &str = "SELECT count(*), \
    CAST(coalesce((SELECT sum(r.debt - r.collected) FROM reversals r WHERE r.collected < r.debt), 0) AS BIGINT), \
    (SELECT count(*) FROM api_keys k WHERE k.state = 'active'), \
    (SELECT count(*) FROM operators o WHERE o.state = 'active'), \
    CAST(CASE WHEN EXISTS (SELECT 1 FROM usage_days u WHERE u.charged > 0) THEN 1 ELSE 0 END AS BIGINT) \
    FROM accounts a";

/// One row, of what changes from one moment to the next.
const LIVE: &str = "SELECT CAST(coalesce(sum(posted - held), 0) AS BIGINT), CAST(coalesce(sum(held), 0) AS BIGINT), \
    (SELECT count(*) FROM payments WHERE state = 'surplus' AND resolution IS NULL), \
    (SELECT count(*) FROM nodes WHERE state = 'up') FROM balances";

/// Numbers of the whole service that change from one moment to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct LiveTotals {
    pub(super) available: Usd,
    pub(super) held: Usd,
    /// Payments that wait for a decision.
    pub(super) set_aside: i64,
    /// Servers that are up.
    pub(super) servers: i64,
}

/// Numbers of the whole service.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServiceTotals {
    pub(super) accounts: i64,
    pub(super) owed: Usd,
    /// Those that are not revoked.
    pub(super) keys: i64,
    /// Those that are not disabled.
    pub(super) operators: i64,
    /// True once a request was charged.
    pub(super) has_charged: bool,
}

/// An account with its credit.
#[derive(Debug, Clone)]
pub(super) struct ListedAccount {
    pub(super) account: Account,
    pub(super) posted: Usd,
    pub(super) held: Usd,
    pub(super) owed: Usd,
}

/// The accounts that a list shows. Empty texts leave all through.
#[derive(Debug)]
pub(super) struct AccountFilter {
    /// A part of the name in letters of any case, or the number.
    pub(super) search: String,
    pub(super) group: String,
    pub(super) state: &'static str,
    pub(super) after: Option<AccountPlace>,
    pub(super) sort: AccountSort,
    pub(super) limit: i64,
}

/// A place in a list, after which the next page begins: the value that the list is sorted by, where it is a number, and the number
/// of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AccountPlace {
    value: i64,
    id: i64,
}

impl AccountPlace {
    pub(super) fn of(sort: AccountSort, last: &ListedAccount) -> Self {
        let ListedAccount { account, posted, held, .. } = last;
        let value = match sort {
            AccountSort::Name => 0,
            AccountSort::Newest => account.created_at_ms,
            AccountSort::Richest => posted.nanos() - held.nanos(),
        };
        Self { value, id: account.id.0 }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        let (value, id) = text.split_once(':')?;
        Some(Self { value: value.parse().ok()?, id: id.parse().ok()? })
    }
}

impl fmt::Display for AccountPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.value, self.id)
    }
}

pub(super) async fn totals(readers: &ReadPool) -> Result<ServiceTotals, StoreError> {
    let row = query(TOTALS).fetch_one(readers).await.map_err(reading)?;
    let number = |index| row.try_get::<i64>(index).map_err(reading);
    Ok(ServiceTotals {
        accounts: number(0)?,
        owed: Usd::from_nanos(number(1)?),
        keys: number(2)?,
        operators: number(3)?,
        has_charged: number(4)? == 1,
    })
}

pub(super) async fn live_totals(readers: &ReadPool) -> Result<LiveTotals, StoreError> {
    let row = query(LIVE).fetch_one(readers).await.map_err(reading)?;
    let number = |index| row.try_get::<i64>(index).map_err(reading);
    Ok(LiveTotals {
        available: Usd::from_nanos(number(0)?),
        held: Usd::from_nanos(number(1)?),
        set_aside: number(2)?,
        servers: number(3)?,
    })
}

pub(super) async fn account(readers: &ReadPool, id: AccountId) -> Result<Option<ListedAccount>, StoreError> {
    let row = query(ACCOUNT).bind(id.0).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(listed).transpose()
}

pub(super) async fn accounts(readers: &ReadPool, filter: &AccountFilter) -> Result<Vec<ListedAccount>, StoreError> {
    let AccountFilter { search, group, state, after, sort, limit } = filter;
    let pattern = |text: &str| if text.is_empty() { String::new() } else { format!("%{}%", escaped(text)) };
    let (small, as_typed) = (pattern(&search.to_lowercase()), pattern(search));
    let list = match sort {
        AccountSort::Name => query(BY_NAME),
        AccountSort::Newest => query(NEWEST),
        AccountSort::Richest => query(RICHEST),
    };
    let list = list.bind(&small).bind(search.parse::<i64>().ok()).bind(group).bind(*state).bind(&as_typed);
    let list = match (sort, after) {
        (AccountSort::Name, after) => list.bind(after.map_or(0, |place| place.id)),
        (_, Some(AccountPlace { value, id })) => list.bind(*value).bind(*id),
        (_, None) => list.bind(i64::MAX).bind(i64::MAX),
    };
    let rows = list.bind(*limit).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(listed).collect()
}

/// A text as LIKE has it with `!` before what it reads otherwise.
fn escaped(text: &str) -> String {
    text.replace('!', "!!").replace('%', "!%").replace('_', "!_")
}

fn listed(row: &DatabaseRow) -> Result<ListedAccount, StoreError> {
    let usd = |index| row.try_get::<i64>(index).map(Usd::from_nanos).map_err(reading);
    Ok(ListedAccount {
        account: Account {
            id: AccountId(row.try_get(0).map_err(reading)?),
            name: row.try_get(1).map_err(reading)?,
            state: StoreError::parsed(row.try_get(2).map_err(reading)?, "an account's state", AccountState::from_text)?,
            created_at_ms: row.try_get(3).map_err(reading)?,
            group: StoreError::parsed(row.try_get(4).map_err(reading)?, "a group", |text| text.parse().ok())?,
            note: row.try_get(5).map_err(reading)?,
        },
        posted: usd(6)?,
        held: usd(7)?,
        owed: usd(8)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "accounts with their credit", source: source.into() }
}
