//! Making, finding and freezing accounts.

use super::name::fit_name;
use super::{Account, AccountChange, AccountError, AccountService, AccountState, sql};
use tollgate_base::{AccountGroup, AccountId, Actor, draw_id};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

const NOTE_CHARS_MAX: usize = 500;
/// Numbers below are the ledger's own accounts.
const ID_MIN: u64 = 1 << 32;

impl AccountService {
    /// Makes an account with an empty balance. `actor` is who asks, for the audit log.
    ///
    /// # Errors
    /// When the name is unfit or taken, or the store fails.
    pub async fn create_account(
        &self,
        name: &str,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<Account, AccountError> {
        self.create(AccountGroup::DEFAULT, name, "", actor.into()).await
    }

    /// Makes an account in a group of its own prices, with a note for operators.
    ///
    /// # Errors
    /// As [`create_account`](Self::create_account).
    pub async fn create_account_in(
        &self,
        group: AccountGroup,
        name: &str,
        note: &str,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<Account, AccountError> {
        self.create(group, name, note, actor.into()).await
    }

    async fn create(
        &self,
        group: AccountGroup,
        name: &str,
        note: &str,
        actor: Actor<'_>,
    ) -> Result<Account, AccountError> {
        let mut transaction = self.store.begin().await?;
        let account = self.create_within(&mut transaction, (group, name, note), None, actor).await?;
        transaction.commit().await.map_err(StoreError::commit("an account"))?;
        Ok(account)
    }

    pub(super) async fn create_within(
        &self,
        transaction: &mut StoreTransaction,
        (group, name, note): (AccountGroup, &str, &str),
        password: Option<&str>,
        actor: Actor<'_>,
    ) -> Result<Account, AccountError> {
        if !fit_name(name) {
            return Err(AccountError::NameInvalid);
        }
        if note.chars().count() > NOTE_CHARS_MAX {
            return Err(AccountError::NoteTooLong);
        }
        let account = Account {
            id: AccountId(draw_id(ID_MIN)),
            name: name.to_owned(),
            state: AccountState::Active,
            group,
            note: note.to_owned(),
            created_at_ms: self.clock.now_ms(),
        };
        sql::insert_account(transaction, &account).await?;
        if let Some(password) = password {
            sql::sessions::set_password(transaction, account.id, password).await?;
        }
        let subject = account.id.to_string();
        let entry = AuditEntry::new(account.created_at_ms, actor, "account.create", &subject);
        let is = described(&account);
        record(transaction, &entry.detail(name).change(None, &is)).await?;
        Ok(account)
    }

    /// Puts an account into a group; doing it twice is the same as once. A running server follows within a second, for the
    /// requests that begin then.
    ///
    /// # Errors
    /// When there is no such account, or the store fails.
    pub async fn set_group(
        &self,
        id: AccountId,
        group: AccountGroup,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<Account, AccountError> {
        let change = AccountChange { group: Some(group), ..AccountChange::default() };
        self.change_account(id, change, |_| true, actor).await
    }

    /// Freezes an account, which ends its sessions, or thaws it. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When there is no such account, or the store fails.
    pub async fn set_account_state(
        &self,
        id: AccountId,
        state: AccountState,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<Account, AccountError> {
        let change = AccountChange { state: Some(state), ..AccountChange::default() };
        self.change_account(id, change, |_| true, actor).await
    }

    /// Changes an account that is as `expected`. A running server follows within a second, for the requests that begin then.
    ///
    /// # Errors
    /// When there is no such account, it was changed since it was read, the note is too long, or the store fails.
    pub async fn change_account(
        &self,
        id: AccountId,
        change: AccountChange,
        expected: impl Fn(&Account) -> bool + Send,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<Account, AccountError> {
        let actor: Actor<'_> = actor.into();
        let mut transaction = self.store.begin().await?;
        sql::keys::lock_account(&mut transaction, id).await?;
        let before = sql::account_by_id(&mut transaction, id).await?.ok_or(AccountError::NoSuchAccount)?;
        let after = Account {
            state: change.state.unwrap_or(before.state),
            group: change.group.unwrap_or(before.group),
            note: change.note.unwrap_or_else(|| before.note.clone()),
            ..before.clone()
        };
        if after.note.chars().count() > NOTE_CHARS_MAX {
            return Err(AccountError::NoteTooLong);
        }
        if after == before {
            // Also where an answer was lost, and the change is sent again.
            return Ok(after);
        }
        if !expected(&before) {
            return Err(AccountError::Changed);
        }
        if (after.state, after.group) != (before.state, before.group) {
            sql::change_account(&mut transaction, &after).await?;
        }
        if after.note != before.note {
            sql::note_account(&mut transaction, &after).await?;
        }
        let (subject, was, is) = (id.to_string(), described(&before), described(&after));
        let entry = AuditEntry::new(self.clock.now_ms(), actor, "account.change", &subject).change(Some(&was), &is);
        record(&mut transaction, &entry).await?;
        transaction.commit().await.map_err(StoreError::commit("an account"))?;
        self.cache.forget();
        Ok(after)
    }

    /// The groups that accounts are in.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn groups(&self) -> Result<Vec<AccountGroup>, AccountError> {
        Ok(sql::groups(self.store.readers()).await?)
    }

    /// All accounts, by name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn accounts(&self) -> Result<Vec<Account>, AccountError> {
        Ok(sql::accounts(self.store.readers()).await?)
    }

    /// The account of this number or name.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn find_account(&self, id_or_name: &str) -> Result<Account, AccountError> {
        sql::find_account(self.store.readers(), id_or_name).await?.ok_or(AccountError::NoSuchAccount)
    }
}

/// The changeable part of an account, for the log of changes.
fn described(account: &Account) -> String {
    let Account { state, group, note, .. } = account;
    serde_json::json!({"state": state.as_str(), "group": group.as_str(), "note": note}).to_string()
}
