//! The statements of this room.

pub(super) mod keys;
pub(super) mod sessions;

use super::{Account, AccountError, AccountState};
use tollgate_base::{AccountGroup, AccountId};
use tollgate_store::{DatabaseRow, ErrorClass, ReadPool, StoreError, StoreTransaction, query};

/// The columns of an account, in the order that [`account`] wants.
macro_rules! columns {
    () => {
        "id, name, state, created_at, price_group, note"
    };
}

const INSERT_ACCOUNT: &str =
    "INSERT INTO accounts (id, name, state, created_at, price_group, note) VALUES ($1, $2, $3, $4, $5, $6)";
const ACCOUNTS: &str = concat!("SELECT ", columns!(), " FROM accounts ORDER BY name");
const FIND_ACCOUNT: &str = concat!("SELECT ", columns!(), " FROM accounts WHERE name = $1 OR id = $2");
const IS_ACTIVE: &str = "SELECT id FROM accounts WHERE id = $1 AND state = 'active'";
const ACCOUNT: &str = concat!("SELECT ", columns!(), " FROM accounts WHERE id = $1");
const CHANGE_ACCOUNT: &str = "UPDATE accounts SET state = $2, price_group = $3 WHERE id = $1";
const NOTE_ACCOUNT: &str = "UPDATE accounts SET note = $2 WHERE id = $1";
const GROUPS: &str = "SELECT DISTINCT price_group FROM accounts ORDER BY price_group";

pub(super) async fn insert_account(transaction: &mut StoreTransaction, account: &Account) -> Result<(), AccountError> {
    let inserted = query(INSERT_ACCOUNT)
        .bind(account.id.0)
        .bind(&account.name)
        .bind(account.state.as_str())
        .bind(account.created_at_ms)
        .bind(account.group.as_str())
        .bind(&account.note)
        .execute(transaction)
        .await;
    match inserted {
        Ok(_) => Ok(()),
        Err(error) if ErrorClass::is_unique(&error, "accounts.name") => Err(AccountError::NameTaken),
        Err(source) => Err(StoreError::Write { what: "an account", source: source.into() }.into()),
    }
}

pub(super) async fn accounts(readers: &ReadPool) -> Result<Vec<Account>, StoreError> {
    let rows = query(ACCOUNTS).fetch_all(readers).await.map_err(StoreError::read("accounts"))?;
    rows.iter().map(account).collect()
}

pub(super) async fn find_account(readers: &ReadPool, id_or_name: &str) -> Result<Option<Account>, StoreError> {
    let row = query(FIND_ACCOUNT).bind(id_or_name).bind(id_or_name.parse::<i64>().ok()).fetch_optional(readers).await;
    row.map_err(StoreError::read("an account"))?.as_ref().map(account).transpose()
}

/// True if an account is there and not frozen.
pub(super) async fn is_active(transaction: &mut StoreTransaction, id: AccountId) -> Result<bool, StoreError> {
    let row = query(IS_ACTIVE).bind(id.0).fetch_optional(transaction).await;
    row.map(|row| row.is_some()).map_err(StoreError::read("an account's state"))
}

pub(super) async fn account_by_id(
    transaction: &mut StoreTransaction,
    id: AccountId,
) -> Result<Option<Account>, StoreError> {
    let row = query(ACCOUNT).bind(id.0).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(account).transpose()
}

/// Writes state and group of an account. Servers look up all keys anew after it.
pub(super) async fn change_account(transaction: &mut StoreTransaction, account: &Account) -> Result<(), StoreError> {
    let Account { id, state, group, .. } = account;
    let change = query(CHANGE_ACCOUNT).bind(id.0).bind(state.as_str()).bind(group.as_str());
    change.execute(transaction).await.map(drop).map_err(StoreError::write("an account"))
}

/// Writes the note on an account.
pub(super) async fn note_account(transaction: &mut StoreTransaction, account: &Account) -> Result<(), StoreError> {
    let noted = query(NOTE_ACCOUNT).bind(account.id.0).bind(&account.note).execute(transaction).await;
    noted.map(drop).map_err(StoreError::write("a note"))
}

/// The groups that accounts are in, each once.
pub(super) async fn groups(readers: &ReadPool) -> Result<Vec<AccountGroup>, StoreError> {
    let rows = query(GROUPS).fetch_all(readers).await.map_err(StoreError::read("groups"))?;
    rows.iter().map(|row| group(row, 0)).collect()
}

fn account(row: &DatabaseRow) -> Result<Account, StoreError> {
    Ok(Account {
        id: AccountId(row.try_get(0).map_err(reading)?),
        name: row.try_get(1).map_err(reading)?,
        state: StoreError::parsed(row.try_get(2).map_err(reading)?, "an account's state", AccountState::from_text)?,
        group: group(row, 4)?,
        created_at_ms: row.try_get(3).map_err(reading)?,
        note: row.try_get(5).map_err(reading)?,
    })
}

pub(super) fn group(row: &DatabaseRow, index: usize) -> Result<AccountGroup, StoreError> {
    StoreError::parsed(row.try_get(index).map_err(reading)?, "a group", |text| text.parse().ok())
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "accounts and keys", source: source.into() }
}
