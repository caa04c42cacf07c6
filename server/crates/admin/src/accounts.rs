//! `/api/admin/accounts`: accounts with their credit.

use super::sql::{self, AccountFilter, AccountPlace, ListedAccount};
use super::{Admin, unavailable};
use tollgate_accounts::{Account, AccountChange, AccountError, AccountState};
use tollgate_api::generated::ops::admin_accounts::{
    ChangeAccount, ChangeAccountError, ChangeAccountInput, CreateAccount, CreateAccountError, CreateAccountInput,
    GetAccount, GetAccountError, GetAccountInput, ListAccounts, ListAccountsError, ListAccountsInput,
};
use tollgate_api::generated::types::{
    self, AccountListReply, AccountPage, AccountReply, AccountRequest, AccountSort, AccountUpdate,
};
use tollgate_api::{Cx, OperatorCaller, PageLimit, is_version, version_of};
use tollgate_base::{AccountGroup, AccountId, Actor, Usd};

impl ListAccounts for Admin {
    async fn list_accounts(&self, cx: &Cx, input: ListAccountsInput) -> Result<AccountListReply, ListAccountsError> {
        let ListAccountsInput { csv, limit, after, search, group, state, sort, .. } = input;
        let sort = sort.unwrap_or(AccountSort::Name);
        let limit = PageLimit::new(limit, csv);
        // A text that is no place is one behind all: a client that pages by it comes to an end.
        let Ok(after) = after.map(|text| AccountPlace::read(&text).ok_or(())).transpose() else {
            let data = AccountPage { accounts: Vec::new(), next: None };
            return Ok(AccountListReply { success: true, message: String::new(), data });
        };
        let filter = AccountFilter {
            search: search.unwrap_or_default(),
            group: group.unwrap_or_default(),
            state: state.map(|state| state.as_str()).unwrap_or_default(),
            after,
            sort,
            limit: limit.rows_to_read(),
        };
        let mut found = sql::accounts(self.store.readers(), &filter).await.map_err(|error| {
            unavailable(cx, &error);
            ListAccountsError::LedgerUnavailable
        })?;
        let next = limit.next_page(&mut found, |last| AccountPlace::of(sort, last).to_string());
        let data = AccountPage { accounts: found.into_iter().map(account_reply).collect(), next };
        Ok(AccountListReply { success: true, message: String::new(), data })
    }
}

impl GetAccount for Admin {
    async fn get_account(&self, cx: &Cx, input: GetAccountInput) -> Result<AccountReply, GetAccountError> {
        let account_id = input.account_id;
        let found = sql::account(self.store.readers(), AccountId(account_id)).await.map_err(|error| {
            unavailable(cx, &error);
            GetAccountError::LedgerUnavailable
        })?;
        let account = found.ok_or(GetAccountError::AccountNotFound { account_id })?;
        Ok(AccountReply { success: true, message: String::new(), data: account_reply(account) })
    }
}

impl CreateAccount for Admin {
    async fn create_account(&self, cx: &Cx, input: CreateAccountInput) -> Result<AccountReply, CreateAccountError> {
        let AccountRequest { name, group, note, reason } = input.body;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let field = |field: &str, expected: &str, found: &str| CreateAccountError::BadField {
            field: field.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
        };
        let group = match group {
            None => AccountGroup::DEFAULT,
            Some(text) => self.group(&text).ok_or_else(|| field("group", GROUP, &text))?,
        };
        let note = note.unwrap_or_default();
        let made = self.accounts.create_account_in(group, &name, &note, actor).await;
        let account = made.map_err(|error| match error {
            AccountError::NameInvalid => {
                field("name", "1 to 64 characters, no line breaks, no outer spaces, not a number", &name)
            }
            AccountError::NameTaken => CreateAccountError::AccountNameTaken { name: name.clone() },
            error => {
                unavailable(cx, &error);
                CreateAccountError::LedgerUnavailable
            }
        })?;
        let listed = ListedAccount { account, posted: Usd::ZERO, held: Usd::ZERO, owed: Usd::ZERO };
        Ok(AccountReply { success: true, message: String::new(), data: account_reply(listed) })
    }
}

impl ChangeAccount for Admin {
    async fn change_account(&self, cx: &Cx, input: ChangeAccountInput) -> Result<AccountReply, ChangeAccountError> {
        let (account_id, expected) = (input.account_id, input.if_match);
        let AccountUpdate { state, group, note, reason } = input.body;
        let bad_group = |text: &str| ChangeAccountError::BadField {
            field: "group".to_owned(),
            expected: GROUP.to_owned(),
            found: text.to_owned(),
        };
        let change = AccountChange {
            state: state.map(|state| match state {
                types::AccountState::Active => AccountState::Active,
                types::AccountState::Frozen => AccountState::Frozen,
            }),
            group: group.map(|text| self.group(&text).ok_or_else(|| bad_group(&text))).transpose()?,
            note,
        };
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        // Read before, so that nothing fails any more once it is changed.
        let credit = sql::account(self.store.readers(), AccountId(account_id)).await.map_err(|error| {
            unavailable(cx, &error);
            ChangeAccountError::LedgerUnavailable
        })?;
        let credit = credit.ok_or(ChangeAccountError::AccountNotFound { account_id })?;
        let as_read = |account: &Account| is_version(&expected, &version(account));
        let changed = self.accounts.change_account(AccountId(account_id), change, as_read, actor).await;
        let account = changed.map_err(|error| match error {
            AccountError::NoSuchAccount => ChangeAccountError::AccountNotFound { account_id },
            AccountError::Changed => ChangeAccountError::ChangedMeanwhile { version: expected.clone() },
            error => {
                unavailable(cx, &error);
                ChangeAccountError::LedgerUnavailable
            }
        })?;
        let listed = ListedAccount { account, ..credit };
        Ok(AccountReply { success: true, message: String::new(), data: account_reply(listed) })
    }
}

/// The expectation of a group.
const GROUP: &str = "a group that the configuration has a ratio for";

impl Admin {
    /// The group of this name, where the configuration has one.
    fn group(&self, name: &str) -> Option<AccountGroup> {
        name.parse().ok().filter(|group| self.gateway.has_group(*group))
    }
}

/// An account in the words of the spec.
fn account_reply(listed: ListedAccount) -> types::Account {
    let ListedAccount { account, posted, held, owed } = listed;
    let version = version(&account);
    types::Account {
        account_id: account.id.0,
        name: account.name,
        state: match account.state {
            AccountState::Active => types::AccountState::Active,
            AccountState::Frozen => types::AccountState::Frozen,
        },
        group: account.group.to_string(),
        note: account.note,
        available_usd: Usd::from_nanos(posted.nanos() - held.nanos()),
        held_usd: held,
        owed_usd: owed,
        created_at: account.created_at_ms / 1000,
        version,
    }
}

/// The version of what can be changed of an account.
fn version(account: &Account) -> String {
    version_of(&format!("{} {} {}", account.state.as_str(), account.group, account.note))
}
