//! `GET /admin/accounts/{account_id}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_accounts::{GetAccount, GetAccountError, GetAccountInput};
use tollgate_api::generated::ops::admin_agents::{ListAccountAgents, ListAccountAgentsInput};
use tollgate_api::generated::ops::admin_console::{ShowAccount, ShowAccountError, ShowAccountInput};
use tollgate_api::generated::ops::admin_keys::{ListAccountKeys, ListAccountKeysInput};
use tollgate_api::generated::types::{Account, AccountState, Agent, AgentStatus, Key, KeyStatus, LoggedChange};
use tollgate_api::{Cx, ProxyReply};

/// The lines of the log that the page shows.
const CHANGES: i64 = 20;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    t: &'static Texts,
    frame: Frame,
    account: Account,
    /// Those that the account may be put into, its own among them.
    groups: Vec<String>,
    keys: Vec<Key>,
    agents: Vec<Agent>,
    changes: Vec<LoggedChange>,
}

impl ShowAccount for Admin {
    async fn show_account(&self, cx: &Cx, input: ShowAccountInput) -> Result<ProxyReply, ShowAccountError> {
        let ShowAccountInput { caller, account_id } = input;
        let frame = self.frame(&caller, Section::Accounts);
        let account = self.get_account(cx, GetAccountInput { caller: caller.clone(), account_id }).await;
        let account = account.map_err(|error| match error {
            GetAccountError::AccountNotFound { account_id } => ShowAccountError::AccountNotFound { account_id },
            // It is logged.
            _ => ShowAccountError::LedgerUnavailable,
        })?;
        let list = ListAccountKeysInput { caller: caller.clone(), account_id };
        let keys = self.accounts.list_account_keys(cx, list).await;
        let keys = keys.map_err(|_| ShowAccountError::LedgerUnavailable)?.data;
        let list = ListAccountAgentsInput { caller: caller.clone(), account_id };
        let agents = self.agents.list_account_agents(cx, list).await;
        let agents = agents.map_err(|_| ShowAccountError::LedgerUnavailable)?.data;
        let changes = self.last_changes(cx, caller, Some(account_id.to_string()), CHANGES).await;
        let changes = changes.ok_or(ShowAccountError::LedgerUnavailable)?;
        let (t, groups) = (frame.t, self.group_names());
        Ok(reply::page(&AccountPage { t, frame, account: account.data, groups, keys, agents, changes }))
    }
}
