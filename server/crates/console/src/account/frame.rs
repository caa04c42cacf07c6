//! What stands around each page of somebody who is signed in.

use std::sync::Arc;

use super::texts::{ConsoleTexts, ENGLISH};
use super::{AccountPages, Unreadable};
use tollgate_accounts::Account;
use tollgate_api::{Caller, Cx};
use tollgate_base::Branding;

/// The pages that the navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConsoleSection {
    Overview,
    Keys,
    Receipts,
    Usage,
    Topup,
    FirstSteps,
    Playground,
    Agents,
    Settings,
}

/// The account that is signed in to, and the page's place in the navigation.
#[derive(Debug)]
pub(super) struct AccountFrame {
    pub(super) account: Account,
    pub(super) branding: Arc<Branding>,
    section: ConsoleSection,
    pub(super) t: &'static ConsoleTexts,
}

impl AccountFrame {
    /// The navigation: address, words, and whether this page is it.
    pub(super) fn links(&self) -> [(&'static str, &'static str, bool); 9] {
        let ConsoleTexts { overview, keys, receipts, usage, topup, steps, playground, agents, settings, .. } = self.t;
        [
            ("/console/overview", *overview, ConsoleSection::Overview),
            ("/console/keys", *keys, ConsoleSection::Keys),
            ("/console/receipts", *receipts, ConsoleSection::Receipts),
            ("/console/usage", *usage, ConsoleSection::Usage),
            ("/console/top-up", *topup, ConsoleSection::Topup),
            ("/console/first-steps", *steps, ConsoleSection::FirstSteps),
            ("/console/playground", *playground, ConsoleSection::Playground),
            ("/console/agents", *agents, ConsoleSection::Agents),
            ("/console/settings", *settings, ConsoleSection::Settings),
        ]
        .map(|(address, words, section)| (address, words, section == self.section))
    }
}

impl AccountPages {
    /// The frame of a page for a caller.
    pub(super) async fn frame(
        &self,
        cx: &Cx,
        caller: &Caller,
        section: ConsoleSection,
    ) -> Result<AccountFrame, Unreadable> {
        let account = self.accounts.find_account(&caller.account.to_string()).await.map_err(|error| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "the account of a page could not be read");
            Unreadable
        })?;
        Ok(AccountFrame { account, branding: self.branding.clone(), section, t: &ENGLISH })
    }
}
