//! `GET /admin/accounts`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::link;
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_accounts::{ListAccounts, ListAccountsInput};
use tollgate_api::generated::ops::admin_console::{ShowAccounts, ShowAccountsError, ShowAccountsInput};
use tollgate_api::generated::types::{Account, AccountSort, AccountState};
use tollgate_api::{Cx, ProxyReply};

const STATES: [AccountState; 2] = [AccountState::Active, AccountState::Frozen];
const SORTS: [AccountSort; 3] = [AccountSort::Name, AccountSort::Newest, AccountSort::Richest];

#[derive(Template)]
#[template(path = "accounts.html")]
struct AccountsPage {
    t: &'static Texts,
    frame: Frame,
    groups: Vec<String>,
    search: String,
    group: String,
    state: Option<AccountState>,
    sort: AccountSort,
    accounts: Vec<Account>,
    /// The next page; empty on the last one.
    next: String,
    /// The same list as CSV.
    csv: String,
}

impl ShowAccounts for Admin {
    async fn show_accounts(&self, cx: &Cx, input: ShowAccountsInput) -> Result<ProxyReply, ShowAccountsError> {
        let frame = self.frame(&input.caller, Section::Accounts);
        let (search, group) = (input.search.unwrap_or_default(), input.group.unwrap_or_default());
        // A word that is none leaves all through.
        let state: Option<AccountState> = input.state.and_then(|word| word.parse().ok());
        let sort = input.sort.and_then(|word| word.parse().ok()).unwrap_or(AccountSort::Name);
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let list = ListAccountsInput {
            caller: input.caller,
            csv: false,
            limit: None,
            after: input.after.filter(|after| !after.is_empty()),
            search: given(&search),
            group: given(&group),
            state,
            sort: Some(sort),
        };
        let found = self.list_accounts(cx, list).await.map_err(|_| ShowAccountsError::LedgerUnavailable)?.data;
        let words = [
            ("search", search.as_str()),
            ("group", group.as_str()),
            ("state", state.map(|state| state.as_str()).unwrap_or_default()),
            ("sort", sort.as_str()),
        ];
        let with = |path: &str, more: (&'static str, &str)| link(path, &[&words[..], &[more]].concat());
        let next = found.next.map(|after| with("/admin/accounts", ("after", &after))).unwrap_or_default();
        let csv = with("/api/admin/accounts", ("format", "csv"));
        let (t, groups) = (frame.t, self.group_names());
        let page = AccountsPage { t, frame, groups, state, sort, accounts: found.accounts, next, csv, search, group };
        Ok(reply::page(&page))
    }
}

impl Admin {
    /// The groups that an account may be put into, by name.
    pub(super) fn group_names(&self) -> Vec<String> {
        self.gateway.groups().iter().map(ToString::to_string).collect()
    }
}
